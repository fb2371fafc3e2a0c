"""A scripted endpoint's side of FAIL-TaLMs: an agent that knows the items, and whoever reads or helps it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from doubles.endpoint import CallTools, Reply, Request, Say, ToolCall
from doubles.replies import text_of
from knowact.agents.policy import Attempt, Move, View
from knowact.agents.reference import AGENTS, ASK
from knowact.core.declared import Declared
from knowact.core.seeds import generator
from knowact.suites.fail_talms.asked import ACT, AskedItem

_TOOLS = re.compile(r"<tools>\n(.*?)\n</tools>", re.DOTALL)
_ITEM = re.compile(r"^- (p\d+): (.*?)(?: = (.*))?$(?:\n  (You .*)$)?", re.MULTILINE)
_FORM = re.compile(r"==========\n(.*)\n==========\n\nThe form:\n\n(.*)\Z", re.DOTALL)
_REQUEST = re.compile(r"<request>\n(.*?)\n</request>", re.DOTALL)

TRUE_NAME = "openai-api/asking"
"""What the engine calls the models of this endpoint, before the last slash."""


def as_usual(_: Request) -> Reply | None:
    """Nothing out of the ordinary."""
    return None


def printed_tools(request: Request) -> list[str] | None:
    """The tools that an awareness question prints; None where the request is something else."""
    found = _TOOLS.search(request.conversation)
    if found is None:
        return None
    return [tool["name"] for tool in json.loads(found.group(1)) if tool["name"] != ASK]


def users_words(request: Request) -> str:
    """All that the user says: printed in a question, or a message each."""
    found = _REQUEST.search(request.conversation)
    if found is not None:
        return found.group(1)
    return "\n\n".join(text_of(one) for one in request.messages if one["role"] == "user")


def agrees(request: Request) -> Reply:
    """A judge that likes everything, with a quote and a reason."""
    result = "fits" if "<missing>" in request.conversation else "right"
    return Say(json.dumps({"quote": "…", "why": "It looks fine.", "verdict": result}))


def helps(request: Request) -> Reply:
    """A person who answers as the page of the role says: what the question names, and nothing else."""
    page, _, asked = request.conversation.rpartition("<question>")
    found = [one for one in _ITEM.findall(page) if f"({one[1]})" in asked]
    said = [f"It is {value}." if value else able.partition("find: ")[2] for _, _, value, able in found]
    answer = " ".join(filter(None, said)) or "I don't know."
    return Say(json.dumps({"asks_for": [one[0] for one in found], "answer": answer}))


@dataclass(slots=True)
class AskingAgents:
    """What the models `agent`, `extractor`, `judge` and `person` of one endpoint say.

    Attributes:
        items: What may be asked about.
        habit: What the agent does in place of what the oracle does; None is what that does.
        extractor: What the extractor says; None lets it fill forms in as the agent would declare.
        judge: What the judge says.
        person: What the model says that plays the person.
        fault: What the endpoint does in place of any reply; None lets it through.
        requests: Those that were let through, in the order of arrival.
    """

    base_url: str = ""
    items: Sequence[AskedItem] = ()
    habit: Callable[[Request], Reply | None] = as_usual
    extractor: Callable[[Request], Reply | None] = as_usual
    judge: Callable[[Request], Reply] = agrees
    person: Callable[[Request], Reply] = helps
    fault: Callable[[Request], Reply | None] = as_usual
    requests: list[Request] = field(default_factory=list[Request])
    meant: dict[str, tuple[AskedItem, Declared]] = field(
        default_factory=dict[str, tuple[AskedItem, Declared]]
    )

    def script(self, request: Request) -> Reply:
        """Answer a request."""
        spoilt = self.fault(request)
        if spoilt is not None:
            return spoilt
        self.requests.append(request)
        match request.model:
            case "judge":
                return self.judge(request)
            case "person":
                return self.person(request)
            case "extractor":
                return self.extractor(request) or self.filled(request)
            case _:
                return self.habit(request) or self.as_the_oracle(request)

    def as_the_oracle(self, request: Request) -> Reply:
        """What an agent does that knows the item."""
        item, about = self.item_of(request), about_of(request)
        rng = generator(0, "oracle", item.id, ACT, 1)
        if about:
            return Say(AGENTS["oracle"].proceed(View(item, 0, rng, about)).text)
        known = item.known if ASK in request.tool_names else None
        turn = request.rounds
        move = AGENTS["oracle"].act(View(item, turn, rng, "", known is not None, known))
        if move.text:
            self.meant[move.text] = (item, move.declared)
        return as_reply(move)

    def filled(self, request: Request) -> Reply:
        """The form of a reply as the oracle means it; an empty form where the words are somebody else's."""
        found = _FORM.search(request.conversation)
        assert found is not None
        reply, form = found.groups()
        meant = self.meant.get(reply)
        if meant is None:
            return Say(json.dumps(dict.fromkeys(json.loads(form)["properties"])))
        item, declared = meant
        # Only the facts and parts of the item itself make sense of its words.
        assert json.loads(form) == item.form.schema()
        return Say(json.dumps(item.form.declared(declared)))

    def item_of(self, request: Request) -> AskedItem:
        """The item that a request is about: by all that the user says, and by the tools."""
        printed = printed_tools(request)
        shown = [name for name in request.tool_names if name != ASK] if printed is None else printed
        (found,) = [
            item
            for item in self.items
            if sorted(tool.name for tool in item.tools) == sorted(shown)
            and "\n\n".join(one.text for one in item.task.opening.utterances) == users_words(request)
        ]
        return found

    def of(self, model: str) -> list[Request]:
        """The requests to one model."""
        return [one for one in self.requests if one.model == model]

    def counted(self) -> Counter[str]:
        """How many requests each model got."""
        return Counter(one.model for one in self.requests)


def about_of(request: Request) -> str:
    """Which awareness question is asked; "" where the agent is to act."""
    if printed_tools(request) is None:
        return ""
    about = ("Judge by the information", "Do you have all the information")
    return "information" if any(words in request.conversation for words in about) else "tools"


def as_reply(move: Move) -> Reply:
    """A move as it goes over the wire."""
    if not move.calls:
        return Say(move.text)
    return CallTools(tuple(ToolCall(call.tool, call.arguments) for call in move.calls))


def question(text: str) -> Reply:
    """A call of the tool `ask_human`."""
    return as_reply(Move(calls=(Attempt(ASK, {"question": text}),)))


def results(request: Request, tool: str) -> list[str]:
    """What came back from a tool so far."""
    ids = [
        call["id"]
        for message in request.messages
        for call in cast("list[dict[str, dict[str, str]]]", message.get("tool_calls") or [])
        if call["function"]["name"] == tool
    ]
    return [text_of(one) for one in request.messages if one.get("tool_call_id") in ids]
