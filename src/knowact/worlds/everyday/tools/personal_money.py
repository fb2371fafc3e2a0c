"""Personal: what the user has ordered and booked, and the user's bank."""

from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import Server, always, refuse
from knowact.worlds.everyday.fields import BookingReference, OrderNumber, Payee
from knowact.worlds.everyday.private.personal import Account, Booking, Order, Transfer
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_ORDERS: Final = Server("Personal", "orders")
_BOOKINGS: Final = Server("Personal", "bookings")
_BANK: Final = Server("Personal", "bank")

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


class OrderShown(Shape):
    order_number: str = echo("Its number.")
    item: str = fact("order.item", "What was bought.")
    status: str = fact("order.status", "Where it stands.")
    total_eur: float = fact("order.total", "What it costs in euros.", row="total")
    weight_g: int = fact("order.weight", "Weight of the parcel in grams.", row="weight")
    delivery_date: str = fact(
        "order.delivery", "The day of delivery, expected or past, YYYY-MM-DD.", row="delivery"
    )
    city: str = fact("order.city", "The city it goes to.")


@_ORDERS.tool(
    rubric=_LOGIN,
    scenario="Somebody waits for a parcel and asks where it is, or when it will come.",
    person_cannot="Where a parcel stands is known to the shop and the carrier alone.",
)
def get_order(state: State, order_number: OrderNumber) -> OrderShown:
    """Look up one of the user's orders.

    Args:
        order_number: The order's number, a letter and four digits.
    """
    return OrderShown.of(state.record(Order, order_number, "order"), order_number=order_number)


class CancelledOrder(Shape):
    order_number: str = echo("Its number.")
    refund_eur: float = fact(("order.refund", "order.total"), "What is paid back in euros.")


@_ORDERS.tool(
    changes=("order.cancelled",),
    rubric=always(Dimension.INTERACTION, why="The shop stops the order and pays the money back."),
    scenario="Somebody has changed their mind about something that they have ordered.",
    person_cannot="Only the shop can stop an order and pay the money back.",
)
def cancel_order(state: State, order_number: OrderNumber) -> CancelledOrder:
    """Cancel one of the user's orders; one that was delivered or cancelled before cannot be.

    Args:
        order_number: The order's number, a letter and four digits.
    """
    order = state.record(Order, order_number, "order")
    if order.status in {"delivered", "cancelled"}:
        fix = "Only orders that are still under way can be cancelled."
        refuse("conflict", f"Order {order_number} is {order.status} already.", fix)
    state.put(order_number, order.model_copy(update={"status": "cancelled"}))
    return CancelledOrder(order_number=order_number, refund_eur=order.total)


class BookingShown(Shape):
    reference: str = echo("The booking reference.")
    flight: str = fact("flight.number", "Number of the flight.")
    date: str = fact("booking.date", "Day of departure, YYYY-MM-DD.")
    seat: str = fact("booking.seat", "The seat.")
    destination: str = fact("booking.destination", "Where it goes.")


@_BOOKINGS.tool(
    rubric=always(Dimension.PRIVACY, why="Only who has the booking can see it."),
    scenario="A traveller has a booking reference at hand and has forgotten flight, day or seat.",
    person_can="The confirmation in the traveller's own papers says it.",
)
def get_booking(state: State, reference: BookingReference) -> BookingShown:
    """Look up one of the user's flight bookings.

    Args:
        reference: The booking reference, six letters and digits.
    """
    return BookingShown.of(state.record(Booking, reference, "booking"), reference=reference)


class Balance(Shape):
    account: str = echo("The account.")
    balance_eur: float = fact("account.balance", "Its balance in euros.")


@_BANK.tool(
    about=("account",),
    rubric=_LOGIN,
    scenario="Somebody considers a purchase and wants to know what they have in the bank.",
    person_cannot="Nobody but the bank knows it to the cent.",
)
def get_balance(state: State, account: AccountName) -> Balance:
    """Tell the balance of one of the user's bank accounts.

    Args:
        account: The account.
    """
    return Balance(account=account, balance_eur=state.record(Account, account, "account").cents / 100)


class TransferMade(Shape):
    payee: str = echo("Who gets it.")
    balance_after_eur: float = fact("transfer.balance_after", "What is left on the account in euros.")


@_BANK.tool(
    changes=("transfer.made",),
    rubric=always(Dimension.INTERACTION, why="Money leaves the user's account."),
    scenario="Somebody owes a friend their share of a dinner and wants it paid.",
    person_cannot="Money only leaves an account through the bank.",
)
def transfer_money(
    state: State,
    account: AccountName,
    payee: Payee,
    amount_eur: Annotated[float, Attribute("transfer.amount"), Rules(minimum=0.01, maximum=1_000_000)],
) -> TransferMade:
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
    return TransferMade(payee=payee, balance_after_eur=(held - cents) / 100)
