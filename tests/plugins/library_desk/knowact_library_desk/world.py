"""The library: its books, and the account of the member who stands at the desk."""

from typing import Any

from knowact.authoring import FunctionWorld, JsonValue, Refusal, WorldEntry

Library = dict[str, Any]

TODAY, DUE = "2026-03-12", "2026-04-09"
START: Library = {
    "books": {
        "Momo": {"author": "Michael Ende", "shelf": "C 4", "copies": 2},
        "The Neverending Story": {"author": "Michael Ende", "shelf": "C 4", "copies": 1},
        "Heidi": {"author": "Johanna Spyri", "shelf": "C 7", "copies": 1},
        "Krabat": {"author": "Otfried Preussler", "shelf": "C 6", "copies": 0},
        "Emil and the Detectives": {"author": "Erich Kästner", "shelf": "C 5", "copies": 0},
    },
    "loans": {"Krabat": "2026-03-14"},
    "reserved": [],
    "cents_to_pay": 0,
    "address": "12 Station Road",
}


def _book(library: Library, title: str) -> dict[str, Any]:
    if title not in library["books"]:
        raise Refusal("The library has no such book.", "not_found")
    return library["books"][title]


def find_book(library: Library, title: str) -> JsonValue:
    """Look a book up in the catalogue: author, shelf, and copies that can be lent.

    Args:
        title: The title.
    """
    return {"title": title, **_book(library, title)}


def get_loans(library: Library) -> JsonValue:
    """List the member's loans, each with the day on which it is due."""
    return {"loans": library["loans"]}


def lend(library: Library, title: str) -> JsonValue:
    """Lend a book to the member.

    Args:
        title: The title.
    """
    book = _book(library, title)
    if not book["copies"] or title in library["loans"]:
        raise Refusal("No copy can be lent.")
    book["copies"] -= 1
    library["loans"][title] = DUE
    return {"due": DUE}


def renew(library: Library, title: str) -> JsonValue:
    """Let the member keep a book for longer.

    Args:
        title: The title.
    """
    if title not in library["loans"]:
        raise Refusal("The member does not have this book.", "not_found")
    library["loans"][title] = DUE
    return {"due": DUE}


def reserve(library: Library, title: str) -> JsonValue:
    """Keep a book for the member as soon as it comes back. This costs 100 cents.

    Args:
        title: The title.
    """
    _book(library, title)
    library["reserved"].append(title)
    library["cents_to_pay"] += 100
    return {"place_in_line": 1}


def change_address(library: Library, address: str) -> JsonValue:
    """Write a new address into the member's account.

    Args:
        address: Street and number.
    """
    library["address"] = address
    return {"address": address}


WORLD = WorldEntry(
    lambda: FunctionWorld(
        "library_desk",
        START,
        (find_book, get_loans, lend, renew, reserve, change_address),
        {"today": TODAY},
    )
)
