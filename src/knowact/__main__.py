"""`python -m knowact`: the command line where there is no script on the path."""

from knowact.cli.main import main

main()
