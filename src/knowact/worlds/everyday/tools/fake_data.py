"""FakeData: the user's own staging system, and what testers make up for it."""

import datetime as dt
import math
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, never, on, refuse
from knowact.worlds.everyday.fields import Day, PersonName
from knowact.worlds.everyday.private.work import ReservedAccount, StagingCustomer, StagingOrder
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_STAGING_SERVER: Final = Server("FakeData", "staging")
_MADE_UP: Final = Server("FakeData", "made_up")

CustomerNumber = Annotated[str, Attribute("test_customer.number"), Rules(max_length=40)]
TestOrderNumber = Annotated[str, Attribute("test_order.number"), Rules(max_length=40)]
Role = Literal["viewer", "editor", "cashier", "manager", "auditor"]
Pattern = Literal["first.last", "f.last", "last.first", "firstlast"]
_STAGING: Final = always(Dimension.PRIVACY, why="Only the user's own staging system has it.")
_WORDS: Final = ("amber", "birch", "cobalt", "delta", "ember", "fjord", "grove", "heron")
_FEW_FIELDS: Final = 3
_FEW_CHOICES: Final = 12
_DOUBLED_LEAST: Final = 9


class TestCustomer(Shape):
    number: str = echo("Their number.")
    name: str = fact("test_customer.name", "Their name.")
    city: str = fact("test_customer.city", "The city they live in.")
    joined: str = fact("test_customer.joined", "The day they registered, YYYY-MM-DD.")
    credit_eur: float = fact("test_customer.credit", "Their credit in euros.")


@_STAGING_SERVER.tool(
    rubric=_STAGING,
    scenario="A tester signs in as a made-up customer and needs to know who that is.",
    person_can="The user can open the record in their own system and read it out.",
)
def get_test_customer(state: State, number: CustomerNumber) -> TestCustomer:
    """Look up a made-up customer in the user's staging system.

    Args:
        number: The customer's number, such as "TC-104".
    """
    customer = state.record(StagingCustomer, number, "test customer")
    return TestCustomer.of(customer, number=number, credit_eur=float(customer.credit))


class TestOrder(Shape):
    number: str = echo("Its number.")
    customer: str = fact("test_order.customer", "Number of the test customer who placed it.")
    items: int = fact("test_order.items", "How many items it has.")
    total_eur: float = fact("test_order.total", "What it comes to in euros.")
    placed: str = fact("test_order.placed", "The day it was placed, YYYY-MM-DD.")


@_STAGING_SERVER.tool(
    rubric=_STAGING,
    scenario="A tester checks an invoice page against the made-up order behind it.",
    person_can="The user can open the record in their own system and read it out.",
)
def get_test_order(state: State, number: TestOrderNumber) -> TestOrder:
    """Look up a made-up order in the user's staging system.

    Args:
        number: The order's number, such as "TO-2011".
    """
    order = state.record(StagingOrder, number, "test order")
    return TestOrder.of(order, number=number, total_eur=float(order.total))


class TestAccount(Shape):
    login: str = fact("test_account.login", "Its login.")
    pin: str = fact("test_account.pin", "The four digits that open it.")


@_STAGING_SERVER.tool(
    about=("tester", "role", "until"),
    changes=("test_account.reserved",),
    rubric=always(Dimension.INTERACTION, why="The account belongs to the tester afterwards."),
    scenario="A colleague tests a new page and needs an account with certain rights for some days.",
    person_cannot="Accounts are handed out by the staging system alone.",
)
def reserve_test_account(state: State, tester: PersonName, role: Role, until: Day) -> TestAccount:
    """Reserve an account in the user's staging system for a tester; each has at most one per role.

    Args:
        tester: Full name of the person who tests.
        role: Which rights the account has.
        until: The last day on which they need it, as YYYY-MM-DD.
    """
    if not tester.strip():
        refuse("bad_arguments", "The tester has no name.", "Give the tester's full name.")
    if dt.date.fromisoformat(until) < state.today:
        refuse("bad_arguments", f"{until} is over.", "Choose a day from today on.")
    draw = state.draw("test account", role, tester)
    login, pin = f"{role}-{draw.choice(_WORDS)}-{draw.randint(100, 999)}", f"{draw.randint(0, 9999):04d}"
    held = state.table(ReservedAccount)
    if any((account.tester, account.role) == (tester, role) for account in held.values()):
        refuse("conflict", f"{tester} has an account as {role} already.", "Choose another role.")
    if login in held:
        refuse("conflict", f"The account {login!r} is taken.", "Choose another role.")
    state.put(login, ReservedAccount(tester=tester, role=role, until=until))
    return TestAccount(login=login, pin=pin)


