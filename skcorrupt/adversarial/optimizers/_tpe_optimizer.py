"""Tree-structured Parzen estimator over a grid, through optuna."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._grid import Grid
from ._grid_optimizer import GridOptimizer, Point

_TRIES = 64


class TPEOptimizer(GridOptimizer):
    """The optimizer of the paper (Bergstra et al. 2011), from optuna.

    Parameters
    ----------
    grid : Grid
        What to search.
    n_calls : int
        Number of scores it will be told, at most.
    seed : int
        Seed of its choices.
    start : list of tuple of int, default=()
        Points to try first.

    Raises
    ------
    ImportError
        If optuna is not installed.
    """

    def __init__(self, grid: Grid, n_calls: int, seed: int, start: Sequence[Point] = ()) -> None:
        super().__init__(grid, n_calls, seed, start)
        try:
            import optuna
        except ImportError as error:
            raise ImportError(
                "optimizer='tpe' needs optuna, which is not installed; "
                "pip install 'skcorrupt[tpe]', or use optimizer='auto'."
            ) from error
        self._optuna = optuna
        sampler = optuna.samplers.TPESampler(
            seed=seed, n_startup_trials=max(4, n_calls // 4), multivariate=False
        )
        loudness = optuna.logging.get_verbosity()
        # a line for each study would say nothing to those who asked for a search
        optuna.logging.set_verbosity(max(loudness, optuna.logging.WARNING))
        try:
            self._study = optuna.create_study(direction="minimize", sampler=sampler)
        finally:
            optuna.logging.set_verbosity(loudness)
        self._distributions: dict[str, Any] = {
            f"d{d}": optuna.distributions.IntDistribution(0, levels - 1)
            for d, levels in enumerate(grid.shape)
        }

    def propose(self) -> Iterable[Point]:
        """Points as the sampler suggests them, then any others."""
        for _ in range(_TRIES):
            trial = self._study.ask(self._distributions)
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            yield tuple(trial.params[f"d{d}"] for d in range(len(self.grid.shape)))
        yield from map(tuple, self.shuffled(4096).tolist())

    def tell(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Learn the scores of points."""
        super().tell(points, scores)
        for point, score in zip(points, scores, strict=True):
            self._study.add_trial(
                self._optuna.trial.create_trial(
                    params={f"d{d}": level for d, level in enumerate(point)},
                    distributions=self._distributions,
                    value=float(score),
                )
            )
