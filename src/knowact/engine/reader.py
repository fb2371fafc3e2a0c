"""Logs to runs: read from sample summaries, whole samples only where a summary was too small.

Reports and the closing words of `knowact run` are made from what this module returns.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast
from zipfile import BadZipFile

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import GenerateConfig, ModelUsage
from inspect_ai.scorer import Score
from pydantic import ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.option import under_current_names
from knowact.core.record import Record
from knowact.core.role_model import RoleModel
from knowact.core.suite import ASKED_UNDER
from knowact.core.table import Run
from knowact.engine import record_cache
from knowact.engine.filed import shown
from knowact.engine.models import ROLE_SETTINGS
from knowact.engine.own_model import named
from knowact.engine.reasons import cancelled
from knowact.engine.records import (
    ITEM_KEYS,
    LOGGED,
    REST_KEYS,
    SCORER,
    SCORING,
    LoggedRun,
    record_from,
    whole,
)

SUFFIX = ".eval"

TALK = ("messages", "events", "attachments", "store", "timelines")
"""What makes samples large, and what no record needs."""

_DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, BadZipFile, zlib.error)
"""What readers run into where a log is cut, spoilt or edited."""

_LEAVE_OUT = "leave the file out, or run the suite again"

OPERATED = frozenset(
    (
        *("max_connections", "adaptive_connections", "max_retries", "timeout", "attempt_timeout"),
        *("stream_idle_timeout", "cache", "cache_prompt", "batch", "max_tool_output"),
    )
)
"""Generation settings that change neither what a model is asked nor what it may answer."""


_SAID_OF_DATA: Final = frozenset(("labels", "written_by"))
"""What a log says of its data beside what identifies them."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A log of ours, by its header."""

    path: Path
    header: EvalLog
    run: LoggedRun

    @property
    def task(self) -> str:
        """What makes two logs attempts at the same run: suite, data, options and model."""
        key: list[Any] = [
            self.run.suite,
            {name: value for name, value in asdict(self.run.dataset).items() if name not in _SAID_OF_DATA},
            self.run.options,
            self.header.eval.model,
            _roles(self.header),
            *([dict(asked)] if (asked := {**self.settings, **self._model_args}) else []),
        ]
        return hashlib.sha256(json.dumps(key, sort_keys=True, default=str).encode()).hexdigest()[:12]

    @property
    def settings(self) -> Mapping[str, Any]:
        """The generation settings that were asked for, without those that only say how a run is operated."""
        given = self.header.eval.model_generate_config.model_dump(exclude_none=True, mode="json")
        return {name: value for name, value in given.items() if name not in OPERATED}

    @property
    def _model_args(self) -> Mapping[str, Any]:
        return {f"-M {name}": value for name, value in self.header.eval.model_args.items()}


def _roles(header: EvalLog) -> dict[str, str]:
    """Who plays each role, and how; where it is reached says nothing, so a new address is no other run."""
    roles: dict[str, str] = {}
    for name, bound in sorted(cast("Mapping[str, Any]", header.eval.model_roles or {}).items()):
        configs = cast("list[Any]", bound if isinstance(bound, list) else [bound])
        roles[name] = json.dumps([model.model_dump(mode="json", exclude={"base_url"}) for model in configs])
    return roles


def find_logs(paths: Iterable[Path], *, any_scoring: bool = False) -> list[LogFile]:
    """Read the headers of all our logs at or below the paths; logs of other tasks are passed over.

    Args:
        paths: Files and folders.
        any_scoring: Whether logs are welcome whose replies another version has scored.

    Raises:
        BadData: A path does not exist, or a file named outright is no log.
    """
    logs: dict[Path, LogFile] = {}
    for path in paths:
        if not path.exists():
            raise BadData("there is no such file or folder", Place(path), "check the path")
        files = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        for file in files:
            header = _header(file)
            if LOGGED in (header.eval.metadata or {}):
                logs[file.resolve()] = LogFile(file, header, _logged(file, header, any_scoring=any_scoring))
    return list(logs.values())


@contextmanager
def damage_named(file: Path, problem: str) -> Generator[None]:
    """Turn whatever a damaged log makes its readers run into to a sentence.

    Raises:
        BadData: With `problem`, the file, and what to do.
    """
    try:
        yield
    except _DAMAGE as error:
        raise BadData(problem, Place(file), _LEAVE_OUT) from error


def _header(file: Path) -> EvalLog:
    with damage_named(file, "this is not an Inspect log, or it is damaged"):
        return read_eval_log(str(file), header_only=True)


