"""The lineage of a closure: sections 6.5 and 7.3 of docs/portable-records.md."""

import artifact
from faults import check, demand
from forms import digest_form, exactly, identifier, integer_from, list_of, name, one_of, text
from jcs import digest
from objects import AGREEMENT
from passport import check_issuer, issued, open_passport

REFERENCE_SCHEMA = "service.history-reference/v1"
LINK_SCHEMA = "service.agreement-link/v1"
SNAPSHOT_SCHEMA = "service.agreement-snapshot/v1"
VERSION_OF = {"version": integer_from(1), "agreementDigest": digest_form}
CONFIRMED = (
    "LOCKED",
    "SUBMITTED",
    "CHANGES_REQUESTED",
    "AWAITING_EVIDENCE",
    "BUYER_CONFIRMED",
    "BUYER_REJECTED",
    "CONFIRMATION_CONTESTED",
    "CONFIRMATION_WITHDRAWN",
    "SUPERSEDED",
)

LINEAGE = exactly(
    {"passport": artifact.PASSPORT_FILE, "historyReference": text, "agreementLink": text, "nextAgreement": text}
)
REFERENCE = exactly(
    {
        **issued(REFERENCE_SCHEMA),
        "type": one_of("HISTORY_REFERENCE"),
        "referenceId": identifier("reference"),
        "project": exactly({"id": identifier("delivery"), **VERSION_OF}),
        "passport": exactly({"digest": digest_form, "subjectId": identifier("provider")}),
        "references": list_of(
            exactly(
                {
                    "relation": one_of("COOPERATE"),
                    "resultId": identifier("record"),
                    "publicationId": identifier("pub"),
                    "publicationDigest": digest_form,
                    "summaryDigest": digest_form,
                }
            )
        ),
        "madeBy": exactly({"organizationId": identifier("organization"), "personId": identifier("person")}),
        "reason": text,
    }
)
LINK = exactly(
    {
        **issued(LINK_SCHEMA),
        "type": one_of("AGREEMENT_LINK"),
        "linkId": identifier("link"),
        "reference": exactly({"id": identifier("reference"), "digest": digest_form}),
        "original": exactly(
            {
                "projectId": identifier("delivery"),
                **VERSION_OF,
                "recordId": identifier("record"),
                "recordDigest": digest_form,
            }
        ),
        "next": exactly({"projectId": identifier("delivery"), **VERSION_OF, "confirmedEventHash": digest_form}),
        "supplierOrganizationId": identifier("organization"),
    }
)
SNAPSHOT = exactly(
    {
        **issued(SNAPSHOT_SCHEMA),
        "agreement": AGREEMENT,
        "supplierOrganizationId": identifier("organization"),
        "confirmedEvent": exactly({"sequence": integer_from(1), "hash": digest_form}),
        "state": name,
        "head": exactly({"eventHash": digest_form, "count": integer_from(1)}),
    }
)


def verify_lineage(lineage, closure, package, supplier, reader):
    """Raises the first failure of a lineage of the closure of this package."""
    manifest, summaries = open_passport(lineage["passport"], reader)
    reference = open_part("reference", lineage["historyReference"], REFERENCE_SCHEMA, REFERENCE, reader)
    with check("lineage-cooperate"):
        check_cooperate(reference.payload["references"], manifest.payload["entries"], summaries, package.record)
    with check("lineage-passport"):
        expected = {"digest": manifest.digest, "subjectId": manifest.payload["subject"]["id"]}
        demand(reference.payload["passport"] == expected, "PASSPORT_MISMATCH")
    link = open_part("link", lineage["agreementLink"], LINK_SCHEMA, LINK, reader)
    with check("lineage-original"):
        stated = {"id": reference.payload["referenceId"], "digest": reference.digest}
        demand(link.payload["reference"] == stated, "LINK_MISMATCH")
        demand(link.payload["original"] == original(package), "LINK_MISMATCH")
    snapshot = open_part("snapshot", lineage["nextAgreement"], SNAPSHOT_SCHEMA, SNAPSHOT, reader)
    with check("lineage-next"):
        check_next(reference.payload, link.payload["next"], snapshot.payload, package)
    with check("lineage-supplier"):
        for part in (link, snapshot):
            demand(part.payload["supplierOrganizationId"] == supplier, "PARTY_MISMATCH")
    with check("lineage-times"):
        record = package.record.payload
        published = [summary for summary in summaries if summary.payload["resultId"] == record["recordId"]]
        parts = (package.record, *published, manifest, reference, link, snapshot)
        signed = [part.payload["issuedAt"] for part in parts] + [closure["issuedAt"]]
        demand(signed == sorted(signed), "JOURNAL_TIME")


def open_part(label, jws, schema, form, reader):
    """The three checks of a signed part."""
    part = reader.open(label, jws, schema, "CLOSURE")
    with check(f"{label}-form"):
        form(part.payload)
    check_issuer(f"{label}-issuer", part.payload, reader.trust)
    return part


def check_cooperate(references, entries, summaries, record):
    """One reference, to an entry of the manifest that is the record."""
    demand(len(references) == 1, "COOPERATE_MISMATCH")
    named = {member: value for member, value in references[0].items() if member != "relation"}
    pairs = [pair for pair in zip(entries, summaries, strict=True) if pair[0]["resultId"] == named["resultId"]]
    demand(len(pairs) == 1, "COOPERATE_MISMATCH")
    entry, summary = pairs[0]
    demand(entry == {**named, "completionTime": entry["completionTime"]}, "COOPERATE_MISMATCH")
    demand(named["resultId"] == record.payload["recordId"], "COOPERATE_MISMATCH")
    demand(summary.payload["resultDigest"] == record.digest, "COOPERATE_MISMATCH")
    demand(entry["completionTime"] == record.payload["acceptedAt"], "COOPERATE_MISMATCH")


def original(package):
    """What the link has to say of the transaction of the closure."""
    agreement = package.signed.payload["agreement"]
    return {
        "projectId": agreement["projectId"],
        "version": agreement["version"],
        "agreementDigest": digest(agreement),
        "recordId": package.record.payload["recordId"],
        "recordDigest": package.record.digest,
    }


def check_next(reference, following, snapshot, package):
    """Reference, link and snapshot are of one confirmed agreement, another one than the original."""
    agreement, confirmed, head = snapshot["agreement"], snapshot["confirmedEvent"], snapshot["head"]
    stated = {"version": agreement["version"], "agreementDigest": digest(agreement)}
    project = agreement["projectId"]
    demand(reference["project"] == {"id": project, **stated}, "NEXT_MISMATCH")
    expected = {"projectId": project, **stated, "confirmedEventHash": confirmed["hash"]}
    demand(following == expected, "NEXT_MISMATCH")
    demand(project != package.signed.payload["agreement"]["projectId"], "NEXT_MISMATCH")
    demand(1 < confirmed["sequence"] <= head["count"], "NEXT_MISMATCH")
    is_last = confirmed["sequence"] == head["count"]
    demand(is_last == (confirmed["hash"] == head["eventHash"]), "NEXT_MISMATCH")
    demand(snapshot["state"] in CONFIRMED, "NEXT_MISMATCH")
    demand(reference["madeBy"]["organizationId"] == agreement["buyer"]["organizationId"], "PARTY_MISMATCH")
