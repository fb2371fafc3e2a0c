"""How often a model errs in a role, measured on labelled sets. Pure; the calls are `engine.calibrating`'s.

A labelled item says what a model is shown, and holds its reply against the label. Each comparison is a
`Mark`; marks of one kind make a `Rate`. What was measured is kept per model, role and prompt in the user's
data folder, so that reports can print it (`known_rates`).
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import platformdirs
from pydantic import BaseModel, ValidationError

from knowact.core.clean import append_line, dumps
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.prompts import Prompt
from knowact.core.table import Estimate
from knowact.measures.intervals import wilson

VARIABLE: Final = "KNOWACT_DATA"
"""The environment variable that names another folder."""


def data_folder() -> Path:
    """The user's data folder: `KNOWACT_DATA`, or the one that the system has for it. It need not exist."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named) if named else platformdirs.user_data_path("knowact", appauthor=False)


FORMAT: Final = "knowact.calibration/1"

What = Literal["missed", "false pass", "rejected", "open"]
"""How a reply can err: it doesn't see what is there, sees what is not, cannot be used, or doesn't decide."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One comparison of a reply with a label: could it err in this way, and did it?"""

    kind: str
    what: What
    wrong: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a model errs in one way.

    Attributes:
        kind: What is decided ("facts", "facts: time", "asked", "acknowledged").
        what: The way.
        estimate: The rate over all items that could go wrong so, with Wilson's interval.
        wrong: The ids of the items that did.
    """

    kind: str
    what: What
    estimate: Estimate
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of what a model is shown."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An item of a labelled set.

    Attributes:
        id: Unique in its role.
        messages: What the model is shown, made by the code that makes it in a run.
        schema: What it answers with, as JSON Schema; None where the prompt alone says it.
        problem: None for a reply that can be used, and for one that no run asks for again. Else what the
            model is told when it is asked once more; empty where it is just asked again.
        marks: A reply held against the label.
    """

    id: str
    messages: tuple[ShownMessage, ...]
    schema: Mapping[str, Any] | None
    problem: Callable[[str], str | None]
    marks: Callable[[str], tuple[Mark, ...]]

    @property
    def asked(self) -> str:
        """A hash of what the model is shown: an answer to something else is no answer to this item."""
        shown = [[(message.role, message.text) for message in self.messages], self.schema]
        return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """One file of labelled items that measures one prompt.

    Attributes:
        role: The role that is asked.
        name: The file's, without its ending.
        version: `version_of` its files.
        prompt: What the items are shown in; rates hold for this text of it.
    """

    role: str
    name: str
    version: str
    prompt: Prompt
    items: tuple[LabelledItem, ...]


T = TypeVar("T", bound=BaseModel)


def _file(package: str, name: str) -> bytes:
    return files(package).joinpath("labelled", f"{name}.jsonl").read_bytes()


def rows(package: str, name: str, shape: type[T]) -> tuple[T, ...]:
    """The rows of `labelled/<name>.jsonl` in a package."""
    return tuple(
        shape.model_validate_json(line) for line in _file(package, name).splitlines() if line.strip()
    )


