"""Runs: where one lives, how it starts, goes on after a kill, and what its exit code says.

A run is an eval set of the engine with one task, in a folder of its own whose name carries a hash of
suite, data, model and options. So the same command finds what it began, and edited data never resume an
old run.
"""

import gc
import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from inspect_ai import (
    Task,
    eval_set,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)

from knowact.core.errors import BadUsage
from knowact.core.role_model import BUILT_IN, RoleModel
from knowact.core.suite import Plan
from knowact.core.table import Run
from knowact.engine.budget import BUDGET
from knowact.engine.compat import EnginePrerequisiteError
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.models import REASONING_TIMEOUT, in_role, plain, reasoning
from knowact.engine.own_model import AGENT
from knowact.engine.progress import WATCHED, RunProgress, Watch, ended_before, unwatched
from knowact.engine.reader import find_logs, read_runs
from knowact.engine.reasons import why_unread, why_unscored
from knowact.engine.records import SCORING
from knowact.engine.roles import ATTEMPT_SECONDS, ATTEMPT_TIMEOUT
from knowact.engine.run_folder import FULL, disk_full, held, was_full
from knowact.engine.suite_task import planned_task
from knowact.probes.suite import Suite
from knowact.roles.baseline import PERSON

SCORED, UNSCORED, COST, INTERRUPTED = 0, 1, 3, 130
"""Exit codes of a run; those of errors stand in `core.errors`."""

RETRIES = 2
"""Times that a sample is tried again after the provider's own retries are used up."""

WRITES = 200
"""Times that a log is written while a run lasts, each time as a whole, so that writing stays in proportion to
what is written: 100 times the final log at most. A kill then costs the answers of at most one trial in 200
(none that has ended, up to 399 trials), or of the last minute, after which the engine writes in any case,
besides those that are under way."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command's worth of work.

    Attributes:
        options: The suite's own, and `seed`, `trials`, `rules`, `limit`.
        model: As the engine names models.
        roles: Role to model, with its settings.
        log_dir: The root; the run's folder is made below it.
        engine: Further options of the engine, by the names of its Python interface.
        cost_limit: US dollars for this process, all of its runs together; None for no limit.
        display: The engine's display.
        watch: Shows how far the run is; the engine's display is "none" then.
        sample: Which of the items that the options leave, where it is not all of them, in a few words.
        live: Whether a viewer that is open meanwhile can follow trials that are under way.
    """

    suite: Suite
    options: Mapping[str, Any]
    model: str
    log_dir: Path
    roles: Mapping[str, RoleModel] = field(default_factory=dict[str, RoleModel])
    engine: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cost_limit: float | None = None
    display: str = "none"
    watch: Watch = unwatched
    sample: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a request. `run` is None where nothing was recorded at all."""

    folder: Path
    run: Run | None
    exit_code: int
    reason: str = ""


def folder_of(request: Request, plan: Plan) -> Path:
    """The run's folder: `<root>/<suite>/<dataset>-<model>-<hash>`."""
    identity = {
        "suite": request.suite.name,
        # A run that another version began is not gone on with: its numbers could not be mixed with ours.
        "scoring": SCORING,
        "data": plan.dataset.sha256,
        "options": {name: value for name, value in request.options.items() if name != "data"},
        "model": request.model,
        "roles": {role: str(player) for role, player in request.roles.items()},
        # Timeouts and retries do not change what is measured.
        "engine": {k: v for k, v in request.engine.items() if k not in OPERATIONAL},
        **({"sample": request.sample} if request.sample else {}),
    }
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()[:10]
    data = f"{plan.dataset.name}@{plan.dataset.version}"
    return request.log_dir / request.suite.name / f"{_slug(data)}-{_slug(request.model)}-{digest}"


OPERATIONAL = frozenset(
    (
        *("max_connections", "max_samples", "max_retries", "attempt_timeout", "timeout", "retry_on_error"),
        *("log_realtime", "log_buffer", "log_level", "model_base_url", "max_tasks"),
    )
)
"""Options of the engine that say how a run is operated, not what it is."""


def _slug(text: str) -> str:
    """A text as part of a folder's name, on every system."""
    return re.sub(r"[^A-Za-z0-9@._-]+", "-", text).strip("-.")[:60] or "x"


def engine_task_of(request: Request, plan: Plan) -> Task:
    """The suite's task under the request's options, of the items that were planned for them."""
    arguments = dict(request.options)
    arguments["limit_tasks"] = int(arguments.pop("limit", 0) or 0)
    task = planned_task(request.suite, plan, arguments)
    # It prepares samples for somebody else's solver (`inspect eval --solver`), which cannot come this way,
    # and the engine logs every tool for it: a tenth of a sample's CPU. Nor need it refuse one.
    task.setup = task.early_stopping = None
    # Items and worlds live as long as the run; the collector need not walk them at every turn.
    gc.freeze()
    return task


