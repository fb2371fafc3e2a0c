"""The files of `ict/everyday`; see `forge.files`."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knowact.core.proof import Possibility
from knowact.datasets.own import MANIFEST, Manifest
from knowact.suites.ict.cases import Level, Manipulation, Pair, Source
from version_1.files import SEED, Watch, datasheet_of, laid_out, unwatched, write
from version_1.ict.lexical import best_threshold, lexical
from version_1.ict.recipe import SIZES, pairs
from version_1.ict.requests import GENERATOR
from version_1.ict.similar import BM25, RANKS

__all__ = ["SEED", "files", "write"]


def files(
    seed: int = SEED, share: float = 1.0, watch: Watch = unwatched, retriever: str = BM25
) -> Mapping[str, str]:
    """Make a data set and return its files, name to text, without writing anything.

    Args:
        seed: Fixes everything.
        share: Of the paper's sizes.
        watch: Told how far it is.
        retriever: What ranks tools by likeness: `bm25`, or `embeddings:MODEL`.

    Raises:
        ValueError: The phrasings do not suffice for so many pairs.
        BadUsage: There is no such retriever.
    """
    made = pairs(seed, share, watch, retriever)
    found = laid_out(_rendered(made), seed, GENERATOR, _datasheet(made, seed, retriever))
    return found if retriever == BM25 else {**found, MANIFEST: _of_its_own(found[MANIFEST], retriever)}


def _of_its_own(manifest: str, retriever: str) -> str:
    """Say that another retriever ranked the tools: its levels do not compare with the shipped ones."""
    usual = Manifest.model_validate_json(manifest)
    slug = re.sub(r"[^a-z0-9]+", "-", retriever.lower()).strip("-")
    changed = {"version": f"{usual.version}.{slug}", "generator": f"{usual.generator}, {retriever}"}
    return f"{usual.model_copy(update=changed).model_dump_json(indent=2)}\n"


def _rendered(made: Iterable[Pair]) -> str:
    """The items file: a pair per line, without what is so by default."""
    return "".join(f"{json.dumps(_row(pair), ensure_ascii=False)}\n" for pair in made)


def _row(pair: Pair) -> dict[str, Any]:
    # Changes and openings say their kind, by which they are read, though that is each noun's default.
    row = pair.model_dump(mode="json", exclude_defaults=True)
    row["condition"] = pair.condition.model_dump(mode="json")
    row["task"]["opening"]["kind"] = pair.task.opening.kind
    if pair.incomplete is not None:
        row["incomplete"]["kind"] = pair.incomplete.kind
    return row


def _datasheet(made: Sequence[Pair], seed: int, retriever: str) -> str:
    replaced = [pair for pair in made if pair.gone and pair.possibility is Possibility.IMPOSSIBLE]
    removed = [pair for pair in made if pair.lost and pair.possibility is Possibility.IMPOSSIBLE]
    figures = {
        "size": f"{len(made):,}",
        "versions": f"{2 * len(made):,}",
        "paper": f"{len(replaced) + len(removed):,}",
        "partly": len(made) - len(replaced) - len(removed),
        "seed": seed,
        "retriever": retriever,
        "near": "{} to {}".format(*RANKS[Level.NEAR]),
        "medium": "{} to {}".format(*RANKS[Level.MEDIUM]),
        "far": RANKS[Level.FAR][0],
        "rows": "\n".join(_cell_row(made, *cell) for cell in SIZES),
        "lexical": "\n".join(_lexical_row(replaced, source, level) for source in Source for level in Level),
        "threshold": ", ".join(
            f"{best_threshold([p for p in replaced if p.source is source]):.2f} ({_plain(source)})"
            for source in Source
        ),
        "requests": sum(pair.lost is not None and pair.lost.what == "request" for pair in removed),
        "values": sum(pair.lost is not None and pair.lost.what == "value" for pair in removed),
        "bare": sum(_says_it_in_its_place(pair) for pair in removed),
        "more": sum(_says_more(pair) for pair in removed),
        "tools": len({tool for pair in made for tool in pair.task.required}),
    }
    return datasheet_of("version_1.ict", figures)


def _cell_row(
    made: Sequence[Pair], source: Source, manipulation: Manipulation, possibility: Possibility
) -> str:
    cell = [
        p for p in made if (p.source, p.manipulation, p.possibility) == (source, manipulation, possibility)
    ]
    turns = Counter(len(pair.task.opening.utterances) for pair in cell)
    offered = sum(len(pair.task.offered) for pair in cell) / len(cell)
    needs = sum(len(pair.task.required) for pair in cell) / len(cell)
    mean = sum(count * number for count, number in turns.items()) / len(cell)
    kind = f"{_plain(source)} | {_plain(manipulation)} | {_plain(possibility)}"
    return f"| {kind} | {len(cell)} | {mean:.2f} | {offered:.2f} | {needs:.2f} |"


def _lexical_row(replaced: Sequence[Pair], source: Source, level: Level) -> str:
    own = [pair for pair in replaced if pair.source is source]
    at = [pair for pair in own if pair.level is level]
    if not at:
        return f"| {_plain(source)} | {level.value} | 0 | – | – |"  # noqa: RUF001 - a dash for no number
    found = lexical(at, best_threshold(own))
    return f"| {_plain(source)} | {level.value} | {len(at)} | {found.accuracy:.2f} | {found.both:.2f} |"


def _says_it_in_its_place(pair: Pair) -> bool:
    """Whether the complete version says a lost value in the request itself, without a phrase."""
    return pair.lost is not None and pair.task.opening.text.count(pair.lost.phrase) == 0


def _says_more(pair: Pair) -> bool:
    """Whether the incomplete opening is the longer one."""
    return pair.incomplete is not None and len(pair.incomplete.text) > len(pair.task.opening.text)


def _plain(name: str) -> str:
    return name.replace("_", " ").replace("api", "API")