class LuhnDigit(Shape):
    check_digit: int = fact("digits.luhn", "The digit to append.")


@_MADE_UP.tool(
    rubric=by_size(
        on(limits.no_longer(6), "digits"),
        why="Every second digit doubled and added up: on paper for five digits, a slip away for eighteen.",
    ),
    scenario="A developer makes up card or membership numbers that have to pass a form's check.",
    person_cannot="Doubling and adding eighteen digits without a slip is no work for in between.",
)
def get_luhn_digit(
    _state: State, digits: Annotated[str, Attribute("digits.value"), Rules(max_length=60)]
) -> LuhnDigit:
    """Work out the Luhn check digit to append to a number that does not have one yet.

    Args:
        digits: The number without its check digit, digits only.
    """
    if not (digits.isascii() and digits.isdigit()):
        refuse("bad_arguments", f"{digits!r} is not made of digits.", "Give digits only, such as '79927'.")
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        # The last digit is doubled first: the check digit will stand behind it.
        weighed = digit if place % 2 else digit * 2
        total += weighed - 9 if weighed > _DOUBLED_LEAST else weighed
    return LuhnDigit(check_digit=-total % 10)


def _few_choices(choices: Sequence[int]) -> bool:
    """At most three fields, with at most twelve choices each."""
    return len(choices) <= _FEW_FIELDS and max(choices) <= _FEW_CHOICES


class TestCaseCount(Shape):
    combinations: int = fact("form.combinations", "Number of combinations, one choice from each field.")


@_MADE_UP.tool(
    also_done_by=("multiply",),
    rubric=by_size(
        on(_few_choices),
        why="Three small factors by head; six of two digits not.",
    ),
    scenario="A tester asks how many combinations a form with several menus allows.",
    person_cannot="A product of six numbers takes a calculator.",
)
def count_test_cases(
    _state: State,
    choices: Annotated[
        list[Annotated[int, Rules(minimum=1, maximum=60)]],
        Attribute("form.choices"),
        Rules(min_items=1, max_items=8),
    ],
) -> TestCaseCount:
    """Count the combinations that a form allows when one choice is made in each of its fields.

    Args:
        choices: How many choices each field has, field by field.
    """
    return TestCaseCount(combinations=math.prod(choices))


class PlaceholderEmail(Shape):
    email: str = fact("placeholder.email", "The address, in small letters.")


@_MADE_UP.tool(
    about=("name", "domain", "pattern"),
    rubric=never(why="Two words and a domain put together in a stated order."),
    scenario="A tester fills a form with addresses that follow the company's pattern.",
    person_can="Anybody can write a name and a domain one behind the other.",
)
def make_placeholder_email(
    _state: State,
    name: PersonName,
    domain: Annotated[str, Attribute("domain.name"), Rules(max_length=120)],
    pattern: Pattern = "first.last",
) -> PlaceholderEmail:
    """Put a placeholder e-mail address together, in small letters, from a first and a last name.

    Args:
        name: First and last name, one word each, in plain letters.
        domain: What stands behind the "@", such as "example.org".
        pattern: How the name is written: "f" is the first letter of the first name.
    """
    words = name.lower().split()
    if len(words) != 2 or not all(word.isascii() and word.isalpha() for word in words):  # noqa: PLR2004 - first and last
        refuse("bad_arguments", f"{name!r} is not one first and one last name.", "Give a name of two words.")
    if "@" in domain or "." not in domain or " " in domain:
        refuse("bad_arguments", f"{domain!r} is no domain.", "Domains look like example.org.")
    first, last = words
    local = {
        "first.last": f"{first}.{last}",
        "f.last": f"{first[0]}.{last}",
        "last.first": f"{last}.{first}",
        "firstlast": f"{first}{last}",
    }[pattern]
    return PlaceholderEmail(email=f"{local}@{domain.lower()}")


class PaddedNumber(Shape):
    text: str = fact("number.padded", "The number with zeros before it.")


@_MADE_UP.tool(
    rubric=never(why="One writes some zeros before a number."),
    scenario="Somebody prints badges or labels whose numbers all have the same width.",
    person_can="Anybody can write zeros before a number.",
)
def pad_number(
    _state: State,
    number: Annotated[int, Attribute("label.number"), Rules(minimum=0, maximum=999_999)],
    width: Annotated[int, Attribute("label.width"), Rules(minimum=1, maximum=12)],
) -> PaddedNumber:
    """Write a whole number with zeros before it, so that it has so many digits.

    Args:
        number: The number.
        width: How many digits it shall have; it must fit.
    """
    if len(str(number)) > width:
        refuse("bad_arguments", f"{number} has more than {width} digits.", "Choose a greater width.")
    return PaddedNumber(text=f"{number:0{width}d}")
