"""The signatures that the terms require, 3.2: `history-signatures`."""

from faults import check, demand


def check_signatures(events, signing, agreement_digest):
    """Without `terms.signing` there are no signatures; with it, the agreement has two and the accepting review one."""
    signed = set()
    for event in events:
        kind, payload = event.payload["kind"], event.payload["payload"]
        with check("history-signatures"):
            if signing is None:
                demand(kind != "SIGN" and "signature" not in payload, "SIGNING_MISMATCH")
            elif kind == "SIGN":
                demand(payload["party"] not in signed, "SIGNING_MISMATCH")
                signed.add(payload["party"])
                check_one(event, signing, agreement_digest, signing["agreementSignBy"])
            elif kind == "SUBMIT":
                demand(signed == {"BUYER", "SUPPLIER"}, "SIGNING_MISMATCH")
            elif kind == "REVIEW" and payload["action"] == "ACCEPT":
                demand("signature" in payload and "confirmationDigest" in payload, "SIGNING_MISMATCH")
                check_one(event, signing, payload["confirmationDigest"], signing["acceptanceSignBy"])


def check_one(event, signing, digest, sign_by):
    """One signature: its method, digest, signer and time."""
    signature, at = event.payload["payload"]["signature"], event.payload["occurredAt"]
    demand(signature["method"] == signing["method"], "SIGNING_MISMATCH")
    demand(signature["digest"] == digest, "SIGNING_MISMATCH")
    if signature["method"] == "NATIVE":
        demand(signature["personId"] == event.payload["actor"]["id"], "SIGNING_MISMATCH")
    else:
        demand(signature["evidence"]["signedAt"] <= at, "SIGNING_MISMATCH")
    demand(at <= sign_by, "SIGNING_MISMATCH")
