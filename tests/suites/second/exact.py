"""Numbers as they are written, without the error of floats."""

from fractions import Fraction


def exact(number: float) -> Fraction:
    return Fraction(str(number))
