"""A Commerce Record: sections 4 and 5 of docs/portable-records.md."""

import artifact
from faults import check, demand
from forms import (
    digest_form,
    exactly,
    false,
    identifier,
    instant,
    integer_from,
    list_of,
    mapping,
    one_of,
    or_null,
    short_text,
    three_capitals,
    true_or_false,
)
from jcs import digest
from passport import check_issuer, issued

MOST_ENTRIES = 1_000
MOST_REVERSALS = 200
LARGEST_AMOUNT = 99_999_999

TEXT = short_text(0)
PROVIDER_ID = short_text(1)
SUM = integer_from(0)
ENVIRONMENT = one_of("TEST", "LIVE")

BINDING = exactly(
    {
        "commerceOrderId": identifier("commerce"),
        "resultOrderId": identifier("order"),
        "acceptedSourceDigest": digest_form,
        "provider": one_of("STRIPE", "SIMULATED"),
        "environment": ENVIRONMENT,
        "currency": three_capitals,
        "amountMinor": integer_from(1, LARGEST_AMOUNT),
        "buyerScope": identifier("organization"),
        "recipientScope": identifier("organization"),
        "recipientAccount": PROVIDER_ID,
        "item": exactly({"type": one_of("RESULT_RECORD"), "id": identifier("record"), "digest": digest_form}),
    }
)
CHARGE = exactly(
    {
        "id": PROVIDER_ID,
        "state": one_of("PENDING", "SUCCEEDED", "FAILED"),
        "amountMinor": SUM,
        "amountCapturedMinor": SUM,
        "amountRefundedMinor": SUM,
        "currency": three_capitals,
        "paid": true_or_false,
        "captured": true_or_false,
        "disputed": true_or_false,
        "transferId": or_null(PROVIDER_ID),
        "createdAt": instant,
    }
)
REVERSAL = exactly(
    {"id": PROVIDER_ID, "amountMinor": SUM, "refundId": or_null(PROVIDER_ID), "createdAt": instant}
)
FACTS = {
    "CHECKOUT": exactly(
        {
            "state": one_of("OPEN", "COMPLETE", "EXPIRED"),
            "paymentState": one_of("UNPAID", "PAID", "NOT_REQUIRED"),
            "amountMinor": or_null(SUM),
            "currency": or_null(three_capitals),
            "commerceOrderId": or_null(PROVIDER_ID),
            "acceptedSourceDigest": or_null(PROVIDER_ID),
            "paymentId": or_null(PROVIDER_ID),
            "environment": ENVIRONMENT,
            "createdAt": instant,
            "expiresAt": instant,
        }
    ),
    "PAYMENT": exactly(
        {
            "state": one_of("REQUIRES_ACTION", "PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"),
            "amountMinor": SUM,
            "amountReceivedMinor": SUM,
            "currency": three_capitals,
            "commerceOrderId": or_null(PROVIDER_ID),
            "acceptedSourceDigest": or_null(PROVIDER_ID),
            "recipientAccount": or_null(PROVIDER_ID),
            "environment": ENVIRONMENT,
            "createdAt": instant,
            "charge": or_null(CHARGE),
        }
    ),
    "REFUND": exactly(
        {
            "state": one_of("PENDING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"),
            "amountMinor": SUM,
            "currency": three_capitals,
            "paymentId": or_null(PROVIDER_ID),
            "chargeId": or_null(PROVIDER_ID),
            "createdAt": instant,
        }
    ),
    "DISPUTE": exactly(
        {
            "status": TEXT,
            "disputed": true_or_false,
            "amountMinor": SUM,
            "currency": three_capitals,
            "chargeId": PROVIDER_ID,
            "reason": TEXT,
            "createdAt": instant,
        }
    ),
    "TRANSFER": exactly(
        {
            "amountMinor": SUM,
            "amountReversedMinor": SUM,
            "currency": three_capitals,
            "destinationAccount": PROVIDER_ID,
            "chargeId": or_null(PROVIDER_ID),
            "destinationPaymentId": or_null(PROVIDER_ID),
            "environment": ENVIRONMENT,
            "createdAt": instant,
            "reversals": list_of(REVERSAL, longest=MOST_REVERSALS),
        }
    ),
    "PAYOUT": exactly(
        {
            "state": one_of("PENDING", "IN_TRANSIT", "PAID", "FAILED", "CANCELED"),
            "account": PROVIDER_ID,
            "destinationPaymentId": PROVIDER_ID,
            "currency": three_capitals,
            "automatic": true_or_false,
            "environment": ENVIRONMENT,
            "arrivalDate": instant,
            "createdAt": instant,
        }
    ),
}
ENTRY_MEMBERS = exactly(
    {
        "sequence": integer_from(1),
        "previousHash": digest_form,
        "observedAt": instant,
        "component": one_of(*FACTS),
        "entity": PROVIDER_ID,
        "facts": mapping,
        "hash": digest_form,
    }
)
LABELS = (
    "PAYMENT_NOT_CONFIRMED",
    "PROVIDER_VERIFIED_PAYMENT",
    "PROVIDER_VERIFIED_REFUND",
    "DISPUTED",
    "PROVIDER_VERIFIED_TRANSFER",
    "PROVIDER_OBSERVED_PAYOUT",
)


def entry_form(value):
    """An entry, then its facts by its component."""
    ENTRY_MEMBERS(value)
    FACTS[value["component"]](value["facts"])


