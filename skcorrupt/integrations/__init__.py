"""Libraries that people already use: skrub, skore and MLflow, each imported when it is used."""

from ._data_op_estimator import DataOpEstimator
from ._log_to_mlflow import log_to_mlflow
from ._robustness_check import RobustnessCheck

__all__ = ["DataOpEstimator", "RobustnessCheck", "log_to_mlflow"]
