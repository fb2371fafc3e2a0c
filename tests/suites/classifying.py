"""Classifiers that try to tell a label from features, for the gates on data."""

# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# scikit-learn comes without types.

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from statistics import fmean

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knowact.core.task import Boundary, Task


def acc_know(tasks: Sequence[Task], choose: Callable[[Task], Sequence[str]]) -> float:
    """Acc_know (Jaccard with T; 1 for two empty sets) averaged over the subspaces."""
    found: dict[Boundary, list[float]] = defaultdict(list)
    for task in tasks:
        chosen = frozenset(choose(task))
        union = chosen | task.required
        found[task.boundary].append(len(chosen & task.required) / len(union) if union else 1.0)
    return fmean(fmean(values) for values in found.values())


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


def separable_by_words(texts: Sequence[str], labels: Sequence[bool], groups: Sequence[int]) -> float:
    """The best of `scores_by_words`."""
    return max(scores_by_words(texts, labels, groups))


def scores_by_words(texts: Sequence[str], labels: Sequence[bool], groups: Sequence[int]) -> Iterator[float]:
    """The balanced accuracy of each classifier that reads words, cross-validated with groups kept together.

    Args:
        texts: What they read; names count as words.
        labels: What they are to tell.
        groups: Texts of one group are never learnt from and tested on at once.
    """
    truth = np.array(labels)
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    for read in (TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), CountVectorizer()):
        table = read.fit_transform(texts)
        for one in (
            LogisticRegression(class_weight="balanced", max_iter=2_000),
            RandomForestClassifier(
                100, min_samples_leaf=3, class_weight="balanced", random_state=0, n_jobs=2
            ),
        ):
            guessed = cross_val_predict(one, table, truth, groups=groups, cv=folds)
            yield float(balanced_accuracy_score(truth, guessed))


_TOKEN = re.compile(r"\w+|[^\w\s]")


def beside_the_value(complete: str, words: str, incomplete: str) -> tuple[str, str]:
    """Two versions of a message without the value's place: what says it, and what stands there instead.

    Args:
        complete: The message that says the value.
        words: Its words that do.
        incomplete: The message that does not.
    """
    here, there, value = (_TOKEN.findall(text) for text in (complete, incomplete, words))
    spans = [
        range(at, at + len(value))
        for at in range(len(here) - len(value) + 1)
        if here[at : at + len(value)] == value
    ]
    assert spans, f"{words!r} is not in {complete!r}"
    gone = {place for span in spans for place in span}
    instead: set[int] = set()
    changes = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    for kind, start, end, first, last in changes:
        touched = any(start <= span.stop and end >= span.start for span in spans)
        if kind != "equal" and touched:
            gone |= {*range(start, end)}
            instead |= {*range(first, last)}
    left = (
        " ".join(one for at, one in enumerate(text) if at not in cut)
        for text, cut in ((here, gone), (there, instead))
    )
    return next(left), next(left)


def separable_by_figures(
    features: Sequence[Sequence[float]], labels: Sequence[bool], groups: Sequence[int]
) -> float:
    """The best of `scores_by_figures`."""
    return max(scores_by_figures(features, labels, groups))


def scores_by_figures(
    features: Sequence[Sequence[float]], labels: Sequence[bool], groups: Sequence[int]
) -> Iterator[float]:
    """The balanced accuracy of a straight and of a crooked classifier, with groups kept together."""
    table, truth = np.array(features, float), np.array(labels)
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    straight = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    crooked = RandomForestClassifier(60, min_samples_leaf=5, class_weight="balanced", random_state=0)
    for one in (straight, crooked):
        guessed = cross_val_predict(one, table, truth, groups=groups, cv=folds)
        yield float(balanced_accuracy_score(truth, guessed))
