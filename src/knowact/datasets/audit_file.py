"""One annotator's answers on disk: a head that identifies the questions, then one event per line.

Each event is written before the next question is asked. A line that was cut off (killed program, full disk)
is reported and removed, and its question is asked again.
"""

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.model import Noun
from knowact.core.table import DatasetInfo
from knowact.datasets.lines import Line, decode, parse, read_lines
from knowact.roles.audit import AuditAnswer, Event, PlanShown

SUFFIX = ".jsonl"
LONGEST_NAME = 40
"""Characters of an annotator's name in the file name."""


AnswerKind: TypeAlias = Literal["knowact.audit/1", "knowact.verdicts/1", "knowact.baseline/1"]


class Head(Noun):
    """The first line: identifies the questions.

    Attributes:
        format: An audit's answers check data, or verdicts of a judge; a baseline's answer what agents are
            asked.
        suite: The suite of the questions.
        data: "name@version" of the data set.
        sha256: Of its items.
        annotator: The name as given.
        n: The size of the sample.
        seed: Of the sample and the orders.
        questions: The ids of the questions, in the order asked.
    """

    format: AnswerKind = "knowact.audit/1"
    suite: str
    data: str
    sha256: str
    annotator: str
    n: int
    seed: int
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """A file that was read: `lines` has the line of each event, `torn` the text after the last whole line."""

    file: Path
    head: Head
    events: tuple[Event, ...]
    lines: tuple[Line, ...]
    torn: str = ""


def label(info: DatasetInfo) -> str:
    """A data set's name in a head."""
    return f"{info.name}@{info.version}"


def file_of(folder: Path, annotator: str) -> Path:
    """Return the file of an annotator's answers.

    Two names never share a file: if letters were left out or changed, a hash of the name is added.

    Raises:
        BadUsage: The name is blank.
    """
    name = normal(annotator)
    if not name:
        raise BadUsage("The annotator's name is blank. Give one with --annotator NAME.")
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:LONGEST_NAME]
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return folder / ("-".join(filter(None, ("by", plain, "" if plain == name else digest))) + SUFFIX)


def normal(annotator: str) -> str:
    """Normalise a name: composed letters, single spaces, no invisible characters."""
    seen = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in annotator)
    return " ".join(unicodedata.normalize("NFC", seen).split())


def read_all(folder: Path) -> list[Answers]:
    """Read every annotator's file in a folder, in order of name; writes nothing."""
    return [read(file) for file in sorted(folder.glob(f"by-*{SUFFIX}"))] if folder.is_dir() else []


def read(file: Path) -> Answers:
    """Read one file; a last line that was cut off is left out.

    Raises:
        BadData: It is not a file of answers, or a line before the last one is damaged.
    """
    whole, torn = _split(file)
    try:
        text = whole.decode("utf-8")
    except UnicodeDecodeError as error:
        line = whole[: error.start].count(b"\n") + 1
        raise BadData("this is not UTF-8 text", Place(file, line), "restore the file") from error
    found = list(read_lines(file, text))
    if not found:
        raise BadData("the file holds no answers", Place(file), "remove it and start again")
    head = parse(Head, found[0])
    events = tuple(_event(line) for line in found[1:])
    return Answers(file, head, events, tuple(found[1:]), torn.decode("utf-8", "replace"))


def _event(line: Line) -> Event:
    return parse(PlanShown if line.value.get("kind") == "plan_shown" else AuditAnswer, line)


def _split(file: Path) -> tuple[bytes, bytes]:
    """Split a file after its last readable line."""
    try:
        data = file.read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise BadData(f"the file cannot be read ({why})", Place(file), "check the path") from error
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    end = len(data) if _readable(last) else len(body) + 1 if body else 0
    return data[:end], data[end:]


def _readable(line: bytes) -> bool:
    try:
        return isinstance(decode(line.decode()), dict)
    except ValueError:
        return False


