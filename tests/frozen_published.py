"""What must not change while readers of published files are rewritten: what they read, and what they refuse.

Kept as hashes in `frozen_hashes/published_<suite>.json`: every task, item, pair, departure and recomputed
table of the published samples and of our small releases in their layouts; and, for files with one value gone
or replaced (`damaged`), the same or the place of the complaint. Words of complaints are not part of it.
`python tests/frozen_published.py [SUITE ...]` writes them anew; with `--whole FILE` it writes all that the
hashes are made of, to see what differs.
"""

import copy
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

from pydantic import BaseModel

from bad_published import published as damaged_records
from fail_talms_trials import planned as fail_talms_planned
from frozen_outputs import digest, kept_at, table_digest
from ict_trials import RELEASE
from ict_trials import planned as ict_planned
from kaware_records import Record, document, place_of, several, single
from kaware_records import write as write_records
from knowact.core.errors import BadData
from knowact.core.suite import Plan
from knowact.core.table import Table
from knowact.suites import find
from knowact.suites.fail_talms.published import load_published as load_fail_talms
from knowact.suites.fail_talms.rescoring import rescore
from knowact.suites.ict.published import load_published as load_ict
from knowact.suites.kapro.published import load_published as load_kapro

UPSTREAM: Final = Path(
    os.environ.get("KNOWACT_UPSTREAM") or Path(__file__).parents[2] / "shared" / "upstream"
)
SAMPLES: Final = {"kapro": "kaware", "fail_talms": "fail-talms", "ict": ""}
"""The folder of each suite's published sample; there is none of ICT."""

Steps = tuple[str | int, ...]
ODD: Final[Sequence[Any]] = (
    *(None, True, 0, -1, 2.5, 10**400, "", " ", "yes", "x", "P1", "P2", "tide_table", "A::b", "{", "[]"),
    *("9" * 5000, "x\ud800", "'a'", "{'a': 1}", '{"a": 1}', "[1", "x=1", "A(x='1')", "A(x=1, x=2)"),
    *([], {}, [None], ["x"], [["x", "y"]], {"name": None}, {"": 1}, [[{}]], {"name": "x", "type": "FLOAT"}),
    *({"input_parameters": {}, "name": "q"}, {"tide_table": None}, {"tide_table": {}}),
)
"""What stands in the place of a value."""


def flat(value: Any, root: Path) -> Any:
    """Anything that readers give as JSON; paths are below a folder."""
    if isinstance(value, Table):
        return table_digest(value)
    if isinstance(value, BaseModel):
        return flat(value.model_dump(mode="python"), root)
    if is_dataclass(value):
        return {each.name: flat(getattr(value, each.name), root) for each in fields(value)}
    if isinstance(value, Path):
        return str(value).replace(str(root), "")
    if isinstance(value, Mapping):
        known = cast("Mapping[Any, Any]", value)
        return {str(name): flat(inner, root) for name, inner in known.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, cast("frozenset[Any]", value)))
    if isinstance(value, list | tuple):
        return [flat(inner, root) for inner in cast("Sequence[Any]", value)]
    return value


def attributes(value: object, names: Sequence[str], root: Path) -> dict[str, Any]:
    """Some attributes of an object."""
    return {name: flat(getattr(value, name), root) for name in names}


def departures(entries: Sequence[Any], root: Path) -> list[str]:
    """Departures without their words, in any order."""
    return sorted(
        f"{one.item} | {one.kind} | {one.done} | {flat(one.place.file, root)}"
        f" | {one.place.line} | {one.place.field}"
        for one in entries
    )


def complaint(error: BadData, root: Path) -> str:
    """Where something is wrong."""
    return str(flat(error.place.file, root)) + f":{error.place.line}, {error.place.field}"


QUERY: Final = (
    *("id", "split", "category", "base", "variant", "query_id", "query", "functions", "dropped"),
    *("original", "cluster", "excluded", "relevant", "place"),
)
"""What is kept of a published query."""

KEPT: Final = (
    *("task", "condition", "tools", "labels", "lacks", "parts", "missing", "mended"),
    *("gap", "known", "pair", "full"),
)
"""What is kept of an item: what an agent is shown, and what its answers are held against."""


