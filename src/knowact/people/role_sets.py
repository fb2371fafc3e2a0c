"""The labelled sets that every suite shares."""

from knowact.people.calibration import LabelledSet
from knowact.people.extractor_sets import extractor_sets
from knowact.people.helper_sets import helper_sets
from knowact.people.judge_sets import judge_sets
from knowact.people.user_sets import user_sets


def shared_sets() -> tuple[LabelledSet, ...]:
    """Every set that no suite has for itself; `Suite.labelled` names those that one has."""
    return (*extractor_sets(), *judge_sets(), *user_sets(), *helper_sets())
