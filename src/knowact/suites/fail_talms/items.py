"""From options to the items of a run: which data, which settings, and what the options may be."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, get_args

from knowact.core.condition import Failure
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.suite import Dataset, Item, Plan
from knowact.datasets.deviations import Deviation
from knowact.datasets.own import ITEMS, data_folder, shipped
from knowact.probes import transfer
from knowact.probes.strategies import refuse_without_acting
from knowact.roles.helper import ATTEMPTS, SCRIPT_REFUSES
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import DATA, OwnCases, load_cases
from knowact.suites.fail_talms.judging import comparing_votes
from knowact.suites.fail_talms.layout import FAILURES, Split, find_benchmark
from knowact.suites.fail_talms.own_items import plan_of_cases
from knowact.suites.fail_talms.published_items import plan_of_release

ALL: Final = "all"
SETTINGS: Final = (ALL, *(split.value for split in Split))
PROBES: Final = ("both", "awareness", "act")
HELPERS: Final = ("nobody", "scripted", "model", "person")
BREAKS: Final = ("none", ALL, *(how.replace("_", "-") for how in get_args(Failure) if how != "unavailable"))
AFTER_NO: Final = ("act", "skip")
REPLIES: Final = ("none", "template")


def datasets() -> Sequence[Dataset]:
    """What the suite ships."""
    return shipped(DATA)


def plan(options: Mapping[str, Any]) -> Plan:
    """Turn options into items, in the data set's stratified order.

    Args:
        options: `data`, `seed`, `rules`, `limit` (base tasks; 0 for all), and the suite's own.

    Raises:
        BadData: The data cannot be used.
        BadUsage: The options do not go together, or with these data.
    """
    _check(options)
    transfer.require(
        options,
        {
            "probe": ("both", "what is said is compared with what is done"),
            "after_no": ("act", "a verdict must not end the trial"),
            "broken": ("none", "a broken tool looks like any other, so there is no verdict on it"),
            "win_rate": (False, "each compares answers of its own"),
        },
    )
    ours = datasets()
    folder = data_folder(str(options["data"]), "fail_talms", ours)
    if find_benchmark(folder, list[Deviation]()) is not None:
        found = plan_of_release(folder, options)
    elif (folder / ITEMS).exists():
        if options["cassette"] or options["replies"] != "none":
            raise BadUsage("--cassette and --replies are for published data; this data set has a world.")
        cases = _shipped(folder) if folder in {one.path for one in ours} else load_cases(folder)
        found = plan_of_cases(cases, options)
    else:
        what = f"the folder holds neither {ITEMS} nor the settings of a published release"
        raise BadData(what, Place(folder), "point --data at a data set")
    if not found.items:
        raise BadUsage("No item is left; widen --setting, --broken or --limit.")
    if options.get("transfer") and not any(item.task.facts for item in found.items):
        raise BadUsage(
            "--transfer compares conduct, which is read by reference facts, and these data have none; "
            "choose other data."
        )
    roles = {"helper": "--helper model"} if options["helper"] == "model" else {}
    if any(compared(item, options) for item in found.items):
        roles["judge"] = "--win-rate"
    return replace(
        found,
        calls=_calls(found.items, options),
        at_terminal=options["helper"] == "person",
        roles=roles,
        role_calls=_role_calls(found.items, options),
        headline=_headline(found.items, options),
        built_in_only=SCRIPT_REFUSES if options["helper"] == "scripted" else "",
    )


@lru_cache(maxsize=2)
def _shipped(folder: Path) -> OwnCases:
    """What is shipped doesn't change under a process; planning and running a suite both want it."""
    return load_cases(folder)


def _check(options: Mapping[str, Any]) -> None:
    """Refuse options that make no sense together."""
    refuse_without_acting(options, acts=options["probe"] != "awareness")
    if int(options["votes"]) % 2 == 0:
        raise BadUsage(f"--votes takes an odd number, so that there is a majority, not {options['votes']}.")
    if options["cassette"] and options["replies"] != "none":
        raise BadUsage("--cassette and --replies template exclude each other; choose one.")
    if options["after_no"] == "skip" and options["probe"] == "act":
        raise BadUsage("--after-no skip needs an answer, and --probe act asks no question; use --probe both.")
    _check_comparison(options)
    if options["broken"] == "none":
        return
    if options["setting"] not in (ALL, Split.PERFECT.value):
        raise BadUsage(
            "--broken breaks tools of the perfect setting; leave out --setting, or use --setting perfect."
        )
    if options["probe"] == "awareness":
        raise BadUsage("A broken tool looks like any other, so there is nothing to ask; use --probe act.")
    if int(options["distractors"]):
        raise BadUsage("--broken and --distractors are not proven together; choose one.")


