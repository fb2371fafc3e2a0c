"""The models in roles: who read a run's replies, how often they err, and which runs may be ranked together.

Numbers read from words depend on the reader. So a report names the readers of every run with their measured
error rates, warns if a reader may favour the agent, and ranks only runs with the same readers.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from knowact.core.record import INVALID, REPAIRED, UNVERIFIED, Record, Result, Status
from knowact.core.role_model import BUILT_IN, bare, family
from knowact.core.rounding import brackets, number_text
from knowact.core.suite import ROLES, Suite
from knowact.core.table import Estimate, Run
from knowact.measures.run_tables import JUDGES

READING: Final = ("extractor", "judge")
"""The roles that read the agent's words; the others talk to it."""

DECLARED: Final = "declared"
"""The reader of a built-in agent without another one: its messages declare what they do."""

SCRIPT: Final = "the script"
NOBODY: Final = ""

SELF_READ: Final = "self-read"

_FILE: Final = "file:"
_READ_AS: Final = {"form": "extractor", "judge": "judge"}
"""From the source of a result (`Result.by`) to the role that produces it."""


class ReaderRate(Protocol):
    """How often a model in a role is right or wrong, as `knowact calibrate` measured it."""

    @property
    def kind(self) -> str:
        """The kind of slot or question."""
        ...

    @property
    def what(self) -> str:
        """The kind of error ("missed", "false pass")."""
        ...

    @property
    def estimate(self) -> Estimate:
        """The share, with its interval."""
        ...


ReaderRates: TypeAlias = Callable[[str, str, str], Sequence[ReaderRate]]
"""From model, role and prompt hash to the measured rates; empty if none were measured."""


def no_rates(_model: str, _role: str, _prompt: str) -> Sequence[ReaderRate]:
    """No rates: nothing was measured."""
    return ()


@dataclass(frozen=True, slots=True)
class RolePlayer:
    """Who plays one role in a run.

    Attributes:
        by: A model, `file:PATH`, `declared`, `the script`, or empty for nobody.
        self_read: Whether it is the agent's own model.
        rates: Its error rates in this role with this run's prompts.
        measure: The command that measures them; empty if they are known, or if `by` is no model.
    """

    role: str
    by: str
    self_read: bool = False
    rates: tuple[ReaderRate, ...] = ()
    measure: str = ""

    @property
    def words(self) -> str:
        """Its name in words."""
        if not self.by:
            return "nobody (not judged)" if self.role in READING else "nobody"
        return f"{self.by} ({SELF_READ})" if self.self_read else self.by

    @property
    def calibration(self) -> str:
        """Its error rates in words, or how to measure them; empty if `by` is no model."""
        if self.measure:
            return f"not calibrated: run `{self.measure}`"
        return "; ".join(map(_rate_text, self.rates))


def _rate_text(rate: ReaderRate) -> str:
    estimate = rate.estimate
    value = f"{number_text(estimate.value, percent=True)} % {brackets(estimate, percent=True)}".rstrip()
    return f"{rate.kind} {rate.what} {value}, n {estimate.n:,}"


def readers(run: Run, rates: ReaderRates = no_rates) -> tuple[RolePlayer, ...]:
    """Every role of a run, with who plays it."""
    return tuple(
        reader
        for role in sorted({*run.roles, *run.wanted}, key=_place)
        for reader in _players(run, role, rates)
    )


def _place(role: str) -> tuple[int, str]:
    return (ROLES.index(role) if role in ROLES else len(ROLES)), role


def _players(run: Run, role: str, rates: ReaderRates) -> list[RolePlayer]:
    if models := run.roles.get(role):
        return [_player(run, role, model, rates) for model in models]
    if role not in READING:
        return [RolePlayer(role, SCRIPT)] if run.model.startswith(BUILT_IN) else [RolePlayer(role, NOBODY)]
    read = any(_READ_AS.get(v.by) == role for record in run.records for v in record.results.values())
    return [RolePlayer(role, DECLARED if read and run.model.startswith(BUILT_IN) else NOBODY)]


