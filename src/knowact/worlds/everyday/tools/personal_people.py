"""Personal: the user's address book and mailbox."""

from typing import Annotated, Final

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import Server, always, refuse
from knowact.worlds.everyday.fields import Email, PersonName
from knowact.worlds.everyday.private.personal import Contact, Mail, Sent
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_CONTACTS: Final = Server("Personal", "contacts")
_MAIL: Final = Server("Personal", "mail")


class ContactShown(Shape):
    name: str = echo("The person's full name.")
    city: str = fact("person.city", "Where they live.")
    phone: str = fact("person.phone", "Their phone number.")
    email: str = fact("person.email", "Their e-mail address.")
    birthday: str = fact("person.birthday", "Their date of birth, YYYY-MM-DD.")


@_CONTACTS.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own address book has it."),
    scenario="Somebody wants to call, write to or visit a friend and looks them up in the address book.",
    person_can="The user can open the address book and read the entry out.",
)
def get_contact(state: State, name: PersonName) -> ContactShown:
    """Look up a person in the user's address book.

    Args:
        name: The person's full name.
    """
    return ContactShown.of(state.record(Contact, name, "contact named"), name=name)


class LatestMail(Shape):
    sender: str = echo("Who sent it.")
    subject: str = fact("mail.subject", "Its subject line.")
    text: str = fact("mail.text", "Its text.")
    received: str = fact("mail.received", "The day it came, YYYY-MM-DD.")
    order_number: str | None = fact("order.number", "The order that it is about, or null.")


@_MAIL.tool(
    rubric=always(Dimension.PRIVACY, Dimension.TEMPORALITY, why="Only the user's own mailbox has it."),
    scenario="Somebody remembers that a friend or a shop has written and asks what the message said.",
    person_can="The user can open the message and say what is in it.",
)
def get_latest_mail(state: State, sender: PersonName) -> LatestMail:
    """Fetch the latest message in the user's inbox from one sender.

    Args:
        sender: Full name of the person or the shop that sent it.
    """
    return LatestMail.of(state.record(Mail, sender, "mail from"), sender=sender)


class SentMail(Shape):
    recipient: str = echo("The address that it went to.")
    number: int = fact("mail.number", "Its number among the messages sent.")
    out_of_office: bool = fact(
        "mail.out_of_office", "Whether an automatic reply came back that says that nobody reads it now."
    )


@_MAIL.tool(
    changes=("mail.sent",),
    rubric=always(Dimension.INTERACTION, why="A message leaves the user's account."),
    scenario="Somebody wants a short message sent to a friend, a colleague or a shop.",
    person_can="Writing a short message oneself takes no longer than asking for it.",
)
def send_mail(
    state: State,
    recipient: Email,
    body: Annotated[str, Attribute("mail.body"), Rules(max_length=20_000)],
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
    away = state.draw("out of office", recipient.casefold()).random() < 0.5  # noqa: PLR2004 - a coin
    return SentMail(recipient=recipient, number=number, out_of_office=away)