def _check_comparison(options: Mapping[str, Any]) -> None:
    """Refuse a comparison where no answer without tools is given."""
    if not options["win_rate"]:
        return
    if options["setting"] not in (ALL, Split.NO_TOOLS.value) or options["broken"] != "none":
        raise BadUsage("--win-rate compares answers without tools; use --setting no-tools, or all.")
    if options["probe"] == "awareness":
        raise BadUsage(
            "--win-rate compares answers, and --probe awareness gives none; use --probe both or act."
        )


def asked(item: Item, options: Mapping[str, Any]) -> tuple[bool, tuple[str, ...]]:
    """Say whether an item is acted, and which awareness questions it gets.

    Both questions in every setting; under the published rules those of the setting. A
    broken tool looks like any other, so there nothing is asked.
    """
    assert isinstance(item, AskedItem)
    acts = options["probe"] in ("both", "act")
    if options["probe"] == "act" or item.broken:
        return acts, ()
    return acts, item.questions if options["rules"] == "published" else ("tools", "information")


def helped(item: Item, options: Mapping[str, Any]) -> bool:
    """Whether a person can be asked; in the published runs only where something is missing."""
    assert isinstance(item, AskedItem)
    everywhere = options["rules"] != "published" or item.setting in FAILURES
    return options["helper"] != "nobody" and everywhere


def compared(item: Item, options: Mapping[str, Any]) -> bool:
    """Whether the agent also acts with the tools, so that its two answers can be compared."""
    assert isinstance(item, AskedItem)
    return bool(options["win_rate"]) and item.setting is Split.NO_TOOLS and asked(item, options)[0]


def _headline(items: Sequence[Item], options: Mapping[str, Any]) -> tuple[str, ...]:
    """Who has to read what is done; what is only said in the requested words needs nobody."""
    acted = [item for item in items if asked(item, options)[0]]
    if not acted:
        return ()
    by_form = options["rules"] != "published" and any(item.task.facts for item in acted)
    return ("extractor",) if by_form else ("judge",)


def _role_calls(items: Sequence[Item], options: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
    """Fewest and most calls in each role: every reply is read once, or again where the form was invalid."""
    votes, forms, passes, reasons, versus, asks = int(options["votes"]), 0, 0, 0, 0, 0
    published = options["rules"] == "published"
    may_skip = options["after_no"] == "skip" or published
    for item in items:
        acts, questions = asked(item, options)
        forms += acts and bool(item.task.facts) and not published
        forms += transfer.MOST * bool(options.get("transfer") and item.task.facts)
        passes += acts
        asks += acts and helped(item, options)
        reasons += len(set(questions) & set(item.lacks)) if item.missing and not published else 0
        versus += compared(item, options)
    most_votes = votes * (passes + reasons) + comparing_votes(votes, options["rules"]) * versus
    found = {"extractor": (forms, 2 * forms), "judge": (votes * passes, most_votes)}
    if may_skip:
        found = {role: (0, most) for role, (_, most) in found.items()}
    if options["helper"] == "model":
        times = 1 + transfer.MOST * bool(options.get("transfer"))
        found["helper"] = (0, ATTEMPTS * int(options["max_questions"]) * asks * times)
    return {role: calls for role, calls in found.items() if calls[1]}


def _calls(items: Sequence[Item], options: Mapping[str, Any]) -> tuple[int, int]:
    """Fewest and most model calls: one for each question, and from none or one to all rounds for acting."""
    charged = options["rules"] == "published"
    free = 0 if options["helper"] == "nobody" or charged else int(options["max_questions"])
    rounds = int(options["rounds"])
    skips = options["after_no"] == "skip" or charged
    few = most = 0
    for item in items:
        assert isinstance(item, AskedItem)
        acts, questions = asked(item, options)
        twice = compared(item, options)
        may_skip = skips and bool(set(questions) & set(item.questions))
        few += (0 if may_skip else acts + twice) + len(questions)
        most += acts * (rounds + free) + len(questions) + twice * rounds
        if options.get("transfer"):
            few += len(questions) + transfer.CERTAIN
            most += len(questions) + transfer.MOST * (rounds + free)
    return few, most
