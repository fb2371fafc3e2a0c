"""Runs below the command line: a typed request, its plan with calls and cost, and carrying it out.

`cli` and `api` make a request, plan it, show the plan, and carry it out. Nothing here reads a command line
or asks anybody.
"""
