"""What a model that plays the user is told, and what somebody at the terminal is shown. Pure."""

from functools import cache

from knowact.core.prompts import Prompt, load_prompt
from knowact.people.script import Persona

_STYLES = {
    "commanding": "You give orders, briefly, and expect them to be carried out.",
    "conversational": "You chat with the assistant as with a friend.",
    "questioning": "You ask a lot, and like to hear how and why from somebody who knows better.",
}
_SKILLS = {
    "low": "You know little of cars and technology; you use everyday words and are a bit anxious.",
    "high": "You know cars well and call things by their names.",
}


@cache
def user_prompt() -> Prompt:
    """The versioned prompt of the role `user`; its hash goes into the log."""
    return load_prompt("knowact.people", "user")


def persona_in_words(persona: Persona) -> str:
    """Who drives, in a few sentences; published data bring their own."""
    if persona.words:
        return persona.words
    age = f"You are {persona.age} years old." if persona.age else ""
    return " ".join(filter(None, (age, _STYLES[persona.style], _SKILLS.get(persona.proficiency, ""))))


def user_brief(persona: Persona, scenario: str) -> str:
    """The system message of a model that plays the driver: who they are and what they want, no more.

    What was taken away, what is right, and what the car's state is are not in it: a model cannot give away
    what it was not told (defect D-41).
    """
    return user_prompt().fill({"persona": persona_in_words(persona), "scenario": scenario})


def scenario_for_a_person(persona: Persona, scenario: str) -> tuple[str, ...]:
    """What somebody at the terminal reads before the first message, a paragraph each."""
    return (
        "",
        "You are the driver, and talk to the assistant of your car.",
        persona_in_words(persona),
        f"What you want: {scenario}",
        "Speak of nothing else. Give details when you are asked; have no preference about the rest.",
    )
