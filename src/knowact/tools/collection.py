"""A tool collection on its way to a pool: unified, without duplicates, labelled twice (KAPRO, section 3.1).

Everything lies in one folder, as plain text, and each step goes on where it was stopped:

- `tools.jsonl`: the operations that stay, in one schema (`layouts.Collected`);
- `repeated.jsonl`, `unusable.jsonl`: what went, and why;
- `collected.json`: what was read, and the counts; written last, so that what was cut off is done again;
- `screened.jsonl`, `reviewed.jsonl`: an opinion per line;
- `pool.jsonl`: the tools whose two labels agree, with their rubric; `affinity.jsonl`: the nearest of each;
- `to_check.jsonl`: a sample for people, without any label; `checked.jsonl`: what they say of it;
- `report.json` and `report.md`: the counts.

Schemas are never held together. What is compared of each operation is: at most `layouts.COMPARED` characters.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, JsonValue

from knowact.core.clean import dumps
from knowact.core.errors import BadUsage
from knowact.core.model import Noun
from knowact.core.schema import Schema, object_schema
from knowact.core.seeds import derive
from knowact.core.tool import Dimension, Rubric, Tool
from knowact.datasets.lines import parse, read_object
from knowact.retrieval.overlap import normalised
from knowact.tools.folder import write
from knowact.tools.kept import append, mend, rows
from knowact.tools.layouts import Collected, Unusable, files_of, operations

TOOLS: Final = "tools.jsonl"
REPEATED: Final = "repeated.jsonl"
UNUSABLE: Final = "unusable.jsonl"
COLLECTED: Final = "collected.json"
SCREENED: Final = "screened.jsonl"
REVIEWED: Final = "reviewed.jsonl"
POOL: Final = "pool.jsonl"
AFFINITY: Final = "affinity.jsonl"
TO_CHECK: Final = "to_check.jsonl"
CHECKED: Final = "checked.jsonl"
SAMPLE: Final = 400
"""Tools that people are asked about, as many as in the paper."""
EVERY: Final = 1_000
"""Operations between two signs of progress."""

Says = Literal["yes", "no", "unsure"]
Label = Literal["outside", "inside", "unknown"]


class Collection(Noun):
    """What a collection was made of.

    Attributes:
        files: Each file's name with its size in bytes.
        threshold: From which likeness on operations count as near duplicates.
        read: Operations that were found.
        exact: How many of them repeat an earlier one, but for case and white space.
        near: How many are near one that stays.
        unusable: Rows that hold no operation.
        kept: What is left.
    """

    files: tuple[tuple[str, int], ...]
    threshold: float
    read: int
    exact: int
    near: int
    unusable: int
    kept: int


class Opinion(Noun):
    """What one stage says of one operation.

    Attributes:
        id: The operation's.
        model: Who says it.
        prompt: The hash of the prompt.
        says: By dimension, whether it fires.
        why: In a sentence.
        scenario: When somebody would want the tool; the review's only.
    """

    id: str
    model: str
    prompt: str
    says: dict[Dimension, Says] = Field(min_length=len(Dimension))
    why: str = ""
    scenario: str = ""

    @property
    def label(self) -> Label:
        """One dimension that fires puts an operation outside; inside takes six times no."""
        votes = set(self.says.values())
        return "outside" if "yes" in votes else "inside" if votes == {"no"} else "unknown"

    @property
    def fires(self) -> frozenset[Dimension]:
        """The dimensions that fire."""
        return frozenset(dimension for dimension, vote in self.says.items() if vote == "yes")


class Checked(Noun):
    """What a person says of one operation.

    Attributes:
        id: The operation's.
        who: The person.
        label: By the same six dimensions.
    """

    id: str
    who: str
    label: Label


class Pooled(Noun):
    """An operation of the pool: a tool with the rubric that both stages agree on."""

    id: str
    tool: Tool
    scenario: str = ""
    source: str


def opinion_schema(*, scenario: bool) -> Schema:
    """The JSON Schema of an opinion, for models that can be held to one."""
    vote: Schema = {"type": "string", "enum": ["yes", "no", "unsure"]}
    text: Schema = {"type": "string"}
    words = dict.fromkeys(("why", "scenario") if scenario else ("why",), text)
    return object_schema({dimension.value: vote for dimension in Dimension} | words)


def shown(operation: Collected) -> str:
    """What is shown of an operation: the four fields of the paper's schema, and what its server is."""
    fields = operation.model_dump(include={"name", "description", "parameters", "returns"})
    if operation.server:
        fields["belongs to"] = f"{operation.server}: {operation.about}".rstrip(": ")
    return dumps(fields)


