"""Classifiers that try to tell a label from features, for the gates on data."""

# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# scikit-learn comes without types.

from collections.abc import Sequence

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def separable(features: Sequence[Sequence[float]], labels: Sequence[bool]) -> float:
    """The better balanced accuracy of a straight and of a crooked classifier, cross-validated."""
    table, truth = np.array(features, float), np.array(labels)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    straight = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    crooked = RandomForestClassifier(60, min_samples_leaf=5, class_weight="balanced", random_state=0)
    return max(
        float(balanced_accuracy_score(truth, cross_val_predict(one, table, truth, cv=folds)))
        for one in (straight, crooked)
    )
