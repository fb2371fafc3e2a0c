"""The 19 policies of the car: rules as data, 12 with a predicate in code, 7 for a judge."""
