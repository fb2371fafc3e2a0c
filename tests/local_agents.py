"""Scripted agents, extractors and judges behind Inspect's own provider: they know all answers, and some
misbehave.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from doubles.endpoint import CallTools, Reply, Request, Say, ToolCall
from knowact.agents.policy import right_answer
from knowact.core.declared import Declared
from knowact.core.task import Task
from knowact.engine.first_call import QUESTION
from knowact.reading.answer_form import AnswerForm

Habit: TypeAlias = Callable[[Request, int], Reply | None]
"""What is done with a request about a task, given how often this probe of it has been asked; None is the
right thing."""

READERS = ("extractor", "judge")
"""The models that read what agents say."""

_TOOLS = re.compile(r"<tools>\n(.*?)\n</tools>", re.DOTALL)


def shown_tools(request: Request) -> list[str]:
    """The tools that a request is about: registered ones, or those that the knowing probe prints."""
    if request.tools:
        return list(request.tool_names)
    found = _TOOLS.search(request.conversation)
    return [] if found is None else [tool["name"] for tool in json.loads(found.group(1))]


def well_done(request: Request, task: Task) -> Reply:
    """What an agent does that knows what it can do: the plan's external calls, then the right answer."""
    tools = shown_tools(request)
    if not request.tools:
        return Say(json.dumps({"tool_decisions": {name: name in task.required for name in tools}}))
    wanted = {step.tool: ToolCall(step.tool, step.call_arguments) for step in task.plan if step.external}
    if wanted and request.rounds == 0:
        return CallTools(tuple(wanted[name] for name in tools if name in wanted))
    return Say(right_answer(task).text)


def right_form(request: Request, task: Task) -> Reply:
    """An extractor that reads the right answer, and finds nothing in any other."""
    return Say(json.dumps(form_of(task, stated=right_answer(task).text in request.conversation)))


def form_of(task: Task, *, stated: bool = True) -> dict[str, Any]:
    """The form that says what the right answer states; with nothing in it where nothing is `stated`."""
    form = AnswerForm.from_facts(task.facts)
    return form.declared(right_answer(task).declared if stated else Declared())


def right_vote(request: Request) -> Reply:
    """A judge that likes everything."""
    return Say('{"verdict": "right"}')


@dataclass(slots=True)
class LocalAgents:
    """Agents and their readers behind one endpoint; the agents know all tasks, and some misbehave, by task.

    Attributes:
        tasks: What may be asked about.
        answers: What an agent does that behaves.
        habits: By task id, what is done instead of the right thing.
        extractor: What the model of that name replies.
        judge: Likewise.
        requests: Those of this test, in the order of arrival.
    """

    base_url: str = ""
    tasks: Sequence[Task] = ()
    answers: Callable[[Request, Task], Reply] = well_done
    habits: dict[str, Habit] = field(default_factory=dict[str, Habit])
    extractor: Callable[[Request, Task], Reply] = right_form
    judge: Callable[[Request], Reply] = right_vote
    requests: list[Request] = field(default_factory=list[Request])

    def script(self, request: Request) -> Reply:
        """Answer a request."""
        self.requests.append(request)
        if request.conversation == QUESTION:
            return Say("OK")
        if request.model == "judge":
            return self.judge(request)
        task = self.task_of(request)
        if request.model == "extractor":
            return self.extractor(request, task)
        habit = self.habits.get(task.id)
        if habit is None:
            return self.answers(request, task)
        same_probe = [one for one in self.requests if one.conversation == request.conversation]
        return habit(request, len(same_probe)) or self.answers(request, task)

    def task_of(self, request: Request) -> Task:
        """The task that a request is about, by its text."""
        found = [task for task in self.tasks if task.opening.text in request.conversation]
        return max(found, key=lambda task: len(task.opening.text))

    def asked(self) -> Counter[str]:
        """How often each task was asked about, by agents alone."""
        return Counter(self.task_of(one).id for one in self.requests if one.model not in READERS)

    def recover(self) -> None:
        """From now on every agent does the right thing; what was asked so far is forgotten."""
        self.habits.clear()
        self.requests.clear()