def item_of(item: Any, root: Path) -> dict[str, Any]:
    """An item without the sentences about it."""
    found = {name: getattr(item, name) for name in KEPT if hasattr(item, name)}
    found["mended"] = len(found.get("mended", ()))
    if found.get("full") is not None:
        found["full"] = item_of(found["full"], root)
    return {name: flat(value, root) for name, value in found.items()}


def items_of(plan: Plan, root: Path) -> dict[str, Any]:
    """The items of a run, and the data that they are of."""
    items = {f"{item.task.id}@{item.condition.name}": item_of(item, root) for item in plan.items}
    return {**items, "": [flat(plan.dataset, root), len(plan.items), sorted(items)]}


def kapro_read(folder: Path) -> dict[str, Any]:
    """What a release of KAware is read as."""
    suite = find("kapro")
    options: dict[str, Any] = {**suite.defaults(), "data": str(folder), "distractors": 2, "solo": 1}
    return {
        "release": flat(load_kapro(folder), folder),
        "items": items_of(suite.plan(options), folder),
    }


def fail_talms_read(folder: Path, *, small: bool = False) -> dict[str, Any]:
    """What a release of FAIL-TaLMs is read as, and what its outputs come to by all rules."""
    found: dict[str, Any] = {}
    if (folder / "benchmark").is_dir():
        read = load_fail_talms(folder)
        found = {
            **{name: flat(getattr(read, name), folder) for name in ("info", "pool")},
            "items": [attributes(item, QUERY, folder) for item in read.items],
            "excluded": [attributes(item, QUERY, folder) for item in read.excluded],
            "departures": departures(read.deviations, folder),
        }
    if (folder / "outputs").is_dir():
        for rules in ("both",) if small else ("definition", "published", "both"):
            scored = rescore(folder, rules)
            found[rules] = {
                "tables": {table.id: flat(table, folder) for table in scored.tables},
                "notes": len(scored.notes),
                "details": sorted(
                    json.dumps({**flat(one, folder), "how": "", "file": one["file"].replace(str(folder), "")})
                    for one in scored.details
                ),
            }
    return found


def fail_talms_items(folder: Path) -> dict[str, Any]:
    """The items of a release of FAIL-TaLMs, as its options make them."""
    choices: Mapping[str, Mapping[str, Any]] = {
        "plain": {"probe": "awareness"},
        "template": {"replies": "template", "distractors": 3, "limit": 12},
        "broken": {"replies": "template", "broken": "all", "probe": "act"},
        "win rate": {"replies": "template", "win_rate": True, "setting": "no-tools", "rules": "published"},
    }
    plans = {name: fail_talms_planned(data=str(folder), **options) for name, options in choices.items()}
    return {name: items_of(plan, folder) for name, plan in plans.items()}


def ict_read(folder: Path) -> dict[str, Any]:
    """What a release of ICT is read as."""
    read = load_ict(folder)
    names = ("id", "part", "is_corrupted", "utterances", "tools", "answer", "cluster", "withheld", "place")
    return {
        "info": flat(read.info, folder),
        "pairs": [
            {side: attributes(getattr(pair, side), names, folder) for side in ("manipulated", "original")}
            for pair in read.pairs
        ],
        "excluded": [
            {"reason": aside.reason, "items": [attributes(item, names, folder) for item in aside.items]}
            for aside in read.excluded
        ],
        "departures": departures(read.deviations, folder),
    }


