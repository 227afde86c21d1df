"""The form of a project event, 3.2: the frame, and the payload by kind."""

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
    schema,
    text,
    true,
)

EXECUTION = exactly({"grantId": identifier("grant"), "agentId": identifier("agent"), "authorityHead": digest_form})
ACTOR = exactly(
    {
        "id": identifier("person"),
        "organizationId": identifier("organization"),
        "role": one_of("BUYER", "SUPPLIER"),
        "execution": or_null(EXECUTION),
    }
)
NATIVE = exactly(
    {"method": one_of("NATIVE"), "personId": identifier("person"), "digest": digest_form, "statement": text}
)
EVIDENCE = exactly({"provider": text, "reference": text, "fileName": text, "sha256": digest_form, "signedAt": instant})
EXTERNAL = exactly(
    {
        "method": one_of("EXTERNAL"),
        "digest": digest_form,
        "evidence": EVIDENCE,
        "label": one_of("RECORDED_NOT_VERIFIED"),
    }
)


def signature(value):
    """A signature of either method."""
    mapping(value)
    (EXTERNAL if value.get("method") == "EXTERNAL" else NATIVE)(value)


CREATE = exactly(
    {"agreementDigest": digest_form, "confirmationDigest": digest_form},
    {"proposalDigest": digest_form, "supplierOrganizationId": identifier("organization")},
)
RESPOND = exactly(
    {
        "agreementDigest": digest_form,
        "reason": text,
        "action": one_of("ACCEPT", "REQUEST_CHANGES", "DECLINE"),
        "actorRole": text,
        "authorityAttested": true,
    },
    {"confirmationDigest": digest_form},
)
FILE = exactly({"name": name, "reference": text, "size": integer_from(0), "sha256": digest_form})
ITEM = exactly({"criterionId": name, "summary": text, "references": list_of(text), "files": list_of(FILE)})
SUBMIT = exactly(
    {
        "submissionId": identifier("submission"),
        "agreementDigest": digest_form,
        "previousSubmissionId": or_null(identifier("submission")),
        "respondsToReviewId": or_null(identifier("review")),
        "summary": text,
        "items": list_of(ITEM),
    }
)
DECISION = exactly(
    {"criterionId": name, "decision": one_of("MET", "NOT_MET", "EVIDENCE_NEEDED")}, {"note": text}
)
REVIEW_MEMBERS = {
    "reviewId": identifier("review"),
    "agreementDigest": digest_form,
    "submissionId": identifier("submission"),
    "submissionDigest": digest_form,
    "reason": text,
    "nextAction": text,
    "decisions": list_of(DECISION),
    "action": one_of("ACCEPT", "REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"),
}
OTHER_REVIEW = exactly(REVIEW_MEMBERS)
ACCEPTING_REVIEW = exactly(
    {
        **REVIEW_MEMBERS,
        "action": one_of("ACCEPT"),
        "checkedFiles": list_of(exactly({"criterionId": name, "name": name, "sha256": digest_form})),
        "confirmationId": identifier("confirmation"),
    },
    {"confirmationDigest": digest_form, "signature": signature},
)


def review(value):
    """A REVIEW, by its action."""
    mapping(value)
    (ACCEPTING_REVIEW if value.get("action") == "ACCEPT" else OTHER_REVIEW)(value)


def about(**members):
    """A payload with these members after the agreement's digest and a reason."""
    return exactly({"agreementDigest": digest_form, "reason": text, **members})


CONFIRMATION = identifier("confirmation")
PERSON = identifier("person")
HOLD = about(purpose=one_of("DELIVERY", "REVIEW"))
ISSUE = exactly(
    {
        "recordId": identifier("record"),
        "recordDigest": digest_form,
        "confirmationId": CONFIRMATION,
        "agreementDigest": digest_form,
    }
)
INVITATION_ACCEPTED = exactly(
    {"agreementDigest": digest_form, "invitationId": identifier("invitation"), "supplierActorId": PERSON}
)
SIGN = exactly({"agreementDigest": digest_form, "party": one_of("BUYER", "SUPPLIER"), "signature": signature})
SUCCESSOR = exactly({"projectId": identifier("delivery"), "digest": digest_form})
PAYLOADS = {
    "CREATE": CREATE,
    "RESPOND": RESPOND,
    "SUBMIT": SUBMIT,
    "REVIEW": review,
    "ISSUE": ISSUE,
    "INVITATION_ACCEPTED": INVITATION_ACCEPTED,
    "SIGN": SIGN,
    "DATE_REVISION": HOLD,
    "LIFT_HOLD": HOLD,
    "CONCERN": about(
        confirmationId=CONFIRMATION, kind=one_of("AUTHORITY", "MATERIALS", "CRITERIA", "OTHER")
    ),
    "RESOLVE_CONCERN": about(confirmationId=CONFIRMATION, resolution=one_of("DISMISSED", "UPHELD")),
    "WITHDRAW_CONFIRMATION": about(confirmationId=CONFIRMATION),
    "CHANGE_REPRESENTATIVE": about(previousActorId=PERSON, supplierActorId=PERSON),
    "SUPERSEDE": about(successor=SUCCESSOR),
}
FRAME = exactly(
    {
        "schema": schema("service.project-event/v1"),
        "issuedAt": instant,
        "projectId": identifier("delivery"),
        "sequence": integer_from(1),
        "previous": digest_form,
        "requestId": name,
        "actor": ACTOR,
        "occurredAt": instant,
        "kind": one_of(*PAYLOADS),
        "payload": mapping,
    }
)


def event_form(value):
    """A project event."""
    FRAME(value)
    PAYLOADS[value["kind"]](value["payload"])
