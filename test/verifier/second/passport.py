"""A Result Passport and its statuses: sections 2 and 3 of docs/portable-records.md."""

from datetime import timedelta

import artifact
import jws
import strict_json
from faults import Fault, check, demand
from forms import (
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
    time_of,
)
from jcs import digest
from jws import open_signed

LONGEST = 2_097_152
MOST_ENTRIES = 20
SUMMARY_SCHEMA = "service.result-summary/v1"
STATEMENT_SCHEMA = "service.publication-status/v1"


def issued(expected):
    """The first members of a payload that names its issuer."""
    return {"schema": schema(expected), "issuedAt": instant, "issuer": name, "environment": name}


MANIFEST = exactly(
    {
        **issued(artifact.PASSPORT),
        "subject": exactly({"id": identifier("provider")}),
        "coverage": one_of("SELECTED_RESULTS_NOT_COMPLETE_HISTORY"),
        "selectedBy": one_of("REQUESTER"),
        "verificationScope": one_of("SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS"),
        "entries": list_of(
            exactly(
                {
                    "resultId": identifier("record"),
                    "publicationId": identifier("pub"),
                    "publicationDigest": digest_form,
                    "completionTime": instant,
                    "summaryDigest": digest_form,
                }
            )
        ),
    }
)
SUMMARY = exactly(
    {
        **issued(SUMMARY_SCHEMA),
        "publicationId": identifier("pub"),
        "subject": exactly({"id": identifier("provider"), "name": name}),
        "resultId": identifier("record"),
        "resultDigest": digest_form,
        "title": name,
        "summary": text,
        "buyerName": or_null(name),
        "criteriaMet": integer_from(1),
        "specification": or_null(exactly({"id": name, "version": integer_from(1), "digest": digest_form})),
        "completionTime": instant,
    }
)
STATEMENT = exactly(
    {
        "schema": schema(STATEMENT_SCHEMA),
        "issuedAt": instant,
        "expiresAt": instant,
        "publicationId": identifier("pub"),
        "publicationDigest": digest_form,
        "status": one_of("AVAILABLE", "UNAVAILABLE"),
    }
)


def verify_passport(file, reader):
    """Raises the first failure of a passport. Returns the publications that it lists, each an id with its digest."""
    manifest, _summaries = open_passport(file, reader)
    return [(entry["publicationId"], entry["publicationDigest"]) for entry in manifest.payload["entries"]]


def open_passport(file, reader):
    """Raises the first failure of a passport. Returns its manifest, and the summary of each entry in its order."""
    signed = reader.open("passport", file["manifest"], artifact.PASSPORT, "PUBLICATION")
    manifest = signed.payload
    with check("passport-form"):
        MANIFEST(manifest)
    check_issuer("passport-issuer", manifest, reader.trust)
    entries = manifest["entries"]
    with check("passport-set"):
        demand(1 <= len(entries) <= MOST_ENTRIES, "PASSPORT_SET")
        for label in ("publicationId", "resultId"):
            demand(len({entry[label] for entry in entries}) == len(entries), "PASSPORT_SET")
        demand(len(file["summaries"]) == len(entries), "PASSPORT_SET")
    summaries = [reader.open("summary", each, SUMMARY_SCHEMA, "PUBLICATION") for each in file["summaries"]]
    for summary in summaries:
        with check("summary-form"):
            SUMMARY(summary.payload)
    for summary in summaries:
        check_issuer("summary-issuer", summary.payload, reader.trust)
    for entry, summary, enclosed in zip(entries, summaries, file["summaries"], strict=True):
        with check("passport-entry"):
            check_entry(entry, summary, enclosed, manifest)
    return signed, summaries


def check_issuer(name_of_check, payload, trust):
    """Compares issuer and environment with the trust file."""
    with check(name_of_check):
        demand(payload["issuer"] == trust.issuer, "ISSUER_MISMATCH")
        demand(payload["environment"] == trust.environment, "ENVIRONMENT_MISMATCH")


def check_entry(entry, summary, enclosed, manifest):
    """Compares an entry of the manifest with the summary at its place."""
    stated = summary.payload
    demand(entry["summaryDigest"] == digest(enclosed), "DIGEST_MISMATCH")
    demand(entry["publicationDigest"] == summary.digest, "DIGEST_MISMATCH")
    for label in ("publicationId", "resultId", "completionTime"):
        demand(entry[label] == stated[label], "SUMMARY_MISMATCH")
    demand(stated["subject"]["id"] == manifest["subject"]["id"], "SUMMARY_SUBJECT")
    demand(stated["issuedAt"] <= manifest["issuedAt"], "JOURNAL_TIME")


def check_publications(publications, file, status_file, reader):
    """`publication-status`, for each listed publication; a status file replaces the statements in the passport."""
    with check("publication-status"):
        statements = file["statuses"] if status_file is None else read_statements(status_file)
    for publication in publications:
        with check("publication-status"):
            check_publication(publication, statements, reader)


def read_statements(data):
    """The texts of a status file."""
    value, alone = artifact.read_document(data, LONGEST)
    demand(not alone and isinstance(value, list), "STATUS_KIND")
    list_of(text)(value)
    return value


def check_publication(publication, statements, reader):
    """Raises the fault of the first statement that names the publication, unless one of them holds."""
    faults, said = [], set()
    for statement in statements:
        if named_in(statement) != publication[0]:
            continue
        try:
            said.add(hold(statement, publication[1], reader))
        except Fault as fault:
            faults.append(fault)
    if not said and faults:
        raise faults[0]
    demand(len(said) <= 1, "STATUS_AMBIGUOUS")


def named_in(statement):
    """The publication that a statement names, by rules 1 to 7 and its payload; None if it names none."""
    try:
        _header, payload, _signature = jws.split(statement)
        value = strict_json.read(payload, most=strict_json.MOST_VALUES)
    except Fault:
        return None
    return value.get("publicationId") if isinstance(value, dict) else None


def hold(statement, publication_digest, reader):
    """What a statement says, if it holds; otherwise raises its fault."""
    payload = open_signed(statement, STATEMENT_SCHEMA, "STATUS", reader.trust, reader.checked_at).payload
    STATEMENT(payload)
    demand(payload["publicationDigest"] == publication_digest, "STATUS_SUBJECT")
    window = time_of(payload["expiresAt"]) - time_of(payload["issuedAt"])
    demand(timedelta(0) < window <= timedelta(minutes=5), "STATUS_TIME")
    demand(payload["expiresAt"] > reader.checked_at, "STATUS_STALE")
    return payload["status"]