def carry_out(request: Request, plan: Plan) -> Done:
    """Run, or go on with, what was asked; then read what is on disk.

    Raises:
        KnowactError: The request makes no sense, or another process is at it already.
    """
    if plan.built_in_only and not request.model.startswith(BUILT_IN):
        raise BadUsage(plan.built_in_only)
    folder = folder_of(request, plan)
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(held(folder))
        except OSError as error:
            reason = error.strerror or "it is not writable"
            raise BadUsage(
                f"Logs cannot be kept in {folder} ({reason}); choose another --log-dir."
            ) from error
        return _carry_out(request, folder, plan)


def _carry_out(request: Request, folder: Path, plan: Plan) -> Done:
    """Do the work in a folder that nobody else is at work in."""
    BUDGET.limit = request.cost_limit
    ATTEMPT_TIMEOUT.seconds = _attempt_timeout(request)
    planned, begun = trials_of(request, plan), {*folder.glob("*.eval")}
    progress = RunProgress(planned, ended_before(folder) if begun else ())
    with WATCHED.by(progress):
        task = engine_task_of(request, plan)
    settings = _settings(request, task, planned)
    roles = {role: in_role(one) if one.settings else one.name for role, one in request.roles.items()}
    interrupted = full = False
    try:
        with INTERRUPTS.noted(), WATCHED.by(progress), request.watch(progress.now):
            _, logs = eval_set(
                task,
                log_dir=str(folder),
                model=request.model,
                model_roles=roles or None,
                retry_attempts=0,
                retry_immediate=False,
                display=cast("Any", request.display),
                **settings,
            )
        full = was_full(logs)
    except KeyboardInterrupt:
        interrupted = True
    except OSError as error:
        if error.errno not in FULL:
            raise
        full = True
    except EnginePrerequisiteError as error:
        raise BadUsage(f"The engine cannot start: {plain(str(error.message))}") from error
    except (ValueError, TypeError) as error:
        # It checks its options late and each in its own way, but before it begins a log.
        if not request.engine or {*folder.glob("*.eval")} != begun:
            raise
        given = ", ".join(f"--{name.replace('_', '-')}" for name in request.engine)
        raise BadUsage(f"The engine rejects {given}: {plain(str(error))[:300]}") from error
    finally:
        gc.unfreeze()
    done = _outcome(folder, interrupted=interrupted)
    return replace(done, exit_code=UNSCORED, reason=disk_full(folder)) if full else done


def trials_of(request: Request, plan: Plan) -> int:
    """The trials that a run is made of."""
    return len(plan.items) * int(request.options.get("trials", 1))


def _settings(request: Request, task: Task, planned: int) -> dict[str, Any]:
    """The engine's settings for a run of so many trials; those that are the task's are put there."""
    built_in = request.model.startswith(BUILT_IN)
    engine = dict(request.engine)
    if engine.pop("knowact_reasoning", False):
        task.config = task.config.model_copy(update={"temperature": None})
    if request.model.startswith((PERSON, AGENT)):
        # People take their time, and an agent has a time limit of its own, which is no fault of a provider.
        task.config = task.config.model_copy(update={"attempt_timeout": None})
    # There is one keyboard, and no answer is lost.
    alone = {"max_samples": 1, "log_buffer": 1} if request.model.startswith(PERSON) else {}
    return {
        "retry_on_error": RETRIES,
        # A database of events beside the log, which only a viewer reads: a fifth of the CPU of a run over
        # HTTP. It also kept what had ended since the log was last written; so that is done more often now.
        "log_realtime": request.live,
        # A run of a built-in agent costs nothing to repeat.
        **({} if built_in else {"log_buffer": max(1, planned // WRITES)}),
        "ctl_server": False,
        "score_display": False,
        "log_dir_allow_dirty": True,
        **engine,
        **alone,
    }


def _attempt_timeout(request: Request) -> int:
    """What was asked for; else what it takes, which is more where a model reasons by itself."""
    if "attempt_timeout" in request.engine:
        return int(request.engine["attempt_timeout"])
    slow = any(map(reasoning, request.roles.values()))
    return REASONING_TIMEOUT if slow else ATTEMPT_SECONDS


def _outcome(folder: Path, *, interrupted: bool) -> Done:
    logs = find_logs([folder])
    runs = read_runs(logs)
    run = runs[0] if runs else None
    # An interrupt while samples run is caught by the engine, which cancels them and closes the log.
    newest = max(logs, key=lambda log: log.header.eval.created, default=None)
    interrupted |= newest is not None and newest.header.status == "cancelled"
    if interrupted:
        return Done(folder, run, INTERRUPTED, "Interrupted; the same command resumes.")
    unfinished = run is None or run.scored < run.planned
    if BUDGET.exhausted and unfinished:
        reason = f"The cost limit is reached (${BUDGET.spent:.2f}); the same command resumes."
        return Done(folder, run, COST, reason)
    if run is None or unfinished:
        return Done(folder, run, UNSCORED, why_unscored(run))
    reason = why_unread(run)
    return Done(folder, run, UNSCORED if reason else SCORED, reason)
