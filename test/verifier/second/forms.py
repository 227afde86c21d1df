"""Schemas of the objects of section 3: each is a function that raises the first fault of a value."""

import re
from datetime import date, datetime
from types import MappingProxyType

from faults import Fault, demand

DIGEST = re.compile(r"[0-9a-f]{64}")
CURRENCY = re.compile(r"[A-Z]{3}")
INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z")


def exactly(members, optional=MappingProxyType({})):
    """An object with exactly these members, in their order, and then the optional ones, which may be absent."""

    def form(value):
        demand(isinstance(value, dict), "FIELD_TYPE")
        for label, member in members.items():
            demand(label in value, "MISSING_MEMBER")
            member(value[label])
        for label in value:
            demand(label in members or label in optional, "UNKNOWN_MEMBER")
            if label in optional:
                optional[label](value[label])

    return form


def at_least(members, optional=MappingProxyType({})):
    """An object with these members, in their order, the optional ones, which may be absent, and any others."""

    def form(value):
        demand(isinstance(value, dict), "FIELD_TYPE")
        for label, member in members.items():
            demand(label in value, "MISSING_MEMBER")
            member(value[label])
        for label in value:
            if label in optional:
                optional[label](value[label])

    return form


def list_of(item, longest=None):
    """A list of items of this schema."""

    def form(value):
        demand(isinstance(value, list), "FIELD_TYPE")
        demand(longest is None or len(value) <= longest, "LIMIT_SIZE")
        for each in value:
            item(each)

    return form


def or_null(other):
    """Null or a value of the other schema."""

    def form(value):
        if value is not None:
            other(value)

    return form


def one_of(*words):
    """One of these texts; compared as texts, because True equals 1 in Python."""

    def form(value):
        demand(isinstance(value, str) and value in words, "FIELD_TYPE")

    return form


def schema(expected):
    """The schema of this object."""

    def form(value):
        demand(isinstance(value, str) and value == expected, "VERSION")

    return form


def identifier(kind):
    """An id of this kind."""
    pattern = re.compile(re.escape(kind) + r"_[a-f0-9-]{36}")

    def form(value):
        demand(isinstance(value, str) and pattern.fullmatch(value), "FIELD_TYPE")

    return form


def text(value):
    """Any text."""
    demand(isinstance(value, str), "FIELD_TYPE")


def name(value):
    """Any text but the empty one."""
    demand(isinstance(value, str) and value != "", "FIELD_TYPE")


def short_text(shortest):
    """A text of the payment provider: at most 200 code points."""

    def form(value):
        demand(isinstance(value, str) and shortest <= len(value) <= 200, "FIELD_TYPE")

    return form


def three_capitals(value):
    """A currency."""
    demand(isinstance(value, str) and CURRENCY.fullmatch(value), "FIELD_TYPE")


def integer_from(minimum, maximum=2**53 - 1):
    """An integer in this range; true and false, which are integers in Python, are not integers here."""

    def form(value):
        demand(isinstance(value, int) and not isinstance(value, bool), "FIELD_TYPE")
        demand(minimum <= value <= maximum, "FIELD_TYPE")

    return form


def true(value):
    """The value true."""
    demand(value is True, "FIELD_TYPE")


def false(value):
    """The value false."""
    demand(value is False, "FIELD_TYPE")


def true_or_false(value):
    """One of the two values."""
    demand(isinstance(value, bool), "FIELD_TYPE")


def anything(_value):
    """Any value."""


def mapping(value):
    """Any object."""
    demand(isinstance(value, dict), "FIELD_TYPE")


def digest_form(value):
    """A digest."""
    demand(isinstance(value, str) and DIGEST.fullmatch(value), "DIGEST_FORM")


def instant(value):
    """An instant."""
    demand(is_instant(value), "FIELD_TYPE")


def is_instant(value):
    """Whether a value is an instant: its form, its years, its time of day, and a day that exists."""
    match = INSTANT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    year, month, day, hour, minute, second = (int(part) for part in match.groups())
    if year < 1970 or hour > 23 or minute > 59 or second > 59:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def time_of(value):
    """The time of a valid instant."""
    return datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")


def holds(form, value):
    """Whether a value matches a schema."""
    try:
        form(value)
    except Fault:
        return False
    return True
