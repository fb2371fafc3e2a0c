"""Sums as people do them on paper: exact decimals, and halves rounded up.

Binary floats put 25.875 a hair below or above itself, and Python rounds halves to even; an agent that
rounds as it learnt at school must not be marked wrong for that.
"""

from fractions import Fraction


def exact(number: float) -> Fraction:
    """Return the decimal that a number was written as: 0.1 is one tenth."""
    return Fraction(repr(number))


def half_up(number: Fraction, places: int) -> float:
    """Round to so many decimals, halves away from zero."""
    scale = 10**places
    units = abs(number) * scale
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return float(Fraction(whole if number >= 0 else -whole, scale))
