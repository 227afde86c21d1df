"""The trust file, section 2: one fault refuses the whole file."""

from dataclasses import dataclass

import ed25519
import jws
import strict_json
from faults import Fault, demand
from forms import exactly, holds, instant, list_of, name, one_of, or_null, text

LONGEST = 262_144
PURPOSES = ("EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "PUBLICATION", "COMMERCE", "CLOSURE")
KEY_ENTRY = exactly(
    {
        "kid": name,
        "jwk": exactly({"kty": one_of("OKP"), "crv": one_of("Ed25519"), "x": text}),
        "validFrom": instant,
        "validUntil": instant,
        "revokedAt": or_null(instant),
        "purposes": list_of(one_of(*PURPOSES)),
    }
)


TRUST_FILE = exactly(
    {"schema": one_of("service.issuer-keys/v1"), "issuer": name, "environment": name, "keys": list_of(KEY_ENTRY)}
)


@dataclass(frozen=True)
class Key:
    """One entry."""

    public: bytes
    valid_from: str
    valid_until: str
    revoked_at: str | None
    purposes: tuple


@dataclass(frozen=True)
class Trust:
    """The trusted issuer, and its keys by `kid`."""

    issuer: str
    environment: str
    keys: dict


def read_trust(data):
    """Parses a trust file."""
    value = strict_json.read(data, LONGEST)
    if isinstance(value, dict):
        demand(value.get("schema") != "service.issuer-key-bundle/v1", "TRUST_BUNDLE")
    demand(holds(TRUST_FILE, value) and value["keys"], "TRUST_FILE")
    keys = {}
    for entry in value["keys"]:
        public = read_key(entry["jwk"]["x"])
        demand(entry["kid"] not in keys, "TRUST_FILE")
        demand(all(public != other.public for other in keys.values()), "TRUST_FILE")
        demand(entry["validFrom"] < entry["validUntil"], "TRUST_FILE")
        purposes = tuple(entry["purposes"])
        demand(purposes and len(set(purposes)) == len(purposes), "TRUST_FILE")
        keys[entry["kid"]] = Key(public, entry["validFrom"], entry["validUntil"], entry["revokedAt"], purposes)
    return Trust(value["issuer"], value["environment"], keys)


def read_key(x):
    """The bytes of a valid key."""
    try:
        public = jws.decode(x)
    except Fault:
        raise Fault("TRUST_FILE") from None
    demand(len(public) == 32, "TRUST_FILE")
    demand(not ed25519.weak_key(public), "KEY_WEAK")
    return public