class AnswerFile:
    """The file of one annotator, open for more.

    Attributes:
        answers: Its content when it was opened.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._size = answers.file.stat().st_size

    @classmethod
    def open(cls, folder: Path, head: Head) -> "AnswerFile":
        """Open or create the annotator's file; removes a line that was cut off.

        Raises:
            BadData: The file is damaged, or its answers are to other questions than `head`'s.
            BadUsage: It cannot be written.
        """
        file = file_of(folder, head.annotator)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _require_same_audit(folder, head)
            if _never_begun(file, head):
                _write(file, "w", _rendered(head))
            answers = read(file)
            if answers.head.annotator != head.annotator:
                what = f"it holds the answers of {answers.head.annotator!r}"
                raise BadData(what, Place(file), "choose another name")
            _mend(answers)
            return cls(answers)
        except OSError as error:
            raise BadUsage(
                f"Cannot write answers to {file}: {error.strerror}. Choose another --out."
            ) from error

    def append(self, event: Event) -> None:
        """Write one event to disk.

        Raises:
            BadUsage: It cannot be written, or another process wrote to the file.
        """
        file = self.answers.file
        try:
            if file.stat().st_size != self._size:
                raise BadUsage(f"Another process changed {file}. Close the other session and start again.")
            _write(file, "a", _rendered(event))
            self._size = file.stat().st_size
        except OSError as error:
            raise BadUsage(
                f"Cannot write the answer to {file}: {error.strerror}. Start again when you can write there."
            ) from error


def _never_begun(file: Path, head: Head) -> bool:
    """Whether there is nothing yet, or only the start of this very head (or the zeros of a power cut).

    Anything else that cannot be read may be somebody's work and is kept.
    """
    if not file.exists():
        return True
    whole, torn = _split(file)
    return not whole and _rendered(head).encode().startswith(torn.rstrip(b"\0"))


def _rendered(noun: Noun) -> str:
    return json.dumps(noun.model_dump(mode="json"), ensure_ascii=False) + "\n"


def _write(file: Path, mode: Literal["w", "a"], text: str) -> None:
    with file.open(mode, encoding="utf-8", newline="\n") as open_file:
        open_file.write(text)
        open_file.flush()
        os.fsync(open_file.fileno())


def _mend(answers: Answers) -> None:
    """Remove a line that was cut off, and add a missing line end."""
    if answers.torn:
        whole = len(_split(answers.file)[0])
        with answers.file.open("rb+") as open_file:
            open_file.truncate(whole)
            os.fsync(open_file.fileno())
    elif not answers.file.read_bytes().endswith(b"\n"):
        _write(answers.file, "a", "\n")


def _require_same_audit(folder: Path, head: Head) -> None:
    """Refuse a folder with answers to other questions or other tasks."""
    for file in sorted(folder.glob(f"by-*{SUFFIX}")):
        first = _split(file)[0].lstrip().split(b"\n")[0].decode("utf-8", "replace")
        if not first:
            continue  # killed before its first line was whole
        if complaint := differing(parse(Head, next(read_lines(file, first))), head):
            fix = "give the same --data, --n and --seed, or choose another --out"
            raise BadData(complaint, Place(file), fix)


def differing(one: Head, other: Head) -> str:
    """Say in a clause how two heads differ; "" if they don't."""
    if one.format != other.format:
        return f"these answers are of the kind {one.format!r}, not {other.format!r}"
    if one.suite != other.suite:
        return f"these answers belong to the suite {one.suite!r}, not to {other.suite!r}"
    if one.data != other.data:
        return f"these answers are about {one.data}, not about {other.data}"
    if one.sha256 != other.sha256:
        return f"the data {one.data} have changed since these answers were given"
    if (one.n, one.seed) != (other.n, other.seed):
        return (
            f"these answers are for --n {one.n} --seed {one.seed}, not for --n {other.n} --seed {other.seed}"
        )
    if one.questions != other.questions:
        return "the questions have changed since these answers were given"
    return ""


def check_same(found: Sequence[Answers], info: DatasetInfo) -> None:
    """Refuse a folder of answers to different questions, to other data, or of one annotator twice.

    Raises:
        BadData: Names the first file that differs or is a copy.
    """
    files: dict[str, Path] = {}
    for one in found:
        first = files.setdefault(one.head.annotator, one.file)
        if first != one.file:
            what = f"these are answers of {one.head.annotator!r}, and so are those in {first}"
            raise BadData(what, Place(one.file), "keep only one of the files here")
        now = one.head.model_copy(update={"data": label(info), "sha256": info.sha256})
        for other, fix in (
            (now, "restore the data, or name them with --data"),
            (found[0].head, "keep each audit in its own --out"),
        ):
            if complaint := differing(one.head, other):
                raise BadData(complaint, Place(one.file), fix)
