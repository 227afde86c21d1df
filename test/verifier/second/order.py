"""A Result Order record: sections 4 and 7 of docs/portable-records.md."""

from commerce import ENVIRONMENT, LARGEST_AMOUNT, PROVIDER_ID
from faults import check, demand
from forms import (
    digest_form,
    exactly,
    identifier,
    instant,
    integer_from,
    list_of,
    mapping,
    name,
    one_of,
    or_null,
    text,
    three_capitals,
)
from jcs import digest
from passport import check_issuer, issued

SCHEMA = "service.result-order/v1"

PARTY = exactly({"organizationId": identifier("organization"), "name": name})
TERMS = exactly(
    {
        "projectId": identifier("delivery"),
        "agreement": exactly({"digest": digest_form, "version": integer_from(1)}),
        "submission": exactly({"id": identifier("submission"), "digest": digest_form}),
        "review": exactly({"id": identifier("review"), "digest": digest_form}),
        "confirmation": exactly({"id": identifier("confirmation")}),
        "record": exactly({"id": identifier("record"), "digest": digest_form}),
        "packageDigest": digest_form,
        "buyer": PARTY,
        "supplier": PARTY,
        "provider": one_of("STRIPE", "SIMULATED"),
        "environment": ENVIRONMENT,
        "recipientAccount": PROVIDER_ID,
        "currency": three_capitals,
        "amountMinor": integer_from(1, LARGEST_AMOUNT),
        "item": exactly({"type": one_of("RESULT_RECORD"), "id": identifier("record"), "digest": digest_form}),
    }
)
JOURNAL = exactly({"count": integer_from(0), "head": digest_form})
ATTEMPT = {"commerceOrderId": identifier("commerce")}
PAYLOADS = {
    "OFFERED": exactly({"termsDigest": digest_form}),
    "APPROVED": exactly({"termsDigest": digest_form}),
    "DECLINED": exactly({"reason": text}),
    "WITHDRAWN": exactly({"reason": text}),
    "ATTEMPT_OPENED": exactly(
        {**ATTEMPT, "number": integer_from(1), "acceptedSourceDigest": digest_form, "expiresAt": instant}
    ),
    "ATTEMPT_RELEASED": exactly(
        {
            **ATTEMPT,
            "reason": one_of("CHECKOUT_EXPIRED", "PAYMENT_FAILED", "CHECKOUT_NOT_OPENED", "PROVIDER_REFUSED"),
            "journal": JOURNAL,
        }
    ),
    "ATTEMPT_PAID": exactly({**ATTEMPT, "journal": JOURNAL}),
}
EVENT_MEMBERS = exactly(
    {
        "resultOrderId": identifier("order"),
        "sequence": integer_from(1),
        "previous": digest_form,
        "kind": one_of(*PAYLOADS),
        "requestId": or_null(name),
        "actor": or_null(
            exactly({"personId": identifier("person"), "organizationId": identifier("organization")})
        ),
        "payload": mapping,
        "occurredAt": instant,
        "hash": digest_form,
    }
)

# Who causes an event, the states before it, and the state after it.
MOVES = {
    "OFFERED": ("supplier", ("NONE",), "OFFERED"),
    "APPROVED": ("buyer", ("OFFERED",), "APPROVED"),
    "DECLINED": ("buyer", ("OFFERED",), "DECLINED"),
    "WITHDRAWN": ("supplier", ("OFFERED", "APPROVED", "PAYING"), "WITHDRAWN"),
    "ATTEMPT_OPENED": ("buyer", ("APPROVED",), "PAYING"),
    "ATTEMPT_RELEASED": (None, ("PAYING",), "APPROVED"),
    "ATTEMPT_PAID": (None, ("PAYING",), "PAID"),
}


def event_form(value):
    """An event, then its payload by its kind."""
    EVENT_MEMBERS(value)
    PAYLOADS[value["kind"]](value["payload"])