def collect(paths: Sequence[Path], folder: Path, threshold: float, tell: Callable[[int], None]) -> Collection:
    """Read a collection, bring it to one schema, and drop what repeats itself; once per folder.

    Args:
        paths: Files and folders.
        folder: Where everything goes.
        threshold: From which likeness on operations count as near duplicates, 0.11 to 1.
        tell: Told how many operations were read, now and then.

    Raises:
        BadData: A path holds no tools.
        BadUsage: The folder holds a collection of other files.
    """
    files = files_of(list(paths))
    known = tuple((file.name, file.stat().st_size) for file in files)
    if (folder / COLLECTED).exists():
        before = parse(Collection, read_object(folder / COLLECTED))
        if (before.files, before.threshold) != (known, threshold):
            raise BadUsage(f"{folder} holds a collection of other files. Name another folder with --out.")
        return before
    folder.mkdir(parents=True, exist_ok=True)
    unified = folder / "unified.jsonl.part"
    texts: list[str] = []
    counts = _unify(files, folder, unified, texts, tell)
    kept = _without_near(folder, unified, texts, threshold)
    made = Collection(files=known, threshold=threshold, near=len(texts) - kept, kept=kept, **counts)
    write(folder / COLLECTED, f"{made.model_dump_json(indent=1)}\n")
    unified.unlink()
    return made


def _unify(
    files: Iterable[Path], folder: Path, unified: Path, texts: list[str], tell: Callable[[int], None]
) -> dict[str, int]:
    """Write each operation the first time that it comes; `texts` gets what is compared of it."""
    # Toucan lists each tool in thousands of rows: sixteen bytes of each are held, not the tool.
    seen: set[bytes] = set()
    read = unusable = 0
    with (
        unified.open("w", encoding="utf-8", newline="\n") as out,
        (folder / UNUSABLE).open("w", encoding="utf-8", newline="\n") as bad,
    ):
        for file in files:
            for operation in operations(file):
                if isinstance(operation, Unusable):
                    unusable += 1
                    bad.write(f"{dumps({'source': operation.source, 'why': operation.why})}\n")
                    continue
                read += 1
                if read % EVERY == 0:
                    tell(read)
                digest = hashlib.blake2b(normalised(operation.compared).encode(), digest_size=16).digest()
                if digest not in seen:
                    seen.add(digest)
                    texts.append(operation.compared)
                    out.write(f"{operation.model_dump_json(exclude_defaults=True)}\n")
    return {"read": read, "exact": read - len(texts), "unusable": unusable}


def _without_near(folder: Path, unified: Path, texts: Sequence[str], threshold: float) -> int:
    """Copy the operations that are near none before them; return how many."""
    from knowact.retrieval.duplicates import without_duplicates

    distinct = without_duplicates(texts, threshold)
    stays = set(distinct.indices)
    ids: list[str] = []
    with (
        unified.open(encoding="utf-8") as lines,
        (folder / TOOLS).open("w", encoding="utf-8", newline="\n") as out,
        (folder / REPEATED).open("w", encoding="utf-8", newline="\n") as gone,
    ):
        for place, line in enumerate(lines):
            operation = Collected.model_validate_json(line)
            ids.append(operation.id)
            if place in stays:
                out.write(line)
            else:
                repeated = ids[distinct.dropped[place]]
                gone.write(f"{dumps({'source': operation.source, 'repeats': repeated})}\n")
    return len(stays)


def collected(folder: Path) -> Iterator[Collected]:
    """Yield the operations that stay."""
    return rows(folder / TOOLS, Collected)


class Opinions:
    """The opinions of one stage: what is there, and a file that more are appended to.

    Raises:
        BadUsage: They are of another model, or of another version of the prompt.
    """

    def __init__(self, file: Path, model: str, prompt: str) -> None:
        self.file = file
        mend(file)
        self.labels: dict[str, Label] = {}
        for opinion in rows(file, Opinion):
            if (opinion.model, opinion.prompt) != (model, prompt):
                raise BadUsage(
                    f"{file} holds opinions of {opinion.model}, or on another prompt. "
                    "Move the file away, or name another folder with --out."
                )
            self.labels[opinion.id] = opinion.label

    def keep(self, opinion: Opinion) -> None:
        """Append an opinion."""
        append(self.file, opinion)
        self.labels[opinion.id] = opinion.label


