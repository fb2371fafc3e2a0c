"""The built-in agents by name."""

from knowact.agents.conversants import CONVERSANTS
from knowact.agents.hostile import Hostile
from knowact.agents.reference import AGENTS, NEEDS_TELLING, Reference
from knowact.core.errors import UnknownName
from knowact.core.role_model import BUILT_IN

DESCRIPTIONS = {
    "oracle": "says and uses exactly what is needed, and answers correctly: the reference agent",
    "eager": "says and uses everything",
    "shy": "says and uses nothing",
    "random": "tosses a coin for each tool, in each probe",
    "lexical": "goes by words that query and tool share",
    "tools-only": "goes by how external a tool sounds, without reading the query",
    "knows-but-overacts": "says exactly what is needed, and uses more",
    NEEDS_TELLING: "knows its limits, and minds them only under a strategy that tells it to check them",
    "ignorant": "does not know its limits, and follows a right verdict that it is told",
    "forgetful": "knows its limits when asked, and acts on that only where the verdict stands in the chat",
    "always-no": "says that it cannot be done, and does nothing",
    "always-idk": "says that it does not know, and does nothing",
    "always-ask": "asks for more details, whatever the item",
    "always-act": "says yes and calls everything, with fabricated arguments",
    "fabricator": "says yes, does what can be done, and fabricates the rest",
    "premature": "in conversations: writes without reading or asking",
    "silent-omitter": "in conversations: leaves out what is missing and does not say so",
    "misreporter": "in conversations: does everything, and reports it falsely",
    "asker": "in conversations: asks about everything and does nothing",
    "refuser": "in conversations: says that it can't, and never names what",
    "hostile": "breaks its output in every way we know",
}


def unfit(name: str, *, converses: bool) -> str:
    """Say in a sentence why a built-in agent can't take part; empty where it can.

    Args:
        name: Without the prefix.
        converses: Whether the suite's trials are conversations with a user.
    """
    able = (*CONVERSANTS,) if converses else (*AGENTS, "hostile")
    if name in able or name not in DESCRIPTIONS:
        return ""
    does = "takes no part" if converses else "takes part only"
    others = ", ".join(BUILT_IN + other for other in sorted(able))
    return f"The agent {BUILT_IN}{name} {does} in conversations; for this suite there are {others}."


def agent(name: str) -> Reference | Hostile:
    """Return a built-in agent; `name` is without the prefix. One that only converses does nothing else.

    Raises:
        UnknownName: There is none of that name.
    """
    if name == "hostile":
        return Hostile()
    if name in CONVERSANTS and name not in AGENTS:
        return AGENTS["shy"]
    if name not in AGENTS:
        raise UnknownName("built-in agent", name, DESCRIPTIONS)
    return AGENTS[name]
