"""Who read what the agents said: the models in roles, how often they err, and which runs can be ranked.

Numbers that rest on words depend on who reads the words. So a report names the readers of every run with
their measured error rates, warns where a reader may favour the agent, and ranks only what was read alike.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from knowact.core.charts import number_text
from knowact.core.record import INVALID, REPAIRED, UNVERIFIED, Record, Status, Verdict
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Run
from knowact.measures.run_tables import JUDGES

ROLES: Final = ("extractor", "judge", "user", "helper")
READING: Final = ("extractor", "judge")
"""The roles that read the agent's words; the others talk to it."""

DECLARED: Final = "declared"
"""Who reads a built-in agent where nobody else does: its messages say themselves what they do."""

SCRIPT: Final = "the script"
NOBODY: Final = ""

SELF_READ: Final = "self-read"

_BUILT_IN: Final = "knowact/"
_FILE: Final = "file:"
_READ_AS: Final = {"form": "extractor", "judge": "judge"}
"""By whom a verdict is (`Verdict.by`), and the role that it takes."""

_FIRST_WORD: Final = re.compile(r"(?:[a-z]+\.)*([a-z]+)")


class Rate(Protocol):
    """How often a model in a role is right or wrong, as `knowact calibrate` measured it."""

    @property
    def kind(self) -> str:
        """Of what: the kind of a slot, or of a question."""
        ...

    @property
    def what(self) -> str:
        """What is counted ("missed", "false passes")."""
        ...

    @property
    def estimate(self) -> Estimate:
        """The share, with its interval."""
        ...


Rates: TypeAlias = Callable[[str, str, str], Sequence[Rate]]
"""From model, role and the hash of a prompt to what was measured; nothing where nothing was."""


def no_rates(_model: str, _role: str, _prompt: str) -> Sequence[Rate]:
    """Nothing was measured."""
    return ()


@dataclass(frozen=True, slots=True)
class Reader:
    """Who plays one role in a run.

    Attributes:
        by: A model, `file:PATH`, `declared`, `the script`, or empty: nobody.
        self_read: Whether it is the agent's own model.
        rates: Its error rates in this role, under the prompts of this run.
        measure: The command that would measure them; empty where they are known, or it is no model.
    """

    role: str
    by: str
    self_read: bool = False
    rates: tuple[Rate, ...] = ()
    measure: str = ""

    @property
    def words(self) -> str:
        """Who it is, in words."""
        if not self.by:
            return "nobody (not judged)" if self.role in READING else "nobody"
        return f"{self.by} ({SELF_READ})" if self.self_read else self.by

    @property
    def calibration(self) -> str:
        """Its error rates in words, or how to measure them; empty where it is no model."""
        if self.measure:
            return f"not calibrated: run `{self.measure}`"
        return "; ".join(map(_rate_text, self.rates))


def _rate_text(rate: Rate) -> str:
    found = rate.estimate
    value = f"{number_text(found.value, percent=True)} %"
    if found.low is not None and found.high is not None:
        ends = (number_text(end, percent=True) for end in (found.low, found.high))
        value += f" [{', '.join(ends)}]"
    return f"{rate.kind} {rate.what} {value}, n {found.n:,}"


def readers(run: Run, rates: Rates = no_rates) -> tuple[Reader, ...]:
    """Everybody who plays a role in a run, and the roles that nobody plays."""
    return tuple(
        one for role in sorted({*run.roles, *run.wanted}, key=_place) for one in _players(run, role, rates)
    )


def _place(role: str) -> tuple[int, str]:
    return (ROLES.index(role) if role in ROLES else len(ROLES)), role


def _players(run: Run, role: str, rates: Rates) -> list[Reader]:
    if models := run.roles.get(role):
        return [_player(run, role, model, rates) for model in models]
    if role not in READING:
        return [Reader(role, SCRIPT)] if run.model.startswith(_BUILT_IN) else [Reader(role, NOBODY)]
    read = any(_READ_AS.get(v.by) == role for one in run.records for v in one.verdicts.values())
    return [Reader(role, DECLARED if read and run.model.startswith(_BUILT_IN) else NOBODY)]


def _player(run: Run, role: str, model: str, rates: Rates) -> Reader:
    prompts = dict.fromkeys(run.prompts.values())
    known = tuple(rate for prompt in prompts for rate in rates(model, role, prompt))
    command = f"knowact calibrate --model {shlex.quote(model)} --role {role}"
    unmeasured = not known and not model.startswith(_FILE)
    return Reader(role, model, model == run.model, known, command if unmeasured else "")