def pool(folder: Path) -> int:
    """Write the operations whose two labels agree, each with its rubric; return how many."""
    screened = rows(folder / SCREENED, Opinion)
    first = {opinion.id: opinion.fires for opinion in screened if opinion.label != "unknown"}
    second = {opinion.id: opinion for opinion in rows(folder / REVIEWED, Opinion)}
    made = 0
    part = folder / f"{POOL}.part"
    with part.open("w", encoding="utf-8", newline="\n") as out:
        for operation in collected(folder):
            audit = second.get(operation.id)
            if audit is None or operation.id not in first or audit.label == "unknown":
                continue
            if bool(first[operation.id]) != (audit.label == "outside"):
                continue
            made += 1
            out.write(
                f"{_pooled(operation, first[operation.id], audit).model_dump_json(exclude_defaults=True)}\n"
            )
    part.replace(folder / POOL)
    return made


def _pooled(operation: Collected, first: frozenset[Dimension], audit: Opinion) -> Pooled:
    # Stages may name different reasons for one label; what both name counts, else what the audit names.
    fires = first & audit.fires or audit.fires
    rubric = Rubric(
        fires=tuple(dimension for dimension in Dimension if dimension in fires),
        when="always" if fires else "never",
        why=audit.why,
    )
    given = operation.model_dump(
        include={"name", "description", "parameters", "returns", "category", "server"}
    )
    tool = Tool(**given, rubric=rubric)
    return Pooled(id=operation.id, tool=tool, scenario=audit.scenario, source=operation.source)


def write_sample(folder: Path, size: int = SAMPLE) -> int:
    """Write a sample of what was reviewed, without labels, for people; return how many tools it has.

    It is drawn from each label of the review in equal parts, as far as there are enough, so that rare labels
    are in it. Which tools are drawn depends on their ids alone.
    """
    groups: dict[Label, list[str]] = {}
    for opinion in rows(folder / REVIEWED, Opinion):
        groups.setdefault(opinion.label, []).append(opinion.id)
    ranked = [sorted(names, key=lambda name: (derive(0, "check", name), name)) for names in groups.values()]
    turns = (name for turn in zip_longest(*ranked) for name in turn if name is not None)
    drawn = set(islice(turns, size))
    fields = {"id", "name", "description", "parameters", "returns"}
    lines = {
        operation.id: operation.model_dump_json(include=fields, exclude_defaults=True)
        for operation in collected(folder)
        if operation.id in drawn
    }
    # In an order that says nothing of the label, and that a larger sample keeps.
    order = sorted(lines, key=lambda name: derive(0, "check order", name))
    write(folder / TO_CHECK, "".join(f"{lines[name]}\n" for name in order))
    return len(lines)


def checked(folder: Path) -> dict[str, Label | None]:
    """What people say of operations, by majority; None where they are split.

    Somebody who says two things of one operation means the later one.

    Raises:
        BadData: A line is of another shape.
    """
    votes: dict[str, dict[str, Label]] = {}
    for check in rows(folder / CHECKED, Checked):
        votes.setdefault(check.id, {})[check.who] = check.label
    settled: dict[str, Label | None] = {}
    for name, by_person in votes.items():
        ((label, times),) = Counter(by_person.values()).most_common(1)
        settled[name] = label if 2 * times > len(by_person) else None
    return settled


def write_nearest(folder: Path, most: int, encoder: str | None) -> int:
    """Write the nearest tools of each tool of the pool, best first; return for how many.

    Nearness is that of their scenarios (the paper's affinity), or of descriptions where there is none.

    Args:
        folder: Holds the pool.
        most: How many of each.
        encoder: A sentence encoder; None for weighted words, which need nothing.

    Raises:
        BadUsage: The encoder cannot be used.
    """
    from knowact.retrieval.affinity import top, vectors
    from knowact.retrieval.embeddings import Embedder

    ids: list[str] = []
    texts: list[str] = []
    for pooled in rows(folder / POOL, Pooled):
        ids.append(pooled.id)
        texts.append(pooled.scenario or pooled.tool.description or pooled.tool.name)
    if len(ids) <= 1:
        return 0
    nearest = top(Embedder(encoder).vectors(texts) if encoder else vectors(texts), min(most, len(ids) - 1))
    part = folder / f"{AFFINITY}.part"
    with part.open("w", encoding="utf-8", newline="\n") as out:
        for name, places, scores in zip(ids, nearest.indices, nearest.scores, strict=True):
            near = [
                [ids[int(place)], round(float(score), 4)] for place, score in zip(places, scores, strict=True)
            ]
            # Hashes and numbers: cleaning them (`dumps`) would take longer than all else in this loop.
            out.write(f"{json.dumps({'id': name, 'near': near})}\n")
    part.replace(folder / AFFINITY)
    return len(ids)


def write_report(folder: Path, report: Mapping[str, JsonValue], text: str) -> None:
    """Write the counts, as JSON and as a page of text."""
    write(folder / "report.json", f"{dumps(report, indent=1)}\n")
    write(folder / "report.md", text)
