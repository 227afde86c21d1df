"""Strict JSON, section 1: bytes to plain Python values, or a fault. Python's own reader is too lenient to help."""

import re

from faults import Fault

SPACE = re.compile(r"[ \t\n\r]*")
PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
DEPTH = 32
LARGEST = 2**53 - 1
MOST_VALUES = 100_000
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}
DIGITS = "0123456789"
NUMBER = re.compile(r"[-+.0-9][-+.0-9eE]*")
HEXADECIMAL = "0123456789abcdefABCDEF"


def read(data, largest=None, depth=DEPTH, most=None):
    """The value of a document within these limits of bytes, depth and values."""
    if largest is not None and len(data) > largest:
        raise Fault("LIMIT_SIZE")
    if data.startswith(b"\xef\xbb\xbf"):
        raise Fault("INPUT_ENCODING")
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError:
        raise Fault("INPUT_ENCODING") from None
    reader = Reader(text, depth, most)
    value = reader.value(0)
    reader.skip_space()
    if reader.at < len(text):
        raise Fault("INPUT_NOT_JSON")
    return value


class Reader:
    """A place in a text, and the productions of RFC 8259 from there."""

    def __init__(self, text, deepest, most):
        self.text = text
        self.deepest = deepest
        self.most = most
        self.values = 0
        self.at = 0

    def peek(self):
        """The next character, or the empty text at the end."""
        return self.text[self.at : self.at + 1]

    def skip_space(self):
        """Moves past white space."""
        self.at = SPACE.match(self.text, self.at).end()

    def take(self, expected):
        """Moves past one expected character."""
        if self.peek() != expected:
            raise Fault("INPUT_NOT_JSON")
        self.at += 1

    def value(self, depth):
        """One value with the white space before it; `depth` counts the containers around it."""
        self.skip_space()
        first = self.peek()
        if first in ("{", "["):
            if depth == self.deepest:
                raise Fault("LIMIT_DEPTH")
            return self.object(depth + 1) if first == "{" else self.array(depth + 1)
        if first == '"':
            return self.string()
        if NUMBER.match(first):
            return self.number()
        for word, meaning in WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        raise Fault("INPUT_NOT_JSON")

    def object(self, depth):
        """Members between braces, each name once."""
        members = {}
        self.take("{")
        self.skip_space()
        if self.peek() == "}":
            self.at += 1
            return members
        while True:
            self.skip_space()
            name = self.string()
            if name in members:
                raise Fault("DUPLICATE_KEY")
            self.skip_space()
            self.take(":")
            members[name] = self.value(depth)
            self.count()
            if self.ends("}"):
                return members

    def array(self, depth):
        """Values between brackets."""
        values = []
        self.take("[")
        self.skip_space()
        if self.peek() == "]":
            self.at += 1
            return values
        while True:
            values.append(self.value(depth))
            self.count()
            if self.ends("]"):
                return values

    def count(self):
        """Counts one more member or element."""
        self.values += 1
        if self.most is not None and self.values > self.most:
            raise Fault("LIMIT_SIZE")

    def ends(self, closing):
        """Moves past a comma, or past the end of the container."""
        self.skip_space()
        if self.peek() == closing:
            self.at += 1
            return True
        self.take(",")
        return False

    def string(self):
        """Characters between quotation marks; no U+0000, and at the end no half of a surrogate pair."""
        self.take('"')
        parts = []
        while True:
            plain = PLAIN.match(self.text, self.at)
            parts.append(plain.group())
            self.at = plain.end() + 1
            special = self.text[plain.end() : self.at]
            if special == '"':
                return paired("".join(parts))
            if special != "\\":
                raise Fault("INPUT_NOT_JSON")
            parts.append(self.escape())

    def escape(self):
        """The character of an escape, after the backslash."""
        kind = self.peek()
        self.at += 1
        if kind in ESCAPES:
            return ESCAPES[kind]
        if kind != "u":
            raise Fault("INPUT_NOT_JSON")
        unit = self.unit()
        if unit == 0:
            raise Fault("INPUT_ENCODING")
        return chr(unit)

    def unit(self):
        """Four hexadecimal digits; int() alone would take signs, underscores and foreign digits."""
        digits = self.text[self.at : self.at + 4]
        if len(digits) != 4 or any(digit not in HEXADECIMAL for digit in digits):
            raise Fault("INPUT_NOT_JSON")
        self.at += 4
        return int(digits, 16)

    def number(self):
        """An integer in its one form, out of the whole run of characters that could be of a number."""
        start = self.at
        self.at = NUMBER.match(self.text, start).end()
        written = self.text[start : self.at]
        digits = written[1:] if written[0] == "-" else written
        if written == "0":
            return 0
        if not digits or not all(digit in DIGITS for digit in digits) or digits[0] == "0" or len(digits) > 16:
            raise Fault("NUMBER_FORM")
        if int(digits) > LARGEST:
            raise Fault("NUMBER_FORM")
        return int(written)


def paired(text):
    """The text with its surrogate pairs combined; a lone surrogate is a fault."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise Fault("INPUT_ENCODING") from None
