"""One annotator's answers on disk: a head that says what they are answers to, then one event per line.

Each event is on the disk before the next question is asked. A line that was cut off while it was written
(a killed program, a full disk) is told and taken away, and its question is asked again.
"""

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.model import Noun
from knowact.core.table import DatasetInfo
from knowact.datasets.lines import Line, decode, parse, read_lines
from knowact.people.audit import Answer, Event, PlanShown

SUFFIX = ".jsonl"
LONGEST_NAME = 40
"""Characters of an annotator's name that go into the name of the file."""


class Head(Noun):
    """The first line: what the answers below it are answers to.

    Attributes:
        format: So that files of another kind are not taken for these: the answers of an audit vouch for data,
            those of a baseline are people's own to what agents are asked.
        suite: Whose questions they are.
        data: "name@version" of the data set.
        sha256: Of its items; answers to other items are worth nothing.
        annotator: The name as it was given.
        n: The size of the sample that was asked for.
        seed: Of the sample and the orders.
        questions: The ids of the questions, in the order asked.
    """

    format: Literal["knowact.audit/1", "knowact.baseline/1"] = "knowact.audit/1"
    suite: str
    data: str
    sha256: str
    annotator: str
    n: int
    seed: int
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """A file that was read. `torn` holds what stands behind the last whole line, empty if nothing does.

    `lines` has the line of each event, for complaints about it.
    """

    file: Path
    head: Head
    events: tuple[Event, ...]
    lines: tuple[Line, ...]
    torn: str = ""


def label(info: DatasetInfo) -> str:
    """How a head names a data set."""
    return f"{info.name}@{info.version}"


def file_of(folder: Path, annotator: str) -> Path:
    """Return where an annotator's answers are, whatever their name is made of.

    Two names never share a file: where letters had to be left out or changed, a hash of the name tells.

    Raises:
        BadUsage: The name is blank.
    """
    name = normal(annotator)
    if not name:
        raise BadUsage("An annotator needs a name: --annotator NAME.")
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:LONGEST_NAME]
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return folder / ("-".join(filter(None, ("by", plain, "" if plain == name else digest))) + SUFFIX)


def normal(annotator: str) -> str:
    """Return a name as it is compared: composed letters, single spaces, nothing that cannot be seen."""
    seen = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in annotator)
    return " ".join(unicodedata.normalize("NFC", seen).split())


def read_all(folder: Path) -> list[Answers]:
    """Read every annotator's file in a folder, in the order of their names; nothing is written."""
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
        raise BadData("the file holds no answers", Place(file), "remove it, and begin anew")
    head = parse(Head, found[0])
    events = tuple(_event(line) for line in found[1:])
    return Answers(file, head, events, tuple(found[1:]), torn.decode("utf-8", "replace"))


def _event(line: Line) -> Event:
    return parse(PlanShown if line.value.get("kind") == "plan_shown" else Answer, line)


def _split(file: Path) -> tuple[bytes, bytes]:
    """Split a file behind its last line that can be read."""
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
        answers: What it held when it was opened.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._size = answers.file.stat().st_size

    @classmethod
    def open(cls, folder: Path, head: Head) -> "AnswerFile":
        """Open the annotator's file, or begin it; what was cut off is taken away.

        Raises:
            BadData: The file is damaged, or holds answers to something else than `head` says.
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
                f"Answers cannot be written to {file}: {error.strerror}. Choose another --out."
            ) from error

    def append(self, event: Event) -> None:
        """Write one event; when this returns it is on the disk.

        Raises:
            BadUsage: It cannot be written, or somebody else has written to the file.
        """
        file = self.answers.file
        try:
            if file.stat().st_size != self._size:
                raise BadUsage(
                    f"{file} was changed meanwhile; is the same audit open elsewhere? Start again."
                )
            _write(file, "a", _rendered(event))
            self._size = file.stat().st_size
        except OSError as error:
            raise BadUsage(f"The answer could not be written to {file}: {error.strerror}.") from error


def _never_begun(file: Path, head: Head) -> bool:
    """Whether there is nothing yet, or only the beginning of this very head (or the zeros of a power cut).

    Anything else that cannot be read may be somebody's work, and is left alone.
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
    """Cut off what is torn, and end the last line where only its end is missing."""
    if answers.torn:
        whole = len(_split(answers.file)[0])
        with answers.file.open("rb+") as open_file:
            open_file.truncate(whole)
            os.fsync(open_file.fileno())
    elif not answers.file.read_bytes().endswith(b"\n"):
        _write(answers.file, "a", "\n")


def _require_same_audit(folder: Path, head: Head) -> None:
    """Everybody's answers in a folder are to the same questions about the same tasks."""
    for file in sorted(folder.glob(f"by-*{SUFFIX}")):
        first = _split(file)[0].lstrip().split(b"\n")[0].decode("utf-8", "replace")
        if not first:
            continue  # killed before its first line was whole
        if complaint := differing(parse(Head, next(read_lines(file, first))), head):
            fix = "give the same --data, --n and --seed, or choose another --out to begin anew"
            raise BadData(complaint, Place(file), fix)


def differing(one: Head, other: Head) -> str:
    """Say in a clause how what `one` answers differs from what `other` answers; "" if it does not."""
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
    """Refuse answers to different things in one folder, to other data than those at hand, or one's twice.

    Raises:
        BadData: Naming the first file that differs, or that is a copy.
    """
    files: dict[str, Path] = {}
    for one in found:
        first = files.setdefault(one.head.annotator, one.file)
        if first != one.file:
            what = f"these are answers of {one.head.annotator!r}, whose answers are in {first} already"
            raise BadData(what, Place(one.file), "keep one of them here; a copy counts as nobody's")
        now = one.head.model_copy(update={"data": label(info), "sha256": info.sha256})
        for other, fix in (
            (now, "restore the data, or name them with --data"),
            (found[0].head, "keep each audit in an --out of its own"),
        ):
            if complaint := differing(one.head, other):
                raise BadData(complaint, Place(one.file), fix)
