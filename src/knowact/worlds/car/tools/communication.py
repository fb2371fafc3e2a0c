"""Productivity and communication: what leaves the car (CAR-bench)."""

from typing import Annotated

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.typed.schema import Attribute, Shape, echo


class SentEmail(Shape):
    email_sent: bool = echo("That it has.")
    changed: bool = echo("That somebody has it now who had not before.")


@car_tool("Productivity and communication", changes=("email.sent",), confirmation=True)
def send_email(
    car: Car,
    content_message: Annotated[str, Attribute("email.content")],
    email_addresses: Annotated[list[str], Attribute("contact.email")],
) -> SentEmail:
    """Send a message by e-mail to one or more people of the address book.

    Args:
        content_message: What it should say.
        email_addresses: The addresses that it goes to.
    """
    del content_message  # the state has no place for it, and no score looks at it
    if not email_addresses and not car.published:
        fix = "Give at least one address."
        refuse("bad_arguments", "The message goes to nobody.", fix, fault=Fault.UNLOGGED)
    known = {contact.email for contact in car.databases.contacts.values()}
    sent = car.state.texts("email_addresses_sent_mail_to")
    for address in email_addresses:
        if address not in known:
            if car.published:
                # There, whoever stands before the unknown one has the message by now.
                car.state.set("email_addresses_sent_mail_to", sent)
            message = f"{address!r} is nobody's address in the address book."
            refuse("not_found", message, "Look the contact up first.", kept=car.published)
        sent.append(address)
    car.state.set("email_addresses_sent_mail_to", sent)
    return SentEmail(email_sent=True, changed=car.state.changed)


class PhoneCall(Shape):
    phone_number_called: bool = echo("That it is.")
    changed: bool = echo("That it was not before.")


@car_tool("Productivity and communication", changes=("phone.called",), ends=True)
def call_phone_by_number(car: Car, phone_number: Annotated[str, Attribute("phone.number")]) -> PhoneCall:
    """Call a phone number. The driver is on the phone then, so this ends the conversation.

    Args:
        phone_number: The number, as a contact or a point of interest has it.
    """
    # The published world dials whatever it is given.
    if not car.published and not car.databases.knows_phone(phone_number):
        message = f"{phone_number!r} is the number of no contact and no point of interest."
        refuse("not_found", message, "Look the number up first.", fault=Fault.UNLOGGED)
    car.state.set("phone_numbers_called", [*car.state.texts("phone_numbers_called"), phone_number])
    return PhoneCall(phone_number_called=True, changed=car.state.changed)
