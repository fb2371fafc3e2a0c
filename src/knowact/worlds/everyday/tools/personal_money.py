"""Personal: what the user has ordered and booked, and the user's bank."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import always, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.fields import BookingReference, OrderNumber, Payee
from knowact.worlds.everyday.private.records import Account, Booking, Order, Transfer
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

AccountName = Literal[
    "current",
    "savings",
    "travel",
    "joint",
    "household",
    "rent",
    "wedding",
    "car",
    "garden",
    "gift",
    "pension",
    "tax",
    "emergency",
    "bicycle",
]
_LOGIN: Final = always(Dimension.PRIVACY, Dimension.TEMPORALITY, why="It stands behind the user's login.")


class OrderDetails(TypedDict):
    """A purchase.

    Attributes:
        order_number: Its number.
        item: What was bought.
        status: Where it stands.
        total_eur: What it costs in euros.
        weight_g: Weight of the parcel in grams.
        delivery_date: The day of delivery, expected or past, YYYY-MM-DD.
        city: The city it goes to.
    """

    order_number: Annotated[str, ECHO]
    item: Annotated[str, Attribute("order.item")]
    status: Annotated[str, Attribute("order.status")]
    total_eur: Annotated[float, Attribute("order.total", is_a="quantity.value")]
    weight_g: Annotated[int, Attribute("order.weight", is_a="quantity.value")]
    delivery_date: Annotated[str, Attribute("order.delivery", is_a="day.date")]
    city: Annotated[str, Attribute("order.city", is_a="city.name")]


@tool(
    category="Personal",
    server="orders",
    about=("order_number",),
    rubric=_LOGIN,
    scenario="Somebody waits for a parcel and asks where it is, or when it will come.",
    human=person_cannot("Where a parcel stands is known to the shop and the carrier alone."),
)
def get_order(state: State, order_number: OrderNumber) -> OrderDetails:
    """Look up one of the user's orders.

    Args:
        order_number: The order's number, a letter and four digits.
    """
    found = state.record(Order, order_number, "order")
    return {
        "order_number": order_number,
        "item": found.item,
        "status": found.status,
        "total_eur": found.total,
        "weight_g": found.weight,
        "delivery_date": found.delivery,
        "city": found.city,
    }


class CancelledOrder(TypedDict):
    """An order that has been cancelled.

    Attributes:
        order_number: Its number.
        refund_eur: What is paid back in euros.
    """

    order_number: Annotated[str, ECHO]
    # Who is paid back learns the price as well.
    refund_eur: Annotated[float, Attribute("order.refund"), Attribute("order.total")]


@tool(
    category="Personal",
    server="orders",
    about=("order_number",),
    changes=("order.cancelled",),
    rubric=always(Dimension.INTERACTION, why="The shop stops the order and pays the money back."),
    scenario="Somebody has changed their mind about something that they have ordered.",
    human=person_cannot("Only the shop can stop an order and pay the money back."),
)
def cancel_order(state: State, order_number: OrderNumber) -> CancelledOrder:
    """Cancel one of the user's orders; one that was delivered or cancelled before cannot be.

    Args:
        order_number: The order's number, a letter and four digits.
    """
    found = state.record(Order, order_number, "order")
    if found.status in {"delivered", "cancelled"}:
        fix = "Only orders that are still under way can be cancelled."
        refuse("conflict", f"Order {order_number} is {found.status} already.", fix)
    state.put(order_number, found.model_copy(update={"status": "cancelled"}))
    return {"order_number": order_number, "refund_eur": found.total}


class BookingDetails(TypedDict):
    """A booked flight.

    Attributes:
        reference: The booking reference.
        flight: Number of the flight.
        date: Day of departure, YYYY-MM-DD.
        seat: The seat.
        destination: Where it goes.
    """

    reference: Annotated[str, ECHO]
    flight: Annotated[str, Attribute("flight.number")]
    date: Annotated[str, Attribute("booking.date", is_a="day.date")]
    seat: Annotated[str, Attribute("booking.seat")]
    destination: Annotated[str, Attribute("booking.destination", is_a="city.name")]


@tool(
    category="Personal",
    server="bookings",
    about=("reference",),
    rubric=always(Dimension.PRIVACY, why="Only who has the booking can see it."),
    scenario="A traveller has a booking reference at hand and has forgotten flight, day or seat.",
    human=person_can("The confirmation in the traveller's own papers says it."),
)
def get_booking(state: State, reference: BookingReference) -> BookingDetails:
    """Look up one of the user's flight bookings.

    Args:
        reference: The booking reference, six letters and digits.
    """
    found = state.record(Booking, reference, "booking")
    return {
        "reference": reference,
        "flight": found.flight,
        "date": found.date,
        "seat": found.seat,
        "destination": found.destination,
    }


class Balance(TypedDict):
    """What is on an account.

    Attributes:
        account: The account.
        balance_eur: Its balance in euros.
    """

    account: Annotated[str, ECHO]
    balance_eur: Annotated[float, Attribute("account.balance", is_a="quantity.value")]


@tool(
    category="Personal",
    server="bank",
    about=("account",),
    rubric=_LOGIN,
    scenario="Somebody considers a purchase and wants to know what they have in the bank.",
    human=person_cannot("Nobody but the bank knows it to the cent."),
)
def get_balance(state: State, account: AccountName) -> Balance:
    """Tell the balance of one of the user's bank accounts.

    Args:
        account: The account.
    """
    return {"account": account, "balance_eur": state.record(Account, account, "account").cents / 100}


class MadeTransfer(TypedDict):
    """Money that has been sent.

    Attributes:
        payee: Who gets it.
        balance_after_eur: What is left on the account in euros.
    """

    payee: Annotated[str, ECHO]
    balance_after_eur: Annotated[float, Attribute("transfer.balance_after")]


@tool(
    category="Personal",
    server="bank",
    about=("payee", "amount_eur"),
    changes=("transfer.made",),
    rubric=always(Dimension.INTERACTION, why="Money leaves the user's account."),
    scenario="Somebody owes a friend their share of a dinner and wants it paid.",
    human=person_cannot("Money only leaves an account through the bank."),
)
def transfer_money(
    state: State,
    account: AccountName,
    payee: Payee,
    amount_eur: Annotated[
        float, Attribute("transfer.amount", is_a="quantity.value"), Rules(minimum=0.01, maximum=1_000_000)
    ],
) -> MadeTransfer:
    """Send money from one of the user's accounts; the account cannot be overdrawn.

    Args:
        account: The account that the money comes from.
        payee: Name of the person or the company that gets it.
        amount_eur: The amount in euros, to the cent.
    """
    cents = round(amount_eur * 100)
    if abs(cents - amount_eur * 100) > 1e-6:  # noqa: PLR2004 - far below a cent, far above float noise
        refuse(
            "bad_arguments", f"{amount_eur} euros is not a whole number of cents.", "Round it to the cent."
        )
    held = state.record(Account, account, "account").cents
    if cents > held:
        fix = f"At most {held / 100:.2f} euros can be sent."
        refuse("conflict", f"The {account} account does not have {amount_eur:.2f} euros.", fix)
    state.put(account, Account(cents=held - cents))
    number = str(len(state.table(Transfer)) + 1)
    state.put(number, Transfer(account=account, payee=payee, cents=cents))
    return {"payee": payee, "balance_after_eur": (held - cents) / 100}
