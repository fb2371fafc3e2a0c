"""What judge and extractor said of a stored trial, verdict by verdict, and what they were shown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from knowact.core.conversation import Parsed, Said, Trial
from knowact.core.parts import Part
from knowact.core.suite import Item
from knowact.core.verdict import Verdict
from knowact.core.votes import majority
from knowact.engine.conversations import ConversationSpec
from knowact.engine.roles import EXTRACTOR, JUDGE
from knowact.engine.stored import Kept
from knowact.probes.response import Judged, Response
from knowact.probes.spec import TaskSpec
from knowact.roles.extractor import Extraction, Reading, extraction_text
from knowact.roles.ruling import FAULT, MESSAGE_ACTS, on_message, one_entry
from knowact.roles.termination import TerminationRules

POLICIES = "policies"
USER_FAULTS = "user's faults"
FACTS = "facts stated"


@dataclass(frozen=True, slots=True)
class Of:
    """The stored trial that verdicts are about; attributes as in `Verdict`."""

    item: Item
    trial: str
    epoch: int

    def said(
        self,
        role: str,
        kind: str,
        what: str,
        said: str | None,
        shown: Callable[[], str],
        *,
        choices: tuple[str, ...] = ("yes", "no"),
    ) -> Verdict:
        """A verdict on it."""
        where = f"{self.item.id}/{self.epoch}"
        return Verdict(self.trial, where, self.item.task.cluster, role, kind, what, said, choices, shown)


def as_judged(spec: TaskSpec, item: Item, responses: Mapping[str, Response], stored: Kept) -> Judged:
    """Responses with the forms and votes that a log keeps of them."""
    judged = Judged(responses)
    forms = ((one.name, stored.extraction(one)) for one in spec.readings(item, responses))
    judged = replace(judged, extracted={name: form for name, form in forms if form is not None})
    votes = ((one.name, stored.votes_on(one)) for one in spec.ballots(item, judged))
    return replace(judged, votes={name: cast for name, cast in votes if cast is not None})


def of_probes(spec: TaskSpec, of: Of, judged: Judged) -> Iterator[Verdict]:
    """What forms and votes say of the replies of a trial; what takes no vote is no verdict."""
    for reading in spec.readings(of.item, judged.responses):
        form = judged.extracted.get(reading.name)
        if form is not None and form.by:  # nobody fills the form of a reply without words
            yield from _of_form(of, reading, form)
    for ballot in spec.ballots(of.item, judged):
        votes = judged.votes.get(ballot.name)
        if votes is not None and ballot.votes:
            shown = partial("\n".join, ballot.prompts[:1])
            yield of.said(JUDGE, ballot.name, "", votes.winner, shown, choices=ballot.choices)


def _of_form(of: Of, reading: Reading, form: Extraction) -> Iterator[Verdict]:
    """Each slot of a form, and what it comes to."""
    shown = partial(extraction_text, reading.form, reading.request, reading.reply)
    for number in range(len(reading.form.facts)):
        said = ("yes" if form.results.slots[number].passed else "no") if form.usable else None
        yield of.said(EXTRACTOR, FACTS, str(number), said, shown)
    for act in reading.form.acts:
        for part in reading.form.parts:
            said = ("yes" if part.id in form.results.did(act) else "no") if form.usable else None
            yield of.said(EXTRACTOR, act, part.id, said, shown)


def of_conversation(spec: ConversationSpec, of: Of, attempts: Sequence[Trial]) -> Iterator[Verdict]:
    """What was ruled on in the attempts at a conversation, and what its messages were read into."""
    for number, trial in enumerate(attempts, start=1):
        yield from _on_messages(spec, of, number, trial)
        yield from _in_forms(spec, of, number, trial)
        prompts = {one.name: one for one in spec.ballots(of.item, trial)} if trial.judged else {}
        for votes in trial.judged:
            half, ballot = 2 * sum(votes.followed) - len(votes.followed), prompts.get(votes.policy)
            shown = partial("\n".join, ballot.prompts[:1] if ballot else ())
            yield of.said(
                JUDGE, POLICIES, f"{number}/{votes.policy}", _yes_or_no(half > 0 if half else None), shown
            )
        asked = spec.on_user(of.item, trial) if trial.user_votes else None
        for part in asked.form.parts if asked else ():
            said = _yes_or_no(majority(trial.user_votes, FAULT, part.id))
            if asked:
                shown = partial(one_entry, asked, FAULT, part)
                yield of.said(JUDGE, USER_FAULTS, f"{number}/{part.id}", said, shown)


def _on_messages(spec: ConversationSpec, of: Of, number: int, trial: Trial) -> Iterator[Verdict]:
    """What each message does about each part."""
    rules = spec.rules(of.item)
    for place, event in enumerate(trial.events):
        if not isinstance(event, Parsed):
            continue
        until = trial.model_copy(update={"events": trial.events[:place]})
        for act in MESSAGE_ACTS:
            for part in rules.parts:
                shown = partial(_message_shown, rules, until, act, part)
                said = _yes_or_no(event.says(act, part.id))
                yield of.said(JUDGE, act, f"{number}/{event.step}/{part.id}", said, shown)


def _in_forms(spec: ConversationSpec, of: Of, number: int, trial: Trial) -> Iterator[Verdict]:
    """What state each slot of each message's form is in, as the form stands before anything is done."""
    if (form := spec.form(of.item)) is None:
        return
    words = {e.step: e.text for e in trial.events if isinstance(e, Said) and e.role == "assistant"}
    for one in trial.forms:
        results = form.score(words.get(one.step, ""), one.filled)
        shown = partial(extraction_text, form, "", words.get(one.step, ""))
        for place in range(len(form.facts)):
            said = results.slots[place].state if results.valid else None
            yield of.said(EXTRACTOR, FACTS, f"{number}/{one.step}/{place}", said, shown, choices=())


def _message_shown(rules: TerminationRules, until: Trial, act: str, part: Part) -> str:
    """What was asked about the last message of a conversation that goes no further."""
    said = until.words("assistant")
    asked = on_message("", rules.parts, rules.before(until), said[-1] if said else "", shuffle=rules.shuffle)
    return one_entry(asked, act, part)


def _yes_or_no(said: bool | None) -> str | None:  # noqa: FBT001 - the ruling itself
    return None if said is None else "yes" if said else "no"
