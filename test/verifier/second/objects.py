"""The forms of the agreement, the record, the package and the status: 3.1, 3.3, 3.4, 3.6."""

from events import ACCEPTING_REVIEW, SUBMIT
from forms import (
    at_least,
    digest_form,
    exactly,
    identifier,
    instant,
    integer_from,
    list_of,
    name,
    one_of,
    or_null,
    schema,
    text,
)

MOST_EVENTS = 100
MOST_IN_CHAIN = 200

SIGNING = at_least(
    {
        "method": one_of("NATIVE", "EXTERNAL"),
        "principal": identifier("person"),
        "agreementSignBy": instant,
        "acceptanceSignBy": instant,
    },
    {"counterparty": identifier("person")},
)
TERMS = at_least(
    {
        "buyerName": name,
        "supplierName": name,
        "criteria": list_of(at_least({"id": name})),
    },
    {"subjectRequirements": list_of(at_least({"humanDecisions": list_of(text)})), "signing": SIGNING},
)
AGREEMENT = exactly(
    {
        "schema": schema("service.agreement/v1"),
        "projectId": identifier("delivery"),
        "version": integer_from(1),
        "previous": or_null(exactly({"projectId": identifier("delivery"), "digest": digest_form})),
        "terms": TERMS,
        "buyer": exactly({"organizationId": identifier("organization"), "actorId": identifier("person")}),
        "supplier": exactly({"actorId": or_null(identifier("person"))}),
    }
)
RECORD = exactly(
    {
        "schema": schema("service.result-record/v1"),
        "issuedAt": instant,
        "issuer": name,
        "environment": name,
        "recordId": identifier("record"),
        "projectId": identifier("delivery"),
        "agreement": exactly({"digest": digest_form, "version": integer_from(1)}),
        "parties": exactly(
            {
                "buyer": exactly(
                    {"organizationId": identifier("organization"), "actorId": identifier("person"), "name": name}
                ),
                "supplier": exactly({"actorId": identifier("person"), "name": name}),
            }
        ),
        "submission": exactly({"id": identifier("submission"), "digest": digest_form}),
        "review": exactly({"id": identifier("review"), "digest": digest_form}),
        "confirmation": exactly({"id": identifier("confirmation")}),
        "acceptedAt": instant,
        "head": exactly({"eventHash": digest_form, "count": integer_from(1)}),
    }
)
KINDS = one_of("agreement", "event", "submission", "review", "record", "authority-event", "history-gap")
ENTRY = exactly({"id": name, "kind": KINDS, "digest": digest_form, "bytes": integer_from(1)})
CHAIN = exactly(
    {
        "grantId": identifier("grant"),
        "events": list_of(text, longest=MOST_IN_CHAIN),
        "salts": list_of(exactly({"sequence": integer_from(1), "salt": digest_form}), longest=MOST_IN_CHAIN),
    }
)
PLACE = exactly({"sequence": integer_from(1), "eventHash": digest_form})
HISTORY_GAP = exactly(
    {
        "schema": schema("service.history-gap/v1"),
        "issuedAt": instant,
        "epoch": identifier("epoch"),
        "projectId": identifier("delivery"),
        "reason": text,
        "kept": PLACE,
        "lost": PLACE,
    }
)
PACKAGE_V1_MEMBERS = {
    "schema": schema("service.result-package/v1"),
    "issuedAt": instant,
    "agreement": AGREEMENT,
    "events": list_of(text, longest=MOST_EVENTS),
    "submission": SUBMIT,
    "review": ACCEPTING_REVIEW,
    "record": text,
}
PACKAGE_V1 = exactly(PACKAGE_V1_MEMBERS)
PACKAGE_V2 = exactly(
    {
        **PACKAGE_V1_MEMBERS,
        "schema": schema("service.result-package/v2"),
        "manifest": list_of(ENTRY),
        "authority": list_of(CHAIN),
    },
    {"gaps": list_of(text, longest=MOST_EVENTS)},
)
STATUS = exactly(
    {
        "schema": schema("service.agent-status/v1"),
        "issuedAt": instant,
        "expiresAt": instant,
        "environment": name,
        "projectId": identifier("delivery"),
        "agreementDigest": digest_form,
        "headEventHash": digest_form,
        "state": name,
        "recordId": or_null(identifier("record")),
        "recordDigest": or_null(digest_form),
        "reliance": one_of("NONE", "CURRENT", "PAUSED", "STOPPED"),
        "nonce": name,
    }
)
