"""A task of CAR as somebody writes it, for tests that change a line of it."""

BASE = """\
- id: air-01
  age: 34
  style: commanding
  at: Augsburg 2025-11-18 07:10
  says: Steering wheel heating on two.
  story: You want the steering wheel heated at level two.
  does:
    - {do: set_steering_wheel_heating, args: {level: 2}}
  goal: {steering_wheel_heating: 2}
"""
