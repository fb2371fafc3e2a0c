"""The user's private data, record by record. A setup writes them in this shape too."""

from typing import Annotated

from pydantic import StringConstraints

from knowact.core.model import Noun

IsoDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
ClockTime = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class Contact(Noun):
    """Somebody in the address book, by name."""

    city: str
    phone: str
    email: str
    birthday: IsoDate


class Mail(Noun):
    """The latest message from a sender, by the sender's name. `received` is a day."""

    subject: str
    text: str
    received: IsoDate
    order_number: str | None = None


class Sent(Noun):
    """A message that the user's account has sent."""

    recipient: str
    subject: str
    body: str


class Event(Noun):
    """Something in the calendar, by title. It ends on the day that it starts."""

    date: IsoDate
    start: ClockTime
    end: ClockTime
    city: str


class Order(Noun):
    """A purchase, by order number. Money in euros, weight in grams."""

    item: str
    status: str
    total: float
    weight: int
    delivery: IsoDate
    city: str


class Booking(Noun):
    """A booked seat on a flight, by booking reference."""

    flight: str
    date: IsoDate
    seat: str
    destination: str


class Account(Noun):
    """A bank account, by name. Money in euros, cents exact."""

    cents: int


class Transfer(Noun):
    """Money that left an account."""

    account: str
    payee: str
    cents: int


class Note(Noun):
    """A text of the user's own, by title."""

    text: str
