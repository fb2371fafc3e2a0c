"""What the user's staging system hands out when somebody reserves a test account."""

from dataclasses import dataclass

from knowact.core.seeds import generator


@dataclass(frozen=True, slots=True)
class Login:
    """A test account's name, and the four digits that open it."""

    name: str
    pin: str


def account_login(seed: int, role: str, tester: str) -> Login:
    """Return the account that the staging system gives a tester for a role."""
    draw = generator(seed, "test account", role, tester)
    word = draw.choice(("amber", "birch", "cobalt", "delta", "ember", "fjord", "grove", "heron"))
    return Login(f"{role}-{word}-{draw.randint(100, 999)}", f"{draw.randint(0, 9999):04d}")