RECORD = exactly(
    {
        **issued(artifact.COMMERCE),
        "path": one_of("RESULT_ORDER"),
        "binding": BINDING,
        "coverage": one_of("CAPTURED_PROVIDER_OBSERVATIONS_ONLY"),
        "priorHistory": one_of("NOT_ASSERTED"),
        "firstCapturedAt": or_null(instant),
        "attestation": one_of("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
        "bankReceiptVerified": false,
        "journal": exactly(
            {"count": integer_from(0), "head": digest_form, "entries": list_of(entry_form, longest=MOST_ENTRIES)}
        ),
        "labels": list_of(or_null(one_of(*LABELS)), longest=MOST_ENTRIES),
    }
)


def verify_commerce(text, reader, stated_digest=None):
    """Raises the first failure of a Commerce Record; only a file states its digest. Returns it as it was signed."""
    signed = reader.open("commerce", text, artifact.COMMERCE, "COMMERCE")
    record = signed.payload
    with check("commerce-form"):
        RECORD(record)
    if stated_digest is not None:
        with check("commerce-digest"):
            demand(stated_digest == signed.digest, "DIGEST_MISMATCH")
    check_issuer("commerce-issuer", record, reader.trust)
    entries = record["journal"]["entries"]
    start = digest(record["binding"])
    for number, entry in enumerate(entries, 1):
        with check("entry-chain"):
            check_link(number, entry, entries[number - 2] if number > 1 else None, start)
    with check("journal-head"):
        check_head(record, start)
    latest = {}
    for entry in entries:
        entity = (entry["component"], entry["entity"])
        with check("entry-change"):
            demand(entity not in latest or latest[entity] != digest(entry["facts"]), "ENTRY_UNCHANGED")
        latest[entity] = digest(entry["facts"])
    for index, entry in enumerate(entries):
        with check("entry-label"):
            demand(record["labels"][index] == label(record["binding"], entry, entries[:index]), "LABEL_MISMATCH")
    return signed


def check_link(number, entry, before, start):
    """An entry continues the one before it, the first one the binding."""
    demand(entry["sequence"] == number, "JOURNAL_SEQUENCE")
    demand(entry["previousHash"] == (before["hash"] if before else start), "JOURNAL_PREV")
    content = {member: value for member, value in entry.items() if member != "hash"}
    demand(entry["hash"] == digest(content), "DIGEST_MISMATCH")
    demand(before is None or before["observedAt"] <= entry["observedAt"], "JOURNAL_TIME")


def check_head(record, start):
    """Counts, head and times of the journal."""
    journal = record["journal"]
    entries = journal["entries"]
    demand(journal["count"] == len(entries), "JOURNAL_COUNT")
    demand(len(record["labels"]) == len(entries), "JOURNAL_COUNT")
    demand(journal["head"] == (entries[-1]["hash"] if entries else start), "JOURNAL_HEAD")
    demand(record["firstCapturedAt"] == (entries[0]["observedAt"] if entries else None), "JOURNAL_TIME")
    demand(not entries or entries[-1]["observedAt"] <= record["issuedAt"], "JOURNAL_TIME")


def label(binding, entry, earlier):
    """The label of an entry after the earlier ones, by the table of section 4."""
    facts = entry["facts"]
    component = entry["component"]
    if component == "CHECKOUT":
        return "PAYMENT_NOT_CONFIRMED" if facts["state"] in ("OPEN", "EXPIRED") else None
    if component == "PAYMENT":
        return "PROVIDER_VERIFIED_PAYMENT" if is_verified_payment(binding, facts) else None
    if component == "PAYOUT":
        transfers = [one["facts"]["destinationPaymentId"] for one in earlier if one["component"] == "TRANSFER"]
        holds = facts["state"] == "PAID" and facts["account"] == binding["recipientAccount"]
        holds = holds and facts["environment"] == binding["environment"]
        return "PROVIDER_OBSERVED_PAYOUT" if holds and facts["destinationPaymentId"] in transfers else None
    if facts["chargeId"] is None or facts["chargeId"] != latest_charge(earlier):
        return None
    if component == "DISPUTE":
        return "DISPUTED" if facts["disputed"] else None
    if facts["currency"] != binding["currency"] or not 1 <= facts["amountMinor"] <= binding["amountMinor"]:
        return None
    if component == "REFUND":
        return "PROVIDER_VERIFIED_REFUND" if facts["state"] == "SUCCEEDED" else None
    holds = facts["destinationAccount"] == binding["recipientAccount"]
    holds = holds and facts["environment"] == binding["environment"]
    holds = holds and facts["amountReversedMinor"] <= facts["amountMinor"]
    return "PROVIDER_VERIFIED_TRANSFER" if holds else None


def latest_charge(earlier):
    """The charge of the latest payment, or None."""
    payments = [one["facts"] for one in earlier if one["component"] == "PAYMENT"]
    charge = payments[-1]["charge"] if payments else None
    return charge["id"] if charge else None


def is_verified_payment(binding, payment):
    """The payment has every bound value, and its charge was captured in full."""
    charge = payment["charge"]
    if payment["state"] != "SUCCEEDED" or charge is None or charge["state"] != "SUCCEEDED":
        return False
    sums = (payment["amountMinor"], payment["amountReceivedMinor"], charge["amountMinor"], charge["amountCapturedMinor"])
    bound = ("environment", "recipientAccount", "commerceOrderId", "acceptedSourceDigest")
    return (
        all(each == binding["amountMinor"] for each in sums)
        and payment["currency"] == charge["currency"] == binding["currency"]
        and all(payment[member] == binding[member] for member in bound)
        and charge["paid"]
        and charge["captured"]
    )
