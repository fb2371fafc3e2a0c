"""What made version 1 of the data: requests put together from phrases.

It lives with the tests that prove these data, and goes when `ict` and `fail_talms` have written requests.
"""