def _player(run: Run, role: str, model: str, rates: ReaderRates) -> RolePlayer:
    prompts = dict.fromkeys(run.prompts.values())
    known = tuple(rate for prompt in prompts for rate in rates(model, role, prompt))
    asked = f"--model {shlex.quote(model)} --role {role}"
    if bare(model) != model:
        asked = f"--role {shlex.quote(f'{role}={model}')}"
    command = f"knowact calibrate {asked}"
    unmeasured = not known and not model.startswith(_FILE)
    return RolePlayer(role, model, bare(model) == run.model, known, command if unmeasured else "")


def kin(run: Run) -> tuple[str, ...]:
    """The models that read or judge a run and are of the agent's family, the agent's own left out."""
    if run.model.startswith(BUILT_IN):
        return ()
    models = [model for role in READING for model in run.roles.get(role, ())]
    real = [model for model in models if not model.startswith(_FILE) and bare(model) != run.model]
    return tuple(dict.fromkeys(model for model in real if family(bare(model)) == family(run.model)))


def instrument(run: Run) -> Mapping[str, tuple[str, ...]]:
    """The models of the roles that this run uses."""
    return {role: run.roles[role] for role in sorted(run.roles) if role in run.wanted}


def mixed(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The roles that different models play in different runs, each with these models.

    A run in which nobody plays a role has no numbers from it, and is ignored for that role.
    """
    played: dict[str, dict[str, None]] = {}
    for run in runs:
        for role, models in instrument(run).items():
            played.setdefault(role, {})[" with ".join(models)] = None
    return {role: list(models) for role, models in played.items() if len(models) > 1}


def warnings_of(run: Run) -> tuple[str, ...]:
    """What to know about the readers of one run before its numbers."""
    warnings: list[str] = []
    if run.self_read:
        warnings.append(
            f"Self-read: {run.model} read or judged its own replies. This run is not ranked with others."
        )
    if same := kin(run):
        warnings.append(
            f"One family: {' and '.join(same)} read or judged replies of {run.model}. "
            "Models may favour their own family."
        )
    if not run.model.startswith(BUILT_IN) and family(run.model) in run.dataset.written_by:
        warnings.append(
            f"Written by its family: models of {run.model}'s family wrote the requests of {run.dataset.name}@"
            f"{run.dataset.version}, so its results may be better than those of others for that alone."
        )
    return tuple(warnings)


def mixture_warning(runs: Sequence[Run]) -> str:
    """A warning if different models read the runs; empty otherwise."""
    mixtures = mixed([run for run in runs if not run.self_read])
    if not mixtures:
        return ""
    parts = "; ".join(f"{role}: {' and '.join(models)}" for role, models in mixtures.items())
    return (
        f"Mixed readers: different models played one role in these runs ({parts}), so differences in what is "
        "read from words may come from them. The runs are not ranked. To rank them, run all of them with "
        "the same --judge."
    )


def label(run: Run) -> str:
    """A run's model as tables show it."""
    return f"{run.model} ({SELF_READ})" if run.self_read else run.model


def reading_counts(suite: Suite, records: Sequence[Record]) -> dict[str, int]:
    """Events of reading replies, by name, where they occurred."""
    counts = {
        "forms repaired": sum(record.flags.get(REPAIRED, 0) for record in records),
        "forms invalid": sum(record.flags.get(INVALID, 0) for record in records),
        "values unverified": sum(record.flags.get(UNVERIFIED, 0) for record in records),
        "trials without a majority": sum(_lacks(record, Status.JUDGE_ERROR, "judge") for record in records),
        "trials not judged": sum(
            any(_not_judged(record.results.get(name)) for name in suite.measures if name not in JUDGES)
            for record in records
            if record.scored
        ),
    }
    return {name: count for name, count in counts.items() if count}


def _lacks(record: Record, status: Status, by: str) -> bool:
    return any(result.status is status and result.by == by for result in record.results.values())


def _not_judged(result: Result | None) -> bool:
    return result is not None and result.status is Status.NOT_JUDGED