ORDER = exactly(
    {
        **issued(SCHEMA),
        "baseUrl": name,
        "resultOrderId": identifier("order"),
        "commerceOrderId": identifier("commerce"),
        "terms": TERMS,
        "termsDigest": digest_form,
        "financialEvents": list_of(event_form),
        "financialHead": digest_form,
        "acceptedSourceDigest": digest_form,
    }
)


def verify_order(text, reader):
    """Raises the first failure of a Result Order record. Returns it as it was signed."""
    signed = reader.open("order", text, SCHEMA, "COMMERCE")
    order = signed.payload
    with check("order-form"):
        ORDER(order)
    check_issuer("order-issuer", order, reader.trust)
    with check("order-terms"):
        demand(order["termsDigest"] == digest(order["terms"]), "DIGEST_MISMATCH")
    with check("order-financial"):
        check_events(order)
    with check("order-source"):
        parts = [
            order["termsDigest"],
            order["financialHead"],
            order["baseUrl"],
            order["baseUrl"],
            order["terms"]["agreement"]["digest"],
        ]
        demand(order["acceptedSourceDigest"] == digest(parts), "PAYMENT_SOURCE_MISMATCH")
    return signed


def check_events(order):
    """One chain of permitted moves from the terms to an approved order, before the attempt of this record."""
    state, before, opened = "NONE", None, []
    for number, event in enumerate(order["financialEvents"], 1):
        check_link(number, event, before, order)
        actor, origins, target = MOVES[event["kind"]]
        demand(state in origins, "JOURNAL_MOVE")
        check_actor(event, actor, order["terms"])
        check_subject(event, opened, order["termsDigest"])
        if event["kind"] == "ATTEMPT_OPENED":
            opened.append(event["payload"]["commerceOrderId"])
        state, before = target, event
    demand(state == "APPROVED", "JOURNAL_MOVE")
    demand(order["financialHead"] == before["hash"], "JOURNAL_HEAD")
    demand(order["commerceOrderId"] not in opened, "ATTEMPT_MISMATCH")


def check_link(number, event, before, order):
    """An event continues the one before it, the first one the terms."""
    demand(event["resultOrderId"] == order["resultOrderId"], "JOURNAL_TRANSACTION")
    demand(event["sequence"] == number, "JOURNAL_SEQUENCE")
    demand(event["previous"] == (before["hash"] if before else order["termsDigest"]), "JOURNAL_PREV")
    content = {member: value for member, value in event.items() if member != "hash"}
    demand(event["hash"] == digest(content), "DIGEST_MISMATCH")
    demand(before is None or before["occurredAt"] <= event["occurredAt"], "JOURNAL_TIME")


def check_actor(event, side, terms):
    """A person of the acting side with a request, or the service with neither."""
    if side is None:
        demand(event["actor"] is None, "PARTY_MISMATCH")
        demand(event["requestId"] is None, "PARTY_MISMATCH")
    else:
        demand(event["actor"] is not None, "PARTY_MISMATCH")
        demand(event["actor"]["organizationId"] == terms[side]["organizationId"], "PARTY_MISMATCH")
        demand(event["requestId"] is not None, "PARTY_MISMATCH")


def check_subject(event, opened, terms_digest):
    """Offer and approval are of the terms; attempts are numbered, new when they open, and end as the latest."""
    payload = event["payload"]
    if "termsDigest" in payload:
        demand(payload["termsDigest"] == terms_digest, "DIGEST_MISMATCH")
    elif event["kind"] == "ATTEMPT_OPENED":
        demand(payload["commerceOrderId"] not in opened, "ATTEMPT_MISMATCH")
        demand(payload["number"] == len(opened) + 1, "ATTEMPT_MISMATCH")
    elif "commerceOrderId" in payload:
        demand(payload["commerceOrderId"] == opened[-1], "ATTEMPT_MISMATCH")
