"""The authority policy, section 3.8, and the two checks that it adds."""

import strict_json
from faults import check, demand
from forms import digest_form, exactly, holds, identifier, instant, list_of, one_of, or_null

LONGEST = 262_144
ANCHOR = exactly(
    {
        "grantDigest": digest_form,
        "organizationId": identifier("organization"),
        "subjectId": identifier("person"),
        "validFrom": instant,
        "validUntil": instant,
        "revokedAt": or_null(instant),
    }
)
POLICY = exactly(
    {
        "schema": one_of("service.authority-policy/v1"),
        "authorityAnchors": list_of(ANCHOR),
        "authorityRevocations": list_of(exactly({"grantDigest": digest_form, "revokedAt": instant})),
    }
)


def read_policy(data):
    """The anchors of a policy by grant digest, each with its earliest revocation or None."""
    value = strict_json.read(data, LONGEST)
    demand(holds(POLICY, value), "AUTHORITY_POLICY")
    anchors = {}
    for anchor in value["authorityAnchors"]:
        demand(anchor["grantDigest"] not in anchors, "AUTHORITY_POLICY")
        demand(anchor["validFrom"] < anchor["validUntil"], "AUTHORITY_POLICY")
        anchors[anchor["grantDigest"]] = dict(anchor)
    for revocation in value["authorityRevocations"]:
        anchor = anchors.get(revocation["grantDigest"])
        if anchor and (anchor["revokedAt"] is None or revocation["revokedAt"] < anchor["revokedAt"]):
            anchor["revokedAt"] = revocation["revokedAt"]
    return anchors


def check_without_authority(anchors):
    """Only a package with authority chains can satisfy a policy."""
    with check("authority-anchor"):
        demand(anchors is None, "AUTHORITY_NOT_ENCLOSED")


def check_policy(anchors, chains, events):
    """Every chain has an anchor, and every agent acted while it was in force."""
    for chain in chains.values():
        with check("authority-anchor"):
            grant = chain[0].payload["change"]
            anchor = anchors.get(chain[0].event_hash)
            demand(anchor is not None, "AUTHORITY_NOT_ANCHORED")
            same = anchor["organizationId"] == grant["organizationId"] and anchor["subjectId"] == grant["subjectId"]
            demand(same, "AUTHORITY_ANCHOR_PARTY")
    for event in events:
        execution = event.payload["actor"]["execution"]
        if execution is None:
            continue
        with check("event-anchor"):
            anchor = anchors[chains[execution["grantId"]][0].event_hash]
            at = event.payload["occurredAt"]
            demand(anchor["validFrom"] <= at < anchor["validUntil"], "AUTHORITY_ANCHOR_TIME")
            demand(anchor["revokedAt"] is None or at < anchor["revokedAt"], "AUTHORITY_ANCHOR_REVOKED")
