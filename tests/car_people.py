"""A scripted endpoint's side of CAR: an agent that knows the tasks, a user who keeps to scripts, a judge."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import pytest

from car_agents import planned
from car_conversations import KINDS, filled, line, vote
from doubles.endpoint import Reply, Request, Say
from doubles.replies import text_of
from fail_talms_agents import as_reply
from knowact.agents.conversants import ConversationView, move
from knowact.agents.policy import Move
from knowact.agents.provider import NOTE
from knowact.core.conversation import Control
from knowact.core.declared import Declared
from knowact.core.record import Record
from knowact.core.seeds import generator
from knowact.suites.car.items import CarItem
from knowact.suites.car.role_views import gold_of, script_of, user_of
from running import PATIENT, Ran, json_report, knowact, records_at, table_rows

TRUE_NAME: Final = "openai-api/wheel"
"""What the engine calls the models of this endpoint, before the last slash."""

MODEL, JUDGE, USER = f"{TRUE_NAME}/agent", f"{TRUE_NAME}/judge", f"{TRUE_NAME}/user"
EXTRACTOR: Final = f"{TRUE_NAME}/extractor"

PEOPLE: Final = (
    *("--user", "model", "--role", f"user={USER}"),
    *("--role", f"judge={JUDGE}", "--role", f"extractor={EXTRACTOR}"),
)
"""Words of a command whose user, judge and extractor are models of this endpoint."""

Habit = Callable[[Request], Reply | None]
"""What is done with a request; None is what is usually done."""


def as_usual(_: Request) -> Reply | None:
    """Nothing out of the ordinary."""
    return None


@dataclass(slots=True)
class Wheel:
    """What the models `agent`, `user`, `judge` and `extractor` of one endpoint say.

    Attributes:
        items: The tasks of the run.
        agent: What the agent does; None is what `plays` does.
        user: What the user does; None follows the script of the task.
        judge: What the judge does; None knows what `plays` means by its words, and finds nothing wrong.
        second: The same of another judge.
        extractor: What the extractor does; None knows what `plays` means by its words.
        plays: The built-in agent that the agent is like.
        requests: Of this test, in the order of arrival.
        handed: Input and output tokens of the replies that carried any, by model.
    """

    base_url: str = ""
    items: Sequence[CarItem] = ()
    agent: Habit = as_usual
    user: Habit = as_usual
    judge: Habit = as_usual
    second: Habit = as_usual
    extractor: Habit = as_usual
    plays: str = "oracle"
    requests: list[Request] = field(default_factory=list[Request])
    handed: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def script(self, request: Request) -> Reply:
        """Answer a request, and count what it costs."""
        self.requests.append(request)
        reply = self._reply(request)
        for what, count in tokens_of(reply, request).items():
            self.handed[request.model, what] += count
        return reply

    def _reply(self, request: Request) -> Reply:
        match request.model:
            case "judge":
                return self.judge(request) or Say(self.judged(request))
            case "second":
                rules = any(mark in request.conversation for mark in KINDS)
                return self.second(request) or Say((self.judged if rules else self.extracted)(request))
            case "extractor":
                return self.extractor(request) or Say(self.extracted(request))
            case "user":
                return self.user(request) or Say(self.line_of(request))
            case _:
                return self.agent(request) or as_reply(self.move_of(request))

    def move_of(self, request: Request) -> Move:
        """What the built-in agent would do."""
        item = self.asked_of(request)
        sent = sum(one["role"] == "assistant" and text_of(one) != NOTE for one in request.messages)
        rng = generator(0, self.plays, item.id, "conversation", 1, sent)
        made = move(self.plays, ConversationView(gold_of(item), sent, rng))
        return made if made.calls or len(request.tools) == len(item.tools) else Move(NOTE)

    def line_of(self, request: Request) -> str:
        """What the script has the user say: the conversation so far is played again."""
        player = user_of(self.played(request))
        _, *messages = [text_of(one) for one in request.messages if one["role"] == "user"]
        said = player.opening()
        for text in messages:
            said = player.reply(self.meant(self.played(request), text))
        if said.word is Control.CONTINUE:
            return line(said.text)
        return line("", said.word.value)

    def meant(self, item: CarItem, text: str) -> Declared:
        """What the built-in agent declares with these words."""
        for turn in range(len(gold_of(item).actions) * 2 + 3):
            made = move(self.plays, ConversationView(gold_of(item), turn, generator(0, "meant")))
            if made.text == text:
                return made.declared
        return Declared()

    def judged(self, request: Request) -> str:
        """A right ruling on a message; nothing wrong with policies and users."""
        prompt = request.conversation
        kind = next(kind for mark, kind in KINDS.items() if mark in prompt)
        if kind == "policy":
            return vote("followed")
        if kind == "user":
            return json.dumps(filled(prompt, {}))
        message = prompt.split("==========\n")[1].strip()
        acts: dict[str, dict[str, str]] = {}
        for item in self.items:
            words = {part.id: part.words for part in item.parts}
            for act in self.meant(item, message).acts:
                if act.about in words and words[act.about] in prompt:
                    acts[words[act.about]] = {act.act: message}
        known = {"acknowledged", "claimed", "asked"}
        return json.dumps(filled(prompt, {words: one for words, one in acts.items() if {*one} <= known}))

    def extracted(self, request: Request) -> str:
        """The form of a message, as the built-in agent would declare it."""
        prompt = request.conversation
        message = prompt.split("==========\n")[1].strip()
        forms = [(item, form) for item in self.items if (form := item.telling.form()) is not None]
        item, form = next(one for one in forms if json.dumps(one[1].schema(), ensure_ascii=False) in prompt)
        return json.dumps(form.declared(self.meant(item, message)))

    def played(self, request: Request) -> CarItem:
        """The task that a user is asked about, or one that has the same scenario."""
        told = text_of(request.messages[0])
        return next(item for item in self.items if item.what.instruction in told)

    def asked_of(self, request: Request) -> CarItem:
        """The task that the agent is asked about, by its tools and the first message."""
        offered = {*request.tool_names}
        found = [item for item in self.items if script_of(item.what).opening in request.conversation]
        same = [item for item in found if {tool.name for tool in item.tools} == offered]
        # In the first of two phases only some tools are offered.
        (one,) = same or [item for item in found if {tool.name for tool in item.tools} > offered]
        return one

    def expects(self, **options: Any) -> None:
        """Take the tasks of a run with these options, the others at their defaults."""
        self.items = cast("tuple[CarItem, ...]", planned(**options).items)

    def of(self, model: str) -> list[Request]:
        """The requests to one model."""
        return [one for one in self.requests if one.model == model]

    def counted(self) -> Counter[str]:
        """How many requests each model got."""
        return Counter(one.model for one in self.requests)


def tokens_of(reply: Reply, request: Request) -> dict[str, int]:
    """The tokens that a reply claims to have cost; none where it is no completion."""
    _, _, body = reply.answer(request).payload.partition(b"\r\n\r\n")
    try:
        usage: dict[str, int] = json.loads(body)["usage"]
    except (ValueError, KeyError):
        return {}
    return {"in": usage["prompt_tokens"], "out": usage["completion_tokens"]}


def always(reply: Reply) -> Habit:
    """The same reply again and again."""
    return lambda _: reply


def says(text: str = "", word: str = "CONTINUE") -> Reply:
    """A reply of the user, in the form that is asked for."""
    return Say(line(text, word))


def later(reply: Reply) -> Habit:
    """The script's opening, and then this again and again."""
    return lambda request: reply if request.rounds else None


