"""Asking a model everything that labelled sets ask of a role, and measuring how often it errs.

Each reply is written to a file as it comes, under a hash of what was asked. So a calibration that is killed
goes on where it was, and one that is finished costs nothing to repeat.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
)

from knowact.core.errors import BadUsage
from knowact.core.prompts import Prompt
from knowact.core.role_model import RoleModel
from knowact.engine.budget import BUDGET
from knowact.engine.filed import PREFIX, PROVIDER, answers, as_model
from knowact.engine.many import Progress, ask_each
from knowact.engine.models import check_player, cool, in_role, sending
from knowact.engine.progress import Count, Standing, Watch, unwatched
from knowact.engine.roles import RETRIES, as_response, keyed, role_reply
from knowact.roles.calibration import (
    Calibration,
    LabelledItem,
    LabelledSet,
    ShownMessage,
    answers_file,
    keep_answer,
    kept_answers,
    rates_of,
    sampled,
)

_MESSAGES: Final = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@dataclass(frozen=True, slots=True)
class CalibrationJob:
    """What one model is asked in one role with one prompt.

    Attributes:
        player: The model, with its settings.
        role: The role.
        prompt: The prompt.
        sets: Name to version.
        items: What is asked.
        file: Where the replies are kept.
    """

    player: RoleModel
    role: str
    prompt: Prompt
    sets: Mapping[str, str]
    items: tuple[LabelledItem, ...]
    file: Path

    @property
    def model(self) -> str:
        """What replies and rates are kept under."""
        return str(self.player)

    def known(self) -> dict[str, str]:
        """The replies that are there already, by the id of their item."""
        kept = kept_answers(self.file)
        return {one.id: kept[one.asked] for one in self.items if one.asked in kept}


def parts_of(
    sets: Iterable[LabelledSet], role: str, given: RoleModel, root: Path, *, limit: int = 0
) -> tuple[CalibrationJob, ...]:
    """What will be asked, a part per prompt.

    Args:
        sets: All labelled sets.
        role: One of the four roles.
        given: The model, or `file:PATH`, of which only the items are measured that the file answers.
        root: The user's data folder.
        limit: Items per set; 0 for all.

    Raises:
        BadUsage: The model cannot be used, or the file answers none of the items.
    """
    player, name = as_model(given), given.name
    check_player(role, player)
    answered = answers(Path(name.removeprefix(PREFIX))) if name.startswith(PREFIX) else None
    # A file that was edited answers anew.
    source = str(player) if answered is None else f"{player}#{_digest(answered)}"
    found: dict[str, CalibrationJob] = {}
    for one in (one for one in sets if one.role == role):
        items = tuple(item for item in sampled(one, 0) if answered is None or item.id in answered)[
            : limit or None
        ]
        if not items:
            continue
        sha = one.prompt.sha256
        before = found.get(sha) or CalibrationJob(
            player, role, one.prompt, {}, (), answers_file(root, source, role, sha)
        )
        versions, whole = {**before.sets, one.name: one.version}, (*before.items, *items)
        found[sha] = CalibrationJob(player, role, one.prompt, versions, whole, before.file)
    if not found:
        raise BadUsage(f"No id in {name} belongs to an item of the role {role!r}.")
    return tuple(found.values())


def _digest(answered: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(answered.items())).encode()).hexdigest()[:8]


def announce(part: CalibrationJob) -> str:
    """One sentence about a part: items, calls, tokens, dollars where prices are known."""
    known = part.known()
    due = [one for one in part.items if one.id not in known]
    sent = sending(part.player.name, sum(_characters(one) for one in due))
    sets = ", ".join(f"{name}@{version[:8]}" for name, version in part.sets.items())
    done = f", {len(known):,} of them answered before" if known else ""
    what = f"{part.role} {part.model}: {len(part.items):,} items of {sets}{done}."
    if part.player.name.startswith(f"{PROVIDER}/"):
        return f"{what} A file answers; nothing is sent."
    return f"{what} {len(due):,} to {2 * len(due):,} calls, {sent} to send, and the replies."


def _characters(one: LabelledItem) -> int:
    return sum(len(message.text) for message in one.messages) + (len(str(one.schema)) if one.schema else 0)


def ask(parts: Sequence[CalibrationJob], connections: int, watch: Watch = unwatched) -> list[Progress]:
    """Ask everything that is still to be asked; how far each part came.

    Args:
        parts: What is asked, one part after the other.
        connections: Calls at a time.
        watch: Shows how far each part is.
    """
    BUDGET.limit = None
    return asyncio.run(_ask_all(parts, connections, watch))


async def _ask_all(parts: Sequence[CalibrationJob], connections: int, watch: Watch) -> list[Progress]:
    every: list[Progress] = []
    for part in parts:
        known = part.known()
        part.file.parent.mkdir(parents=True, exist_ok=True)
        due = [one for one in part.items if one.id not in known]
        keep, so_far = partial(keep_answer, part.file), _SoFar(part, len(known))
        model = in_role(part.player, max_retries=RETRIES, temperature=cool(part.player))
        with watch(so_far.now):
            every.append(await ask_each(model, due, _reply, keep, so_far.tell, connections=connections))
    return every


class _SoFar:
    """How far a part is, of which some items were answered before."""

    def __init__(self, part: CalibrationJob, earlier: int) -> None:
        self._label, self._total, self._earlier = f"{part.role}, {part.prompt.id}", len(part.items), earlier
        self._progress, self._began, self._spent = Progress(), time.monotonic(), BUDGET.spent

    def tell(self, progress: Progress) -> None:
        """Take notice."""
        self._progress = progress

    def now(self) -> Standing:
        """How far it is now."""
        failed = len(self._progress.failures)
        done, due = self._progress.answered + failed, self._total - self._earlier
        failures = {"not answered": failed} if failed else {}
        whole = Count(self._label, self._earlier + done, self._total, self._earlier, failures)
        seconds, cost = time.monotonic() - self._began, BUDGET.spent - self._spent
        return Standing(whole, (), seconds, done / due if due else 1.0, cost)


def measured(part: CalibrationJob) -> Calibration:
    """Measure on all items that were answered by now."""
    known = part.known()
    marks = ((one.id, mark) for one in part.items if one.id in known for mark in one.marks(known[one.id]))
    return Calibration(part.model, part.role, part.prompt, part.sets, rates_of(marks))


async def _reply(model: Model, item: LabelledItem) -> str:
    """The model's reply; where a run would ask once more for one that it can use, so is asked here."""
    messages = [_message(one) for one in item.messages]
    schema = item.schema
    config = {} if schema is None else {"response_schema": as_response("answer", dict(schema))}
    with keyed(item.id):
        output = await role_reply(model, messages, **config)
        problem = item.problem(output.completion)
        if problem is not None and output.choices:
            messages += [output.message, ChatMessageUser(content=problem)] if problem else []
            output = await role_reply(model, messages, **config)
    return output.completion


def _message(one: ShownMessage) -> ChatMessage:
    return _MESSAGES[one.role](content=one.text)
