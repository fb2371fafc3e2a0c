"""Seeds: every random choice is derived from one number by a stable hash."""

import hashlib
import random


def derive(seed: int, *parts: object) -> int:
    """Return a 63-bit seed that depends on `seed` and on the text of each of `parts`.

    The same on every machine and every Python: no salted `hash()` is involved.
    """
    text = "\x1f".join([str(seed), *(str(part) for part in parts)])
    return (
        int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        >> 1
    )


def generator(seed: int, *parts: object) -> random.Random:
    """Return a generator of its own for one choice, named by `parts`."""
    return random.Random(derive(seed, *parts))
