"""`python -m knowact`: the command line where there is no script on the path."""

from knowact.cli.main import main

# Processes of our own import this module again, under another name.
if __name__ == "__main__":
    main()
