"""Numbers of the paper's figure 3, as its replication package has them, and of its section 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

METRICS = ("spd", "eod", "aod", "erd")

# pipeline, stage: effect on SPD, EOD, AOD and ERD, and the standard error of each
PRINTED: dict[tuple[str, str], tuple[tuple[float, ...], tuple[float, ...]]] = {
    ("GC1", "PCA"): ((0.032, 0.072, 0.033, -0.079), (0.0122, 0.0134, 0.0178, 0.0309)),
    ("GC1", "SB"): ((-0.023, -0.038, -0.024, 0.029), (0.0098, 0.0293, 0.0061, 0.0656)),
    ("GC2", "SMOTE"): ((0.009, 0.003, 0.028, 0.049), (0.015, 0.0142, 0.0139, 0.0319)),
    ("GC2", "SS"): ((-0.01, -0.012, -0.009, 0.005), (0.0145, 0.0184, 0.0193, 0.0456)),
    ("GC3", "PCA"): ((0.039, 0.025, 0.037, 0.023), (0.0253, 0.022, 0.0337, 0.0675)),
    ("GC4", "LE"): ((0.093, 0.066, 0.095, 0.057), (0.0515, 0.0458, 0.0594, 0.0971)),
    ("GC4", "SS"): ((-0.103, -0.06, -0.102, -0.084), (0.0199, 0.0171, 0.0303, 0.0424)),
    ("GC5", "SS"): ((-0.06, 0.002, -0.079, -0.162), (0.004, 0.0208, 0.0068, 0.0542)),
    ("GC6", "PCA"): ((-0.031, -0.046, -0.025, 0.043), (0.03, 0.018, 0.0439, 0.0672)),
    ("GC6", "SS"): ((0.002, -0.008, 0.007, 0.03), (0.0106, 0.0227, 0.0137, 0.0498)),
    ("GC6", "LE"): ((-0.016, -0.046, -0.001, 0.088), (0.0197, 0.0076, 0.0293, 0.0498)),
    ("GC7", "PCA"): ((0.03, 0.035, 0.032, -0.006), (0.0234, 0.0166, 0.0309, 0.0704)),
    ("GC7", "SB"): ((-0.025, -0.016, -0.014, 0.004), (0.0165, 0.0212, 0.0162, 0.038)),
    ("GC8", "SS"): ((-0.172, -0.076, -0.194, -0.236), (0.0288, 0.0479, 0.0268, 0.1006)),
    ("GC9", "SMOTE"): ((0.005, 0.004, 0.006, 0.004), (0.0291, 0.056, 0.0212, 0.0959)),
    ("GC10", "Usamp"): ((0.021, 0.067, -0.001, -0.135), (0.0392, 0.0297, 0.0486, 0.0669)),
    ("AC1", "SS"): ((-0.096, -0.162, -0.113, 0.099), (0.0031, 0.013, 0.0067, 0.0125)),
    ("AC1", "LE"): ((-0.006, 0.034, 0.019, -0.031), (0.0022, 0.0174, 0.008, 0.0183)),
    ("AC2", "MV"): ((-0.004, -0.022, -0.011, 0.022), (0.0018, 0.0072, 0.004, 0.0067)),
    ("AC3", "Custom(f)"): ((0.008, 0.011, 0.007, -0.007), (0.0009, 0.0058, 0.0027, 0.0063)),
    ("AC4", "PCA"): ((-0.009, -0.042, -0.026, 0.031), (0.0031, 0.0139, 0.0072, 0.0134)),
    ("AC4", "SS"): ((-0.081, -0.104, -0.071, 0.066), (0.004, 0.0183, 0.0098, 0.0174)),
    ("AC5", "LE"): ((0, -0.006, -0.002, 0.008), (0.0018, 0.0058, 0.0036, 0.0049)),
    ("AC6", "Custom(f)"): ((0.013, 0.033, 0.018, -0.029), (0.0018, 0.0067, 0.0036, 0.0067)),
    ("AC6", "Custom(c)"): ((-0.003, -0.002, -0.003, -0.001), (0.0009, 0.0013, 0.0009, 0.0013)),
    ("AC7", "PCA"): ((-0.053, -0.224, -0.136, 0.177), (0.0045, 0.0157, 0.0085, 0.0148)),
    ("AC7", "SS"): ((-0.11, -0.223, -0.149, 0.148), (0.0045, 0.0165, 0.0076, 0.0197)),
    ("AC7", "Custom(f)"): ((-0.055, -0.113, -0.071, 0.083), (0.0022, 0.0076, 0.0045, 0.0063)),
    ("AC8", "SS"): ((0, 0, 0, 0), (0, 0, 0, 0)),
    ("AC8", "Custom(f)"): ((0, -0.007, -0.003, 0.008), (0.0022, 0.0067, 0.004, 0.0058)),
    ("AC8", "Stratify"): ((-0.002, 0.003, 0, -0.007), (0.0036, 0.0049, 0.004, 0.0013)),
    ("AC9", "SS"): ((-0.099, -0.022, -0.038, -0.032), (0.0089, 0.0148, 0.0103, 0.0116)),
    ("AC10", "Impute"): ((-0.081, -0.02, -0.027, -0.015), (0.008, 0.0246, 0.0134, 0.0233)),
    ("BM1", "Custom"): ((0.004, 0.034, 0.019, -0.031), (0.0063, 0.0157, 0.0089, 0.0148)),
    ("BM1", "LE"): ((0.011, 0.058, 0.031, -0.055), (0.0058, 0.021, 0.0116, 0.0192)),
    ("BM1", "SS"): ((-0.002, -0.005, -0.003, 0.004), (0.0049, 0.0152, 0.0067, 0.0197)),
    ("BM2", "LE"): ((0.002, 0.016, 0.007, -0.018), (0.0027, 0.0201, 0.0089, 0.0228)),
    ("BM3", "LE"): ((-0.005, -0.011, -0.007, 0.009), (0.0022, 0.0058, 0.0022, 0.0089)),
    ("BM3", "SS"): ((0.001, 0.001, 0.001, -0.001), (0.0004, 0.0018, 0.0009, 0.0027)),
    ("BM3", "Custom(f)"): ((0.025, 0.114, 0.065, -0.098), (0.008, 0.0282, 0.0148, 0.0273)),
    ("BM4", "SS"): ((-0.019, 0.028, 0.013, -0.031), (0.0103, 0.0402, 0.0201, 0.0407)),
    ("BM5", "SS"): ((-0.015, -0.099, -0.049, 0.1), (0.0036, 0.0165, 0.0072, 0.0192)),
    ("BM6", "FS"): ((0.002, -0.005, 0, 0.01), (0.0031, 0.0063, 0.0027, 0.0094)),
    ("BM6", "Stratify"): ((-0.006, 0.027, 0.009, -0.036), (0.0125, 0.0161, 0.0058, 0.0326)),
    ("BM6", "SS"): ((-0.001, 0.013, 0.004, -0.017), (0.0049, 0.0098, 0.0063, 0.0085)),
    ("BM7", "FS"): ((0.011, 0.035, 0.02, -0.031), (0.0072, 0.0112, 0.0085, 0.0058)),
    ("BM8", "Stratify"): ((0.013, 0.02, 0.016, -0.009), (0.0085, 0.0201, 0.0121, 0.0179)),
    ("TT1", "MV"): ((-0.025, 0.075, -0.097, -0.344), (0.0528, 0.0461, 0.0604, 0.0376)),
    ("TT1", "Custom(f)"): ((0.108, 0.183, 0.101, -0.164), (0.0707, 0.123, 0.0724, 0.1453)),
    ("TT1", "Encode"): ((0.178, 0.165, 0.176, 0.023), (0.0657, 0.0671, 0.0657, 0.0389)),
    ("TT2", "MV"): ((-0.008, -0.214, -0.164, 0.099), (0.0094, 0.0657, 0.0179, 0.1096)),
    ("TT2", "Custom(f)"): ((-0.058, -0.096, -0.038, 0.116), (0.0241, 0.0188, 0.0259, 0.0505)),
    ("TT3", "Impute"): ((0.011, 0.023, 0.015, -0.016), (0.017, 0.0259, 0.008, 0.0398)),
    ("TT3", "Custom(f)"): ((0.008, -0.04, 0.02, 0.121), (0.0107, 0.0358, 0.0134, 0.0546)),
    ("TT4", "Custom(f)"): ((-0.038, -0.233, -0.102, 0.262), (0.0085, 0.0206, 0.0201, 0.0148)),
    ("TT4", "Impute"): ((-0.007, 0.001, -0.01, -0.021), (0.0049, 0.0089, 0.0054, 0.0139)),
    ("TT4", "RFECV"): ((0.031, 0.071, 0.045, -0.051), (0.0121, 0.0295, 0.017, 0.0309)),
    ("TT5", "Custom(f)"): ((-0.043, -0.159, -0.091, 0.135), (0.0183, 0.0309, 0.0286, 0.0394)),
    ("TT6", "Custom(f)"): ((0.043, -0.01, 0.024, 0.069), (0.017, 0.0438, 0.0304, 0.0724)),
    ("TT7", "SS"): ((0.002, 0, 0.006, 0.012), (0.0036, 0, 0.0049, 0.0103)),
    ("TT7", "LE"): ((0.511, 0.346, 0.464, 0.236), (0.0402, 0.0707, 0.0447, 0.0563)),
    ("TT7", "Custom(f)"): ((0.081, 0.002, 0.086, 0.167), (0.0219, 0.0376, 0.0344, 0.0733)),
    ("TT8", "Custom(f)"): ((0.754, 0.568, 0.572, 0.008), (0.0273, 0.0371, 0.0434, 0.0689)),
    ("CP1", "Filter"): ((-0.001, -0.005, -0.003, 0.004), (0.0018, 0.0018, 0.0018, 0.0036)),
    ("CP1", "Impute1"): ((0, 0, 0, 0), (0, 0, 0, 0)),
    ("CP1", "Encode"): ((0, 0, 0, 0), (0, 0, 0, 0)),
    ("CP1", "Impute2"): ((0, 0, 0, 0), (0, 0, 0, 0)),
    ("CP1", "Kbins"): ((0, 0, 0, 0), (0, 0, 0, 0)),
    ("CP1", "Binarize"): ((0, 0, 0, 0), (0, 0, 0, 0)),
}

# pipelines of section 2: what, and what is printed
EXAMPLE_1 = {"spd": -0.102, "eod": -0.027}
EXAMPLE_2_WITH, EXAMPLE_2_WITHOUT = 0.005, -0.117
# of men less of women whom the selection turns down
EXAMPLE_2_SELECT = 0.036 - 0.011

# in the scripts the pipeline without the stage stands in the place of that with it
SWAPPED = {
    ("AC1", "LE"),
    ("AC5", "LE"),
    ("AC6", "Custom(f)"),
    ("AC6", "Custom(c)"),
}

NOT_REBUILT = {
    ("AC8", "Stratify"): "how the split is drawn is no step of a pipeline",
    ("BM6", "Stratify"): "how the split is drawn is no step of a pipeline",
    ("BM8", "Stratify"): "how the split is drawn is no step of a pipeline",
}

# what the scripts do wrong where they are known to: a number that differs is refuted by it
FAULTS = {
    ("AC4", "SS"): "a PCA fitted on scaled data is used on raw data",
    ("AC7", "SS"): "a PCA fitted on scaled data is used on raw data",
    ("AC7", "Custom(f)"): "scaler and PCA fitted on the coarse data are used on the fine",
    ("AC9", "SS"): "with and without are predicted for different people",
    ("AC10", "Impute"): "with and without are predicted for different people",
    ("BM4", "SS"): "what is left out is a column",
}

# of AC1, whose stage is called by the name of the other
EXCHANGED = "labels and one-hot columns are exchanged in the script"

# of standard deviations and of standard errors, as the files have them
STEP, LAST = 1e-3, 1e-4
MOST_RUNS = 30


def runs_behind(errors: Sequence[float]) -> tuple[int, int]:
    """Of how many runs standard errors are, if the deviations had been rounded to three digits.

    Parameters
    ----------
    errors : sequence of float
        Standard errors above 0 with four digits.

    Returns
    -------
    runs : int
        The number that most errors fit, less those that would by chance.
    fit : int
        How many of the errors fit it.
    """
    fit = {n: sum(_fits(error, n) for error in errors) for n in range(2, MOST_RUNS + 1)}
    # the more runs, the closer are the errors that rounded deviations can make
    chance = {n: min(LAST / STEP * math.sqrt(n), 1.0) for n in fit}
    runs = max(fit, key=lambda n: fit[n] - chance[n] * len(errors))
    return runs, fit[runs]


def _fits(error: float, n: int) -> bool:
    """Whether an error is that of a rounded deviation over n runs."""
    std = round(error * math.sqrt(n) / STEP) * STEP
    return abs(std / math.sqrt(n) - error) <= LAST / 2


ERRORS_PRINTED = [error for _, errors in PRINTED.values() for error in errors if error > 0]
RUNS, N_FIT = runs_behind(ERRORS_PRINTED)
