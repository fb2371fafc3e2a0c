"""The files of `fail_talms/everyday`; see `forge.files`."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knowact.suites.fail_talms.cases import Case
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from version_1.fail_talms.plan import cases
from version_1.fail_talms.recipe import GENERATOR
from version_1.files import SEED, Watch, datasheet_of, laid_out, unwatched, write

__all__ = ["SEED", "files", "write"]


def files(seed: int = SEED, share: float = 1.0, watch: Watch = unwatched) -> Mapping[str, str]:
    """Make a data set and return its files, name to text, without writing anything.

    Args:
        seed: Fixes everything.
        share: Of the paper's sizes.
        watch: Told how far it is.

    Raises:
        ValueError: The phrasings do not suffice for so many items.
    """
    made = cases(seed, share, watch)
    return laid_out(_rendered(made), seed, GENERATOR, _datasheet(made, seed))


def _rendered(made: Iterable[Case]) -> str:
    """The items file: a case per line, without what is so by default."""
    return "".join(f"{json.dumps(_row(case), ensure_ascii=False)}\n" for case in made)


def _row(case: Case) -> dict[str, Any]:
    # A change says its kind, by which it is read, though that is each noun's default.
    condition = {"condition": case.condition.model_dump(mode="json")}
    return case.model_dump(mode="json", exclude_defaults=True) | condition


def _datasheet(made: Sequence[Case], seed: int) -> str:
    counts = Counter((case.setting, case.possibility.value) for case in made)
    kinds = ("possible", "partly_possible", "impossible")
    rows = "\n".join(
        f"| {setting.value} | {sum(counts[setting, kind] for kind in kinds)} | "
        f"{' | '.join(str(counts[setting, kind]) for kind in kinds)} |"
        for setting in Split
    )
    complete = [case for case in made if case.setting is Split.PERFECT]
    categories = Counter(case.category for case in complete)
    sets = {frozenset(case.offered) for case in complete}
    removed = [case for case in made if case.setting in UNAVAILABLE]
    figures = {
        "uncrossed": sum(frozenset(case.offered) not in sets for case in removed),
        "seed": seed,
        "size": f"{len(made):,}",
        "bases": f"{len(complete):,}",
        "withheld": len({case.cluster for case in made if case.setting is Split.UNDER_SPECIFIED}),
        "defaults": sum(bool(case.missing and case.missing.default) for case in made),
        "by_model": sum(case.by_model is True for case in made),
        "by_person": sum(case.by_model is False for case in made),
        "alone": sum(not step.external for case in complete for step in case.task.plan),
        "rows": rows,
        "categories": ", ".join(f"{name} {count}" for name, count in sorted(categories.items())),
    }
    return datasheet_of("version_1.fail_talms", figures)
