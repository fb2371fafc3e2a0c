"""Does a text say a value that is to be withheld?"""

from typing import cast

from version_1.draw import Said


def says(text: str, said: Said) -> bool:
    """Whether a text says a value somewhere, in any of its forms."""
    plain = text.casefold()
    value = cast("object", said.value)
    forms = (
        {said.words, said.on.removeprefix("on "), str(value)} if not isinstance(value, list) else {said.words}
    )
    return any(_occurs(form.casefold(), plain) for form in forms if form)


def _occurs(form: str, text: str) -> bool:
    start = text.find(form)
    while start >= 0:
        end = start + len(form)
        around = text[max(0, start - 1) : start], text[end : end + 1]
        if not any(one.isalnum() for one in around if one):
            return True
        start = text.find(form, start + 1)
    return False
