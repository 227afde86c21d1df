"""The artifact's file and its envelope, 3.7: the kind of the object, and its JWS."""

import re
from dataclasses import dataclass

import jws
import strict_json
from faults import Fault, check, demand
from forms import anything, digest_form, exactly, list_of, mapping, schema, text
from jcs import canonical

LONGEST = 8_388_608
LONGEST_PORTABLE = 2_097_152
JWS_FILE = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]*)+(\n|\r|\r\n)?")

PACKAGE_V1 = "service.result-package/v1"
PACKAGE_V2 = "service.result-package/v2"
RECORD = "service.result-record/v1"
STATUS = "service.agent-status/v1"
PASSPORT = "service.result-passport/v1"
COMMERCE = "service.commerce-record/v1"
COMMERCE_STATUS = "service.commerce-status/v1"
CLOSURE = "service.transaction-closure-package/v2"
CLOSURE_V1 = "transaction-closure-package/v1"

REVIEW_FILE = exactly(
    {"schema": schema("service.result-review/v1"), "record": text, "trust": anything, "status": anything}
)
STANDARD_RECORD = exactly({"schema": schema("service.standard-record/v1"), "record": text, "metadata": anything})
PASSPORT_FILE = exactly(
    {"schema": schema(PASSPORT), "manifest": text, "summaries": list_of(text), "statuses": list_of(text)}
)

COMMERCE_FILE = exactly({"schema": schema(COMMERCE), "recordDigest": digest_form, "record": text})
COMMERCE_STATUS_FILE = exactly({"schema": schema(COMMERCE_STATUS), "status": text})


CLOSURE_FILES = {
    expected: exactly({"schema": schema(expected), "body": mapping, "signature": text})
    for expected in (CLOSURE, CLOSURE_V1)
}


@dataclass(frozen=True)
class Artifact:
    """The contents of the file: the JWS `text` with its expected schema, and the parts beside it."""

    schema: str
    text: str
    has_status: bool = False
    status: object = None
    passport: dict | None = None
    commerce: dict | None = None
    closure: dict | None = None


def read_document(data, longest):
    """The text of a JWS file, or the value of a JSON file."""
    demand(len(data) <= longest, "LIMIT_SIZE")
    if JWS_FILE.fullmatch(data):
        return data.decode("ascii").rstrip("\r\n"), True
    return strict_json.read(data, most=strict_json.MOST_VALUES), False


def holds_status(value):
    """Whether a JSON value is the service's response with a status."""
    return isinstance(value, dict) and set(value) == {"status"} and isinstance(value["status"], str)


def is_status(document):
    """Whether a document is a status without a record."""
    value, alone = document
    return typ_of(value) == STATUS if alone else holds_status(value) or has_schema(value, COMMERCE_STATUS)


def has_schema(value, expected):
    """Whether a JSON value is an object of this schema."""
    return isinstance(value, dict) and value.get("schema") == expected


def open_envelope(document):
    """`artifact-envelope`: the artifact in a document."""
    value, alone = document
    with check("artifact-envelope"):
        if alone:
            header, _payload, _signature = jws.split(value)
            demand(header["typ"] in (PACKAGE_V1, PACKAGE_V2, RECORD, STATUS), "KIND")
            return Artifact(header["typ"], value)
        if holds_status(value):
            return Artifact(STATUS, value["status"])
        if has_schema(value, "service.standard-record/v1"):
            STANDARD_RECORD(value)
            return Artifact(RECORD, value["record"])
        if has_schema(value, PASSPORT):
            PASSPORT_FILE(value)
            demand(len(canonical(value)) <= LONGEST_PORTABLE, "LIMIT_SIZE")
            return Artifact(PASSPORT, value["manifest"], passport=value)
        if has_schema(value, COMMERCE):
            COMMERCE_FILE(value)
            return Artifact(COMMERCE, value["record"], commerce=value)
        if has_schema(value, COMMERCE_STATUS):
            COMMERCE_STATUS_FILE(value)
            return Artifact(COMMERCE_STATUS, value["status"])
        for expected, form in CLOSURE_FILES.items():
            if has_schema(value, expected):
                form(value)
                demand(len(canonical(value)) <= LONGEST_PORTABLE, "LIMIT_SIZE")
                return Artifact(expected, value["signature"], closure=value)
        REVIEW_FILE(value)
        version = PACKAGE_V1 if typ_of(value["record"]) == PACKAGE_V1 else PACKAGE_V2
        return Artifact(version, value["record"], has_status=True, status=value["status"])


def typ_of(text):
    """The `typ` of a JWS that can be read, or None."""
    try:
        return jws.split(text)[0]["typ"]
    except Fault:
        return None
