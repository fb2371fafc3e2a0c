"""Measures: pure functions from records to numbers with a denominator and an interval.

No module here knows a suite: what is measured is a result's name in the records. From the bottom up:
`kas` and `quadrants` are formulas; `clusters` and `intervals` the uncertainty;
`columns` holds a million records; `chance`, `summary` and `paired` are what suites and reports call.
"""
