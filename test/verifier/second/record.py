"""The record, 3.3, against the trust file, the agreement and the history: every check that begins with `record-`."""

from faults import check, demand


def check_issuer(record, trust):
    """`record-issuer`: the record has the issuer and environment of the trust file."""
    with check("record-issuer"):
        demand(record["issuer"] == trust.issuer, "ISSUER_MISMATCH")
        demand(record["environment"] == trust.environment, "ENVIRONMENT_MISMATCH")


def check_agreement(record, agreement, agreement_digest):
    """`record-agreement`: the project and the agreement."""
    with check("record-agreement"):
        demand(record["projectId"] == agreement["projectId"], "JOURNAL_TRANSACTION")
        demand(record["agreement"]["digest"] == agreement_digest, "AGREEMENT_MISMATCH")
        demand(record["agreement"]["version"] == agreement["version"], "AGREEMENT_MISMATCH")


def check_parties(record, agreement, events, representatives):
    """`record-parties`: both sides, the supplier's by its representative when the record was issued."""
    issued = [at for at, event in enumerate(events) if event.payload["kind"] == "ISSUE"]
    buyer = {**agreement["buyer"], "name": agreement["terms"]["buyerName"]}
    supplier = {
        "actorId": representatives[issued[-1] if issued else -1],
        "name": agreement["terms"]["supplierName"],
    }
    with check("record-parties"):
        demand(record["parties"] == {"buyer": buyer, "supplier": supplier}, "PARTY_MISMATCH")


def check_acceptance(record, submission, submission_digest, accepting, review_digest):
    """`record-acceptance`: the accepted submission, the accepting review and its time."""
    review = accepting.payload["payload"]
    with check("record-acceptance"):
        demand(record["submission"]["id"] == submission["submissionId"], "SUBMISSION_MISMATCH")
        demand(record["submission"]["digest"] == submission_digest, "DIGEST_MISMATCH")
        demand(record["review"]["id"] == review["reviewId"], "REVIEW_MISMATCH")
        demand(record["review"]["digest"] == review_digest, "DIGEST_MISMATCH")
        demand(record["confirmation"]["id"] == review["confirmationId"], "CONFIRMATION_MISMATCH")
        demand(record["acceptedAt"] == accepting.payload["occurredAt"], "RECORD_MISMATCH")
        demand(record["issuedAt"] >= record["acceptedAt"], "JOURNAL_TIME")


def check_head(record, events, accepting_at):
    """`record-head`: the history up to the issue of the record."""
    count = record["head"]["count"]
    with check("record-head"):
        demand(accepting_at < count <= len(events), "JOURNAL_COUNT")
        demand(record["head"]["eventHash"] == events[count - 1].event_hash, "JOURNAL_HEAD")


def check_issue(record, record_digest, events):
    """`record-issue`: the one ISSUE event, directly after the head."""
    issued = [at for at, event in enumerate(events) if event.payload["kind"] == "ISSUE"]
    with check("record-issue"):
        demand(len(issued) == 1, "ISSUE_MISMATCH")
        payload = events[issued[0]].payload["payload"]
        demand(issued[0] == record["head"]["count"], "JOURNAL_COUNT")
        demand(events[issued[0]].payload["previous"] == record["head"]["eventHash"], "JOURNAL_HEAD")
        demand(payload["recordId"] == record["recordId"], "ISSUE_MISMATCH")
        demand(payload["recordDigest"] == record_digest, "DIGEST_MISMATCH")
        demand(payload["confirmationId"] == record["confirmation"]["id"], "CONFIRMATION_MISMATCH")
        demand(events[issued[0]].payload["occurredAt"] >= record["issuedAt"], "JOURNAL_TIME")
