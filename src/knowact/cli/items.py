"""The items of a data set, for the commands that look at data: any suite, by its own options."""

from pathlib import Path
from typing import TYPE_CHECKING

from knowact import suites
from knowact.core.errors import BadData, BadUsage

if TYPE_CHECKING:
    from knowact.core.suite import Plan, Suite


def plan_of(suite: "Suite", data: str | None) -> "Plan":
    """The items of a suite's data set, its default one unless `data` names another, with nothing changed."""
    options = suite.defaults()
    return suite.plan(options if data is None else {**options, "data": data})


def shipped_names(suite: "Suite") -> list[str]:
    """The data sets that a suite ships, as `--data` takes them."""
    return [f"{data.name}@{data.version}" for data in suite.datasets()]


def suite_for(name: str | None, data: str | None) -> "Suite":
    """The suite that is meant: the one named, or the only one that the data can belong to.

    Raises:
        BadUsage: Several suites could be meant.
    """
    if name is not None:
        return suites.find(name)
    every = [suites.find(one) for one in suites.names()]
    if data is not None:
        first = data.split("/", maxsplit=1)[0].replace("-", "_")
        named = [suite for suite in every if suite.name == first and not Path(data).exists()]
        owners = named or [suite for suite in every if data in shipped_names(suite)]
        every = owners or [suite for suite in every if _reads(suite, data)] or every
    if len(every) != 1:
        known = " or ".join(suite.name.replace("_", "-") for suite in every)
        raise BadUsage(f"Say which suite the data are for: --suite {known}.")
    return every[0]


def _reads(suite: "Suite", data: str) -> bool:
    """Whether a suite can make anything of a folder; one that is not there is no suite's fault."""
    if not Path(data).exists():
        plan_of(suite, data)  # says that there is no such folder
    try:
        plan_of(suite, data)
    except BadData:
        return False
    except BadUsage:
        return True  # its layout, with options that do not fit
    return True
