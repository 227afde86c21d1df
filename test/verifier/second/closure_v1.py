"""A closure of the first version: sections 6 and 7 of docs/portable-records.md."""

import artifact
from faults import check, demand
from forms import digest_form, exactly, instant, integer_from, name, one_of, schema
from jcs import canonical
from jws import attach, open_untimed

CLOSURE = exactly(
    {
        "schema": schema(artifact.CLOSURE_V1),
        "issuedAt": instant,
        "closureId": name,
        "references": exactly(
            {
                "agreement": exactly({"id": name, "version": integer_from(1), "digest": digest_form}),
                "delivery": exactly({"id": name, "digest": digest_form}),
                "review": exactly({"id": name, "digest": digest_form, "deliveryId": name}),
                "result": exactly(
                    {"id": name, "digest": digest_form, "agreementDigest": digest_form, "reviewId": name}
                ),
            }
        ),
        "externalSettlement": one_of("NOT_ASSERTED"),
    }
)


def verify_closure_v1(file, trust):
    """Raises the first failure. Neither the time of the signature nor a status is looked at."""
    with check("closure-signature"):
        jws = attach(file["signature"], canonical(file["body"]))
        signed, key = open_untimed(jws, artifact.CLOSURE_V1, "CLOSURE", trust)
    with check("closure-revoked"):
        demand(key.revoked_at is None, "KEY_REVOKED")
    with check("closure-form"):
        CLOSURE(signed.payload)
    references = signed.payload["references"]
    with check("closure-references"):
        demand(references["review"]["deliveryId"] == references["delivery"]["id"], "REFERENCE_MISMATCH")
        demand(references["result"]["agreementDigest"] == references["agreement"]["digest"], "REFERENCE_MISMATCH")
        demand(references["result"]["reviewId"] == references["review"]["id"], "REFERENCE_MISMATCH")