def family(model: str) -> str:
    """The first word of a model's own name: "gpt" of `openai/gpt-4o`, "claude" of `anthropic/claude-3`.

    Who serves a model makes no family, since many serve the same one; so providers and routers before the
    last slash are left out (`openrouter/anthropic/claude-3`), and so are vendors before a dot
    (`bedrock/us.anthropic.claude-3`). It compares names and knows nothing else: models that one company
    sells under two names count as two families, and who was trained on whose replies cannot be seen.
    """
    name = model.rsplit("/", maxsplit=1)[-1].casefold()
    found = _FIRST_WORD.match(name)
    return found[1] if found else name


def kin(run: Run) -> tuple[str, ...]:
    """The models that read or judge a run and are of the agent's family, the agent's own left out."""
    if run.model.startswith(_BUILT_IN):
        return ()
    models = [model for role in READING for model in run.roles.get(role, ())]
    real = [model for model in models if not model.startswith(_FILE) and model != run.model]
    return tuple(dict.fromkeys(model for model in real if family(model) == family(run.model)))


def instrument(run: Run) -> Mapping[str, tuple[str, ...]]:
    """Who plays which role, as far as anybody does and has something to do; nobody for a built-in agent."""
    return {role: run.roles[role] for role in sorted(run.roles) if role in run.wanted}


def mixed(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The roles that different models play in different runs, each with these models.

    Runs in which nobody plays a role have no number that rests on it, and are no part of the mixture.
    """
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        for role, models in instrument(run).items():
            found.setdefault(role, {})[" with ".join(models)] = None
    return {role: list(models) for role, models in found.items() if len(models) > 1}


def warnings_of(run: Run) -> tuple[str, ...]:
    """What has to be known of the readers of one run before its numbers are."""
    found: list[str] = []
    if run.self_read:
        found.append(
            f"Self-read: {run.model} read or judged its own replies; the run is not ranked with others."
        )
    if same := kin(run):
        found.append(
            f"One family: {' and '.join(same)} read or judged replies of {run.model}; a model may favour its "
            "own kind."
        )
    return tuple(found)


def mixture_warning(runs: Sequence[Run]) -> str:
    """That runs were read by different models, in a sentence; empty where they were not."""
    found = mixed([run for run in runs if not run.self_read])
    if not found:
        return ""
    parts = "; ".join(f"{role}: {' and '.join(models)}" for role, models in found.items())
    return (
        f"Mixed instruments: different models played one role in these runs ({parts}), so differences in "
        "what rests on words may be theirs. No run is set above another; for a ranking, run all of them with "
        "the same --judge."
    )


def label(run: Run) -> str:
    """A run's model as tables show it."""
    return f"{run.model} ({SELF_READ})" if run.self_read else run.model


def reading_counts(suite: Suite, records: Sequence[Record]) -> dict[str, int]:
    """What happened while replies were read, each by its name; only what did happen."""
    counts = {
        "forms repaired": sum(record.flags.get(REPAIRED, 0) for record in records),
        "forms invalid": sum(record.flags.get(INVALID, 0) for record in records),
        "values unverified": sum(record.flags.get(UNVERIFIED, 0) for record in records),
        "trials without a majority": sum(_lacks(one, Status.JUDGE_ERROR, "judge") for one in records),
        "trials not judged": sum(
            any(_not_judged(record.verdicts.get(name)) for name in suite.measures if name not in JUDGES)
            for record in records
            if record.scored
        ),
    }
    return {name: count for name, count in counts.items() if count}


def _lacks(record: Record, status: Status, by: str) -> bool:
    return any(one.status is status and one.by == by for one in record.verdicts.values())


def _not_judged(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.status is Status.NOT_JUDGED


def not_judged(suite: Suite, run: Run) -> str:
    """Why a run has no headline because nobody judged it, and what to bind; empty where it has one.

    The headline is the suite's first measure. Where it needs a reader and there is none, it is not judged if
    any trial is not, because the trials that calls alone decide are no fair sample.
    """
    name = suite.measures[0] if suite.measures else ""
    records = run.records if suite.related is None else suite.related(run.records)
    said = [record.verdicts[name] for record in records if record.scored and name in record.verdicts]
    silent = [verdict for verdict in said if verdict.status is Status.NOT_JUDGED]
    missing = (
        () if run.model.startswith(_BUILT_IN) else [role for role in run.headline if role not in run.roles]
    )
    if silent and missing:
        return (
            f"No headline: it rests on what the agent says, and nobody was {' and '.join(missing)} "
            f"({len(silent):,} of {len(said):,} trials are not judged). Run it again with --judge MODEL, or "
            f"with --role {missing[0]}=MODEL."
        )
    if silent and not any(verdict.status in {Status.VALUE, Status.JUDGE_ERROR} for verdict in said):
        return (
            f"No headline: it is not judged ({next((one.why for one in silent if one.why), 'nobody could')})."
        )
    return ""