def places(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """The way to every value inside, the outermost first."""
    pairs: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        pairs = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        pairs = list(enumerate(cast("list[Any]", value)))
    for key, inner in pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(whole: Any, path: Steps, value: object) -> Any:
    """A copy in which one value is another; `places` (the function) in place of a value takes it out."""
    out = copy.deepcopy(whole)
    inside = out
    for key in path[:-1]:
        inside = inside[key]
    if value is places:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return out


def damaged(
    wholes: Mapping[str, Any], write: Callable[[Path, Any], object], read: Callable[[Path], Any], few: int = 1
) -> Iterator[tuple[str, str]]:
    """What is read, or where something is wrong, with every value gone or odd.

    Args:
        wholes: What is written when it is sound, by name.
        write: Writes it.
        read: Reads what was written.
        few: Of the odd values only every so many-th is taken at each place, another one at the next.
    """
    for name, whole in wholes.items():
        for number, path in enumerate(places(whole)):
            for odd, value in enumerate((places, *ODD)):
                if (number + odd) % few == 0:
                    key = f"{name}/{'/'.join(map(str, path))} {odd}"
                    yield key, outcome(changed(whole, path, value), write, read)


def outcome(whole: Any, write: Callable[[Path, Any], object], read: Callable[[Path], Any]) -> str:
    """A hash of what is read, or where something is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, whole)
        try:
            return digest(read(folder))
        except BadData as error:
            return complaint(error, folder)


def kapro() -> dict[str, Any]:
    """KAware: the sample, the damaged records of `bad_published`, and odd values everywhere."""
    seeds: Mapping[str, Record] = {
        "single": single(),
        "object": single(tool_doc=document("tide_table"), mcp_server=["https://example.org"]),
        "several": several(mcp_server="https://example.org"),
        "objects": several(tool_doc={name: document(name) for name in ("tide_table", "knots_to_kmh")}),
        "listed": several(
            "P3", "multi-hop", {"knots_to_kmh": "P3", "count_words": "P3"}, tool_response=["7", "2"]
        ),
        "texts": several(tool_doc=[json.dumps(document(name)) for name in ("tide_table", "knots_to_kmh")]),
    }

    def read(folder: Path) -> Any:
        return flat(load_kapro(folder), folder)

    def write(folder: Path, whole: Mapping[str, Record]) -> None:
        write_records(folder, {place: [record] for place, record in whole.items()})

    wholes = {name: {place_of(seed): seed} for name, seed in seeds.items()}
    return {
        "sample": kapro_read(UPSTREAM / SAMPLES["kapro"]),
        "refused": {
            bad.id: outcome(bad, lambda folder, one: one.write(folder), read) for bad in damaged_records()
        },
        "damaged": dict(damaged(wholes, write, read)),
    }


def small_release(suite: str) -> ModuleType:
    """The module with a small release of a suite, which lies among its tests."""
    file = Path(__file__).parent / "suites" / suite / "release.py"
    spec = importlib.util.spec_from_file_location(f"{suite}_release", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fail_talms() -> dict[str, Any]:
    """FAIL-TaLMs: the sample with its outputs, and odd values everywhere in a small release."""
    sample = UPSTREAM / SAMPLES["fail_talms"]
    ours = small_release("fail_talms")
    both = {**ours.tool_label("Yes"), **ours.info_label("Idk")}
    runs = {
        ("Original", "m_auto_eval"): [ours.answer(1, **both), ours.answer(2, ours.MOONLIT, **both)],
        ("Underspecified", "m_auto_eval"): [ours.answer(1, **ours.info_label("No"), skipped=True)],
        ("Underspecified", "m_auto_eval_qaq"): [ours.answer(1, **ours.info_label("Yes"), **ours.asked("1"))],
        ("No-tools", "m_auto_eval"): [ours.answer(1, win_rate=1)],
    }
    files: dict[str, Any] = {**ours.with_combined(ours.standard()), **ours.outputs(runs)}
    files["tools/Harbour/tides/api.py"] = "def next_high_water(port, days=3): ...\n"
    texts = {
        "cut off": "[\n{\n",
        "comma": "[{}\n{}]",
        "more": "[{}]\n[]",
        "number": "5",
        "nothing": "",
        "a row of a number": "[{},\n5]",
        "two rows": '[\n{"a": 1},\n{}\n]',
        "object": '\n{"query": "x"}',
        "NaN": '[{"query": "x", "api_list": [], "query_id": NaN}]',
        "latin": '[\n{"query": "\udcff"}]',
        "twice": '[{"query": "x", "query": "y", "api_list": [], "query_id": 7}]',
        "half a pair": '[{"query": "a \\ud83d b", "api_list": [], "query_id": 7}]',
        "deep": "[" * 5000,
        "long": f"[{'9' * 5000}]",
    }
    bad = {f"{file}: {name}": {**files, file: text} for file in files for name, text in texts.items()}
    bad |= {f"{file} is gone": {key: value for key, value in files.items() if key != file} for file in files}
    names = (
        *("query_1_3..json", "query_1 _3.json", "Query_1_3.JSON", "notes.json", "query_1234567.json"),
        *("query.json", ".DS_Store", "query_1 _1.json"),
    )
    own = files["benchmark/Underspecified/Harbour/query_1_1.json"]
    bad |= {name: {**files, f"benchmark/Underspecified/Harbour/{name}": own} for name in names}
    bad["spelling"] = {key.replace("Non-replaceable", "Non-Replaceable"): one for key, one in files.items()}
    read = partial(fail_talms_read, small=True)
    return {
        "sample": {**fail_talms_read(sample), "run": fail_talms_items(sample)},
        "release": {name: outcome(whole, ours.write, read) for name, whole in bad.items()},
        "damaged": dict(damaged({"": files}, ours.write, read, few=13)),
    }


def ict() -> dict[str, Any]:
    """ICT: our small release in its layout, and odd values everywhere in two pairs of each file."""
    ours = small_release("ict")
    files: dict[str, Any] = {
        stem: [row for row in rows if row["original_sample_id"] in {rows[0]["original_sample_id"], 3, 6, 451}]
        for stem, rows in ours.standard().items()
    }
    folder = Path(RELEASE)

    def write(folder: Path, whole: Mapping[str, Any]) -> None:
        ours.write(
            folder,
            {stem: rows if isinstance(rows, list) else json.dumps(rows) for stem, rows in whole.items()},
        )

    single_file = folder / "raw" / "toolbench_utterance_removal.jsonl"
    found: dict[str, Any] = {
        "release": ict_read(folder),
        "file": ict_read(single_file),
        "items": {
            probe: items_of(ict_planned(data=RELEASE, probe=probe), folder)
            for probe in ("explicit", "both", "feedback")
        },
        "damaged": dict(damaged({"": files}, write, ict_read, few=5)),
    }
    odd = {
        "cut off": "{", "a list": "[1]", "twice": '{"a": 1, "a": 2}', "NaN": '{"a": NaN}', "blank": "\n",
    }  # fmt: skip
    for name, text in odd.items():
        lines = "".join(json.dumps(row) + "\n" for row in files["apibank_api_replacement"]) + text
        found[name] = outcome({"apibank_api_replacement": lines}, ours.write, ict_read)
    for stem in files:
        file = folder / f"{stem}.parquet"
        found[file.name] = ict_read(file)
    return found


SUITES: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "kapro": kapro, "fail_talms": fail_talms, "ict": ict
}  # fmt: skip


def frozen(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The hashes of what was read: by item where there are items, of damaged files by their place."""
    text = json.dumps(whole, default=str)
    return {name: _hashed(value, 2) for name, value in json.loads(text).items()}


def _hashed(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) < 200 else digest(value)
    if isinstance(value, dict) and depth:
        known = cast("dict[str, Any]", value)
        if len(known) > 300:
            grouped: dict[str, dict[str, Any]] = {}
            for name, inner in known.items():
                place, _, odd = name.rpartition(" ")
                grouped.setdefault(place, {})[odd] = inner
            return {name: digest(inner) for name, inner in grouped.items()}
        return {name: _hashed(inner, depth - 1) for name, inner in known.items()}
    return digest(cast("object", value))


def main(arguments: Sequence[str]) -> None:
    """Write the hashes of some suites, or of all; or, with `--whole FILE`, what they are made of."""
    whole_file = arguments[1] if arguments[:1] == ["--whole"] else ""
    for suite in arguments[2 if whole_file else 0 :] or SUITES:
        whole = SUITES[suite]()
        if whole_file:
            text = json.dumps(whole, indent=0, ensure_ascii=True, sort_keys=True, default=str)
            Path(whole_file).write_text(text, encoding="utf-8")
        else:
            text = json.dumps(frozen(whole), indent=0, sort_keys=True)
            kept_at(f"published_{suite}").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
