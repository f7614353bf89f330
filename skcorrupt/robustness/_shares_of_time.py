"""Time that several full searches share."""

from __future__ import annotations

from dataclasses import dataclass, field

from skcorrupt.adversarial._problem import too_short
from skcorrupt.adversarial._time_too_short import TimeTooShort, seconds_up
from skcorrupt.adversarial.candidates import Deadline, OutOfTime
from skcorrupt.adversarial.candidates._deadline import now
from skcorrupt.utils import warn

from ._attack import Attack

# a search that gets less finds nothing
LEAST_SECONDS = 0.1


@dataclass
class SharesOfTime:
    """Searches of which each may take an equal share of what is left.

    Attributes
    ----------
    seconds : float or None
        From now on until the last one is to end; None is no limit.
    to_come : int
        How many there are at most.
    n_ended : int
        How many were ended by the clock so far.
    """

    seconds: float | None
    to_come: int
    n_ended: int = 0
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = now()

    def run(self, attack: Attack) -> None:
        """Search, within the share of one.

        Parameters
        ----------
        attack : Attack
            The search, laid out.

        Raises
        ------
        TimeTooShort
            If the share was over before anything was scored.
        """
        if self.seconds is None:
            attack.run()
            return
        left = self.seconds - (now() - self._started)
        share = max(LEAST_SECONDS, left / max(1, self.to_come))
        self.to_come -= 1
        evaluator = attack.problem.evaluator
        evaluator.deadline = deadline = Deadline(share)
        try:
            attack.run()
        except OutOfTime:
            if not evaluator.done:
                raise self._too_short(share, too_short(evaluator).needed) from None
        finally:
            # what is tried of others takes its time
            evaluator.deadline = Deadline()
        self.n_ended += deadline.passed

    def _too_short(self, share: float, needed: float) -> TimeTooShort:
        whole = needed * (self.to_come + 1)
        return TimeTooShort(
            f"max_time={self.seconds:g} s leaves {share:.3g} s to each of {self.to_come + 1} "
            "searches, in which no error could be scored. Pass at least "
            f"max_time={seconds_up(whole)}, or None for no limit.",
            whole,
        )

    def warn_of_ended(self) -> None:
        """Say how many were ended by the clock.

        Warns
        -----
        UserWarning
            If any were.
        """
        if self.n_ended:
            warn(
                f"max_time={self.seconds:g} s ended {self.n_ended} of the searches, so that worse "
                "errors may have been passed by; pass a larger one, or None for no limit."
            )
