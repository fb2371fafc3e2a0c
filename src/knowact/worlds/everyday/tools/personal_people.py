"""Personal: the user's address book and mailbox."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from typing import Annotated, TypedDict

from knowact.core.seeds import generator
from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import always, person_can, refuse, tool
from knowact.worlds.everyday.fields import Email, PersonName
from knowact.worlds.everyday.private.records import Contact, Mail, Sent
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules


class ContactCard(TypedDict):
    """An entry of the address book.

    Attributes:
        name: The person's full name.
        city: Where they live.
        phone: Their phone number.
        email: Their e-mail address.
        birthday: Their date of birth, YYYY-MM-DD.
    """

    name: Annotated[str, ECHO]
    city: Annotated[str, Attribute("person.city", is_a="city.name")]
    phone: Annotated[str, Attribute("person.phone")]
    email: Annotated[str, Attribute("person.email")]
    birthday: Annotated[str, Attribute("person.birthday")]


@tool(
    category="Personal",
    server="contacts",
    about=("name",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own address book has it."),
    scenario="Somebody wants to call, write to or visit a friend and looks them up in the address book.",
    human=person_can("The user can open the address book and read the entry out."),
)
def get_contact(state: State, name: PersonName) -> ContactCard:
    """Look up a person in the user's address book.

    Args:
        name: The person's full name.
    """
    found = state.record(Contact, name, "contact named")
    return {
        "name": name,
        "city": found.city,
        "phone": found.phone,
        "email": found.email,
        "birthday": found.birthday,
    }


class LatestMail(TypedDict):
    """The latest message from somebody.

    Attributes:
        sender: Who sent it.
        subject: Its subject line.
        text: Its text.
        received: The day it came, YYYY-MM-DD.
        order_number: The order that it is about, or null.
    """

    sender: Annotated[str, ECHO]
    subject: Annotated[str, Attribute("mail.subject", is_a="passage.value")]
    text: Annotated[str, Attribute("mail.text", is_a="passage.value")]
    received: Annotated[str, Attribute("mail.received", is_a="day.date")]
    order_number: Annotated[str | None, Attribute("order.number")]


@tool(
    category="Personal",
    server="mail",
    about=("sender",),
    rubric=always(Dimension.PRIVACY, Dimension.TEMPORALITY, why="Only the user's own mailbox has it."),
    scenario="Somebody remembers that a friend or a shop has written and asks what the message said.",
    human=person_can("The user can open the message and say what is in it."),
)
def get_latest_mail(state: State, sender: PersonName) -> LatestMail:
    """Fetch the latest message in the user's inbox from one sender.

    Args:
        sender: Full name of the person or the shop that sent it.
    """
    found = state.record(Mail, sender, "mail from")
    return {
        "sender": sender,
        "subject": found.subject,
        "text": found.text,
        "received": found.received,
        "order_number": found.order_number,
    }


class SentMail(TypedDict):
    """A message that has been sent.

    Attributes:
        recipient: The address that it went to.
        number: Its number among the messages sent.
        out_of_office: Whether an automatic reply came back that says that nobody reads it now.
    """

    recipient: Annotated[str, ECHO]
    number: Annotated[int, Attribute("mail.number")]
    out_of_office: Annotated[bool, Attribute("mail.out_of_office")]


@tool(
    category="Personal",
    server="mail",
    about=("recipient", "body"),
    changes=("mail.sent",),
    rubric=always(Dimension.INTERACTION, why="A message leaves the user's account."),
    scenario="Somebody wants a short message sent to a friend, a colleague or a shop.",
    human=person_can("Writing a short message oneself takes no longer than asking for it."),
)
def send_mail(
    state: State,
    recipient: Email,
    body: Annotated[str, Attribute("mail.body", is_a="text.value"), Rules(max_length=20_000)],
    subject: Annotated[str, Attribute("mail.subject"), Rules(max_length=200)] = "",
) -> SentMail:
    """Send an e-mail from the user's account.

    Args:
        recipient: The recipient's e-mail address.
        body: The text of the message.
        subject: The subject line; may be left empty.
    """
    name, at, domain = recipient.partition("@")
    if not (name and at and "." in domain) or " " in recipient:
        refuse(
            "bad_arguments", f"{recipient!r} is no e-mail address.", "Addresses look like name@example.org."
        )
    if not body.strip():
        refuse("bad_arguments", "The message has no text.", "Give the text of the message as 'body'.")
    number = len(state.table(Sent)) + 1
    state.put(str(number), Sent(recipient=recipient, subject=subject, body=body))
    away = generator(state.seed, "out of office", recipient.casefold()).random() < 0.5  # noqa: PLR2004 - a coin
    return {"recipient": recipient, "number": number, "out_of_office": away}