def version_of(package: str, *names: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 over the files that make a set."""
    return hashlib.sha256(b"".join(_file(package, name) for name in names)).hexdigest()[:16]


def sampled(labelled: LabelledSet, limit: int) -> tuple[LabelledItem, ...]:
    """The items of a set, or a fair sample of them: the first `limit` in the order of their ids' hashes."""
    ordered = sorted(labelled.items, key=lambda item: hashlib.sha256(item.id.encode()).digest())
    return tuple(ordered[: limit or None])


def classified(got: str | None, label: str, classes: Iterable[str]) -> tuple[Mark, ...]:
    """The marks of a choice among classes.

    Args:
        got: The class that was seen; None where nothing was decided, which misses the label.
        label: The right one.
        classes: All that are measured.
    """
    return tuple(
        Mark(each, "missed", got != label) if each == label else Mark(each, "false pass", got == each)
        for each in classes
    )


def seen(kind: str, got: bool, label: bool) -> Mark:  # noqa: FBT001 - both are truth values
    """The mark of something that a reply does or does not do."""
    return Mark(kind, "missed" if label else "false pass", got != label)


def rates_of(marks: Iterable[tuple[str, Mark]]) -> tuple[Rate, ...]:
    """Rates from marks with the ids of their items, in the order of their kinds."""
    grouped: dict[tuple[str, What], list[tuple[str, bool]]] = {}
    for name, mark in marks:
        grouped.setdefault((mark.kind, mark.what), []).append((name, mark.wrong))
    rates: list[Rate] = []
    for (kind, way), many in sorted(grouped.items()):
        wrong = tuple(sorted(name for name, erred in many if erred))
        rates.append(Rate(kind, way, wilson(len(wrong), len(many)), wrong))
    return tuple(rates)


# What is kept


def folder_of(root: Path, model: str) -> Path:
    """The folder of one model's calibrations below the user's data folder."""
    slug = re.sub(r"[^A-Za-z0-9@._-]+", "-", model).strip("-.")[:60] or "x"
    return root / "calibrations" / f"{slug}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def answers_file(root: Path, model: str, role: str, prompt_sha: str) -> Path:
    """Where a model's replies are kept as they come: a file that can play the role itself (`file:PATH`)."""
    return folder_of(root, model) / f"{role}-{prompt_sha}.answers.jsonl"


def kept_answers(file: Path) -> dict[str, str]:
    """The replies of an earlier or interrupted calibration, by the hash of what was asked.

    A last line that a kill has cut is passed over.
    """
    replies: dict[str, str] = {}
    if file.is_file():
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                answer: object = json.loads(line)
            except ValueError:
                continue
            match answer:
                case {"asked": str(asked), "reply": str(reply)}:
                    replies[asked] = reply
                case _:
                    continue
    return replies


def keep_answer(file: Path, item: LabelledItem, reply: str) -> None:
    """Add a reply to the file, whole or not at all where the process is killed."""
    append_line(file, dumps({"id": item.id, "asked": item.asked, "reply": reply}))


class _KeptRate(Noun):
    kind: str
    what: What
    value: float | None
    n: int
    low: float | None
    high: float | None
    wrong: tuple[str, ...] = ()


class _Kept(Noun):
    format: Literal["knowact.calibration/1"]
    model: str
    role: str
    prompt: str
    prompt_sha256: str
    sets: dict[str, str]
    rates: tuple[_KeptRate, ...]


def _rates_file(root: Path, model: str, role: str, prompt_sha: str) -> Path:
    return folder_of(root, model) / f"{role}-{prompt_sha}.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured.

    Attributes:
        model: As the engine names it.
        role: In which it was measured.
        prompt: With which.
        sets: Name to version.
        rates: The outcome.
    """

    model: str
    role: str
    prompt: Prompt
    sets: Mapping[str, str]
    rates: tuple[Rate, ...]


def keep_rates(root: Path, measured: Calibration) -> Path:
    """Write down what was measured, below the user's data folder; returns the file."""
    many = tuple(
        _KeptRate(
            kind=rate.kind,
            what=rate.what,
            value=rate.estimate.value,
            n=rate.estimate.n,
            low=rate.estimate.low,
            high=rate.estimate.high,
            wrong=rate.wrong,
        )
        for rate in measured.rates
    )
    kept = _Kept(
        format=FORMAT,
        model=measured.model,
        role=measured.role,
        prompt=measured.prompt.id,
        prompt_sha256=measured.prompt.sha256,
        sets=dict(measured.sets),
        rates=many,
    )
    file = _rates_file(root, measured.model, measured.role, measured.prompt.sha256)
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(".new")
    whole.write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
    whole.replace(file)
    return file


def known_rates(folder: Path, model: str, role: str, prompt_sha: str) -> Sequence[Rate]:
    """What was measured of a model in a role under one prompt; nothing where nobody has measured it.

    Args:
        folder: The user's data folder (`data_folder`).
        model: As the engine names it.
        role: One of the four roles.
        prompt_sha: `Prompt.sha256`, as logs keep it; a role may have several prompts (the judge has).

    Raises:
        BadData: The file is damaged.
    """
    file = _rates_file(folder, model, role, prompt_sha)
    if not file.is_file():
        return ()
    try:
        kept = _Kept.model_validate_json(file.read_bytes())
    except ValidationError as error:
        problem, fix = "the calibration cannot be read", "delete the file and run 'knowact calibrate' again"
        raise BadData(problem, Place(file), fix) from error
    return tuple(
        Rate(rate.kind, rate.what, Estimate(rate.value, rate.n, rate.low, rate.high, "wilson"), rate.wrong)
        for rate in kept.rates
    )