def words_of(kind: str, limit: int, model: str = MODEL) -> tuple[object, ...]:
    """The words after `knowact run` for tasks of one type; user and judge are models of this endpoint."""
    return "car", "--model", model, "--type", kind, "--limit", limit, "--trials", 1, *PEOPLE


@dataclass
class Drive:
    """Runs the suite against the endpoint, below a folder of its own."""

    wheel: Wheel
    capsys: pytest.CaptureFixture[str]
    folder: Path
    model: str = MODEL

    def __call__(
        self,
        kind: str = "base",
        limit: int = 1,
        *more: object,
        engine: tuple[object, ...] = PATIENT,
        **options: Any,
    ) -> Ran:
        """Run; options of the suite change which tasks the endpoint expects."""
        self.wheel.expects(type=kind, limit=limit, **options)
        given = [word for name, value in options.items() for word in (f"--{name}", value)]
        ran = knowact(
            self.capsys,
            "run",
            *words_of(kind, limit, self.model),
            *given,
            *more,
            "--log-dir",
            self.folder,
            *engine,
        )
        assert "Traceback" not in ran.said
        return ran

    @property
    def records(self) -> list[Record]:
        """The trials of the only run."""
        return list(records_at(self.folder).values())

    @property
    def record(self) -> Record:
        """The only trial."""
        (one,) = self.records
        return one

    def rows(self, table: str, measure: str) -> list[dict[str, Any]]:
        """Rows of a table of the report."""
        report = json_report(self.capsys, self.folder, self.folder / "report.json")
        return table_rows(report, table, measure)
