"""Signatures, sections 1 and 2: a compact JWS by a key of the trust file."""

import base64
import re
from dataclasses import dataclass

import ed25519
import strict_json
from faults import Fault, demand
from forms import is_instant
from jcs import canonical, sha256

ALPHABET = re.compile(r"[A-Za-z0-9_-]+")
HEADER_BYTES = 1_024
HEADER_DEPTH = 8


@dataclass(frozen=True)
class Signed:
    """A verified object: its payload, and the signed bytes."""

    payload: dict
    data: bytes

    @property
    def digest(self):
        """The digest of the whole payload."""
        return sha256(self.data)

    @property
    def event_hash(self):
        """The digest of the payload without `issuedAt`."""
        return sha256(canonical({name: value for name, value in self.payload.items() if name != "issuedAt"}))


def open_signed(text, expected, purpose, trust, checked_at):
    """Verifies a JWS: rules 1 to 19, in their order."""
    signed, key = open_untimed(text, expected, purpose, trust)
    check_time(signed.payload["issuedAt"], key, checked_at)
    return signed


def open_untimed(text, expected, purpose, trust):
    """Verifies a JWS: rules 1 to 16. Returns the object, and the key that signed it."""
    header, payload, signature = split(text)
    demand(header["typ"] == expected, "JWS_TYPE")
    key = trust.keys.get(header["kid"])
    demand(key is not None, "ISSUER_NOT_TRUSTED")
    demand(purpose in key.purposes, "KEY_ROLE")
    signing_input = text.rpartition(".")[0].encode("ascii")
    demand(ed25519.valid(key.public, signing_input, signature), "SIGNATURE_INVALID")
    value = read_strict(payload, "PAYLOAD_NOT_CANONICAL", most=strict_json.MOST_VALUES)
    demand(isinstance(value, dict), "FIELD_TYPE")
    demand(canonical(value) == payload, "PAYLOAD_NOT_CANONICAL")
    demand(value.get("schema") == expected, "JWS_TYPE")
    demand(is_instant(value.get("issuedAt")), "FIELD_TYPE")
    return Signed(value, payload), key


def split(text):
    """Header, payload bytes and signature, by rules 1 to 7."""
    demand(isinstance(text, str) and text.count(".") == 2, "JWS_FORM")
    header, payload, signature = [decode(segment) for segment in text.split(".")]
    header = read_header(header)
    demand(len(signature) == 64, "SIGNATURE_INVALID")
    return header, payload, signature


def attach(detached, content):
    """The compact JWS of a detached signature and its content (RFC 7515, appendix F)."""
    segments = detached.split(".")
    demand(len(segments) == 3 and segments[1] == "", "JWS_FORM")
    encoded = base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")
    return f"{segments[0]}.{encoded}.{segments[2]}"


def decode(segment):
    """The bytes of a canonical base64url text."""
    demand(ALPHABET.fullmatch(segment), "JWS_ENCODING")
    try:
        data = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except ValueError:
        raise Fault("JWS_ENCODING") from None
    demand(base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii") == segment, "JWS_ENCODING")
    return data


def read_header(data):
    """The header, by rules 3 to 6."""
    header = read_strict(data, "JWS_HEADER_FORM", largest=HEADER_BYTES, depth=HEADER_DEPTH)
    demand(isinstance(header, dict), "JWS_HEADER_FORM")
    demand(all(name in ("alg", "kid", "typ") for name in header), "JWS_HEADER_MEMBER")
    demand(header.get("alg") == "EdDSA", "JWS_ALG")
    for name in ("kid", "typ"):
        value = header.get(name)
        demand(isinstance(value, str) and 1 <= len(value.encode("utf-16-be")) // 2 <= 200, "JWS_HEADER_FORM")
    demand(canonical(header) == data, "JWS_HEADER_FORM")
    return header


def read_strict(data, code, **limits):
    """A value of strict JSON; every fault has this code."""
    try:
        return strict_json.read(data, **limits)
    except Fault:
        raise Fault(code) from None


def check_time(issued_at, key, checked_at):
    """Rules 17 to 19: the time of signing against the time of the check and the validity of the key."""
    demand(issued_at <= checked_at, "TIME_FUTURE")
    demand(key.valid_from <= issued_at < key.valid_until, "KEY_NOT_VALID_AT_SIGNING")
    demand(key.revoked_at is None or issued_at < key.revoked_at, "KEY_REVOKED")