def _logged(file: Path, header: EvalLog, *, any_scoring: bool) -> LoggedRun:
    """What a log's head says of its run; a file that was edited may say anything.

    Raises:
        BadData: It is not what a run of ours says.
    """
    about: Any = (header.eval.metadata or {})[LOGGED]
    fields = cast("dict[str, Any]", about) if isinstance(about, dict) else {}
    if "suite" in fields and fields.get("scoring") != SCORING and not any_scoring:
        other = fields.get("scoring", 1)
        problem = f"its replies were scored by another version of knowact (scoring {other}, now {SCORING})"
        raise BadData(
            problem, Place(file), f"score it again: knowact rescore {fields['suite']} {file} --log-dir DIR"
        )
    try:
        run = LoggedRun.model_validate(fields)
        return run.model_copy(update={"options": under_current_names(run.options)})
    except ValidationError as error:
        problem = "this is not a log of this version of knowact, or it was edited"
        field = f"metadata.{LOGGED}.{error.errors()[0]['loc'][0]}"
        raise BadData(problem, Place(file, None, field), _LEAVE_OUT) from error


def read_runs(logs: Sequence[LogFile]) -> list[Run]:
    """Make runs of logs: the newest log of each task counts, the others are named as superseded."""
    return [_run(task, attempts) for task, attempts in sorted(_by_task(logs).items(), key=_order)]


def newest(logs: Sequence[LogFile]) -> tuple[list[LogFile], list[LogFile]]:
    """The newest log of each task, and those that are superseded."""
    attempts = [some for _, some in sorted(_by_task(logs).items(), key=_order)]
    return [first for first, *_ in attempts], [log for _, *others in attempts for log in others]


def _by_task(logs: Sequence[LogFile]) -> dict[str, list[LogFile]]:
    """The attempts at each task, the newest first."""
    attempts: dict[str, list[LogFile]] = {}
    for log in sorted(logs, key=lambda log: log.header.eval.created, reverse=True):
        attempts.setdefault(log.task, []).append(log)
    return attempts


def _order(pair: tuple[str, Sequence[LogFile]]) -> tuple[str, str, str]:
    newest = pair[1][0]
    return newest.run.suite, newest.header.eval.created, pair[0]


def _run(task: str, attempts: Sequence[LogFile]) -> Run:
    newest = attempts[0]
    about = newest.run
    engine = {f"engine {name}" if name in about.options else name: v for name, v in newest.settings.items()}
    return Run(
        id=_id(newest, task),
        suite=about.suite,
        dataset=about.dataset,
        model=named(newest.header.eval.model),
        options={**about.options, **engine},
        logs=(str(newest.path),),
        planned=about.planned,
        records=tuple(read_records(newest.path)),
        superseded=tuple(str(log.path) for log in attempts[1:]),
        problems=tuple(_problems(newest)),
        settings=tuple(engine),
        roles=_played(newest.header),
        wanted=about.roles.wanted,
        headline=about.roles.headline,
        prompts={name: sha256 for name, (_, sha256) in about.prompts.items()},
    )


def _id(log: LogFile, task: str) -> str:
    return f"{log.run.suite}-{_short(log.header.eval.model)}-{task[:6]}"


def read_heads(logs: Sequence[LogFile]) -> Iterator[tuple[str, Path]]:
    """The id of the run that each log belongs to, as in reports, and the log's file; no sample is read."""
    return ((_id(log, log.task), log.path) for log in logs)


def _played(header: EvalLog) -> dict[str, tuple[str, ...]]:
    """The models in roles, by role; a file under the name that was given."""
    players: dict[str, tuple[str, ...]] = {}
    for name, bound in sorted(cast("Mapping[str, Any]", header.eval.model_roles or {}).items()):
        configs = cast("list[Any]", bound if isinstance(bound, list) else [bound])
        players[name] = tuple(
            shown(RoleModel(str(model.model), _own_settings(model.config))) for model in configs
        )
    return players


def _own_settings(config: GenerateConfig) -> dict[str, Any]:
    given = config.model_dump(exclude_none=True, mode="json")
    return {name: given[name] for name in ROLE_SETTINGS if name in given}


def _short(model: str) -> str:
    return model.rsplit("/", maxsplit=1)[-1]


def _problems(log: LogFile) -> Iterator[str]:
    if asked := log.run.options.get(ASKED_UNDER):
        rules = log.run.options["rules"]
        yield f"Scored again: it was asked under the {asked} rules, and scored under the {rules} ones."
    status = log.header.status
    if status == "started":
        yield "The run was cut off; the same command resumes it."
    elif status == "cancelled":
        yield "The run was interrupted; the same command resumes it."
    if log.header.error is not None:
        yield f"The engine reports: {log.header.error.message}"


