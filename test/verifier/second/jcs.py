"""The canonical form, RFC 8785, of values as strict_json reads them: no floats, no surrogates; and digests of it."""

import hashlib

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def canonical(value):
    """The canonical bytes of a value."""
    return write(value).encode("utf-8")


def digest(value):
    """The digest of a value: that of its canonical form."""
    return sha256(canonical(value))


def sha256(data):
    """The digest of bytes."""
    return hashlib.sha256(data).hexdigest()


def write(value):
    """The canonical text; `is` comes first, because True is 1 in Python."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "[" + ",".join(write(item) for item in value) + "]"
    names = sorted(value, key=utf16_units)
    return "{" + ",".join(quote(name) + ":" + write(value[name]) for name in names) + "}"


def utf16_units(name):
    """Member names are ordered by UTF-16 code units, which is not the order of code points."""
    return name.encode("utf-16-be")


def quote(text):
    """A text between quotation marks, with the escapes that RFC 8785 leaves."""
    return '"' + "".join(SHORT.get(mark) or (f"\\u{ord(mark):04x}" if mark < " " else mark) for mark in text) + '"'
