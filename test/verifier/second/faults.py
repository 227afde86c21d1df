"""The failure of a check: a raised code, to which the running check adds its name."""

from contextlib import contextmanager


class Fault(Exception):
    """The input violates a page of the formats; `code` is the code of the violation."""

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
    """Converts a fault in its body into the failure of the check with this name."""
    try:
        yield
    except Fault as fault:
        raise Failed(name, fault.code) from None


def demand(condition, code):
    """Raises the fault unless the condition holds."""
    if not condition:
        raise Fault(code)