def sample_ids(path: Path) -> list[str]:
    """The ids of the samples of a log; of a folder, none.

    Raises:
        BadData: There is no such file or folder, it is no log, or a log of another scoring version.
    """
    find_logs([path])
    if path.is_dir():
        return []
    with damage_named(path, "its samples cannot be read"):
        return list(dict.fromkeys(str(s.id) for s in read_eval_log_sample_summaries(str(path))))


def trials_at(file: Path) -> frozenset[str]:
    """What names the trials of a log: equal in every log that holds the same replies.

    Raises:
        BadData: The log is damaged.
    """
    with damage_named(file, "its samples cannot be read: the log is damaged, or was edited"):
        return frozenset(
            summary.uuid for summary in read_eval_log_sample_summaries(str(file)) if summary.uuid
        )


def read_records(file: Path) -> list[Record]:
    """The records of one log, in its order; from its cache where that is of this log.

    Raises:
        BadData: The log is damaged.
    """
    with damage_named(file, "its samples cannot be read: the log is damaged, or was edited"):
        # Taken before the log is read: should a run write to it meanwhile, the cache is of no later log.
        key = record_cache.key_of(file)
        records = record_cache.load(file, key, partial(_Labels, file))
        if records is None:
            records = [_record(summary, file) for summary in read_eval_log_sample_summaries(str(file))]
            record_cache.keep(file, key, records)
        return records


def _record(summary: EvalSampleSummary, file: Path) -> Record:
    item, score = summary.metadata, own_score(summary)
    rest: Mapping[str, Any] | None = None if score is None else score.metadata or {}
    if not whole(item, ITEM_KEYS) or (rest is not None and not whole(rest, REST_KEYS)):
        sample = read_eval_log_sample(str(file), id=summary.id, epoch=summary.epoch, exclude_fields=set(TALK))
        full = own_score(sample)
        item, rest = sample.metadata, None if full is None else full.metadata or {}
    value = None if score is None else cast("Mapping[str, Any]", score.value)
    stopped = cancelled(summary.error or "")
    record = record_from(summary.epoch, item, value, rest, interrupted=stopped)
    used, roles = list(summary.model_usage.values()), summary.role_usage
    return replace(
        record,
        labels=_Labels(file, record.labels),
        tokens=_tokens(used, list(roles.values())),
        seconds=summary.working_time or 0.0,
        cost=_cost(used, list(roles.values())),
        role_tokens={role: (_read(usage), usage.output_tokens) for role, usage in roles.items()},
        role_cost={role: usage.total_cost for role, usage in roles.items() if usage.total_cost is not None},
    )


class _Labels(dict[str, str]):
    """The labels of a record; a log that lacks one which a table wants is an older or an edited one."""

    def __init__(self, file: Path, labels: Mapping[str, str]) -> None:
        super().__init__(labels)
        self._file = file

    def __missing__(self, name: str) -> str:
        problem = f"the log does not say the {name!r} of each trial: it was edited, or is of another version"
        raise BadData(problem, Place(self._file, None, f"metadata.labels.{name}"), _LEAVE_OUT)


def own_score(sample: EvalSampleSummary | EvalSample) -> Score | None:
    """The score of a sample that holds its record; None if it was never scored."""
    for name, score in (sample.scores or {}).items():
        if name.rsplit("/", maxsplit=1)[-1] == SCORER:
            return score
    return None


def _tokens(used: Sequence[ModelUsage], roles: Sequence[ModelUsage]) -> tuple[int, int]:
    """The input and output tokens of all models less those of the roles."""
    read = sum(map(_read, used)) - sum(map(_read, roles))
    return read, sum(usage.output_tokens for usage in used) - sum(usage.output_tokens for usage in roles)


def _cost(used: Sequence[ModelUsage], roles: Sequence[ModelUsage]) -> float | None:
    """The dollars of all models less those of the roles; None where no price of what is left is known."""
    left = _unpriced(used) - _unpriced(roles)
    priced = any(usage.total_cost is not None for usage in used)
    return _dollars(used) - _dollars(roles) if priced and left <= 0 else None


def _unpriced(some: Sequence[ModelUsage]) -> int:
    """Tokens whose price is not known."""
    return sum(_read(usage) + usage.output_tokens for usage in some if usage.total_cost is None)


def _dollars(some: Sequence[ModelUsage]) -> float:
    return math.fsum(usage.total_cost for usage in some if usage.total_cost is not None)


def _read(usage: ModelUsage) -> int:
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
