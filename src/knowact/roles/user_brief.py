"""What a model that plays the user is told, and what somebody at the terminal is shown. Pure."""

from dataclasses import dataclass
from functools import cache

from knowact.core.prompts import Prompt, load_prompt
from knowact.roles.script import Persona

_STYLES = {
    "commanding": "You give orders, briefly, and expect them to be carried out.",
    "conversational": "You chat with the assistant as with a friend.",
    "questioning": "You ask a lot, and like to hear how and why from somebody who knows better.",
}
_SKILLS = {
    "low": "You know little of {subject} and technology; you use everyday words and are a bit anxious.",
    "high": "You know {subject} well and call things by their names.",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a user talks to an assistant.

    Attributes:
        player: Completes "You play somebody who".
        subject: What a user knows little or much of.
        place: What somebody at the terminal reads first.
        notices: Whether the user says so when an answer is left out, or a report or a proposal does not fit.
    """

    player: str = "talks to an assistant"
    subject: str = "the subject"
    place: str = "You talk to an assistant."
    notices: bool = True


_NOTICE_IT_TOO = (
    "Say so, once, if a question of yours is passed over, something is reported that you did not want, or a "
    "proposal does not fit."
)


@cache
def user_prompt(*, notices: bool = True) -> Prompt:
    """The versioned prompt of the role `user`; its hash goes into the log.

    Args:
        notices: Whether the user says so where something does not fit; the published one never does.
    """
    return load_prompt("knowact.roles", "user" if notices else "user_as_published")


def persona_in_words(persona: Persona, setting: Setting) -> str:
    """Who the user is, in a few sentences; published data bring their own."""
    if persona.words:
        return persona.words
    skill = _SKILLS.get(persona.proficiency, "")
    age = f"You are {persona.age} years old." if persona.age else ""
    return " ".join(filter(None, (age, _STYLES[persona.style], skill.format(subject=setting.subject))))


def user_brief(persona: Persona, scenario: str, setting: Setting = Setting()) -> str:
    """The system message of a model that plays the user: who they are and what they want, no more.

    What was taken away, what is right, and the state of the world are not in it: a model cannot give away
    what it was not told.
    """
    who = persona_in_words(persona, setting)
    values = {"player": setting.player, "persona": who, "scenario": scenario}
    return user_prompt(notices=setting.notices).fill(values)


def scenario_for_a_person(persona: Persona, scenario: str, setting: Setting = Setting()) -> tuple[str, ...]:
    """What somebody at the terminal reads before the first message, a paragraph each."""
    return (
        "",
        setting.place,
        persona_in_words(persona, setting),
        f"What you want: {scenario}",
        "Speak of nothing else. Give details when you are asked; have no preference about the rest.",
        _NOTICE_IT_TOO if setting.notices else "If something is not as you wanted it, leave it so.",
    )
