"""The one way in which a check fails: a code, raised, and given the name of its check by whoever runs the check."""

from contextlib import contextmanager


class Fault(Exception):
    """Something of the input is not as docs/records.md demands; `code` says what."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Failed(Exception):
    """A check of the report failed: its id and its code."""

    def __init__(self, check, code):
        super().__init__(f"{check}: {code}")
        self.check = check
        self.code = code


@contextmanager
def check(name):
    """Turns a fault inside into the failure of the check with this name."""
    try:
        yield
    except Fault as fault:
        raise Failed(name, fault.code) from None


def demand(condition, code):
    """Raises the fault unless the condition holds."""
    if not condition:
        raise Fault(code)
