"""The checks of a package, in the order of the report, from its signature to its manifest."""

from dataclasses import dataclass

import acceptance
import artifact
import authority
import gaps
import moves
import record as records
from authority_events import authority_event_form
from events import event_form
from faults import check, demand
from jcs import digest
from jws import Signed, open_signed
from manifest import check_manifest
from objects import HISTORY_GAP, PACKAGE_V1, PACKAGE_V2, RECORD
from parties import check_parties
from signatures import check_signatures
from trust import Trust


@dataclass(frozen=True)
class Reader:
    """Opens the signed objects of one artifact at one time."""

    trust: Trust
    checked_at: str

    def open(self, name, text, schema, purpose):
        """One object, by the check `<name>-signature`."""
        with check(f"{name}-signature"):
            return open_signed(text, schema, purpose, self.trust, self.checked_at)


@dataclass(frozen=True)
class History:
    """The history that a status is compared with: the hashes of the events, the last state and the last time."""

    hashes: list
    state: str
    latest: str


@dataclass(frozen=True)
class Package:
    """A verified package: as it was signed, its record, its events, its authority chains by grant, and its last state."""

    signed: Signed
    record: Signed
    events: list
    chains: dict
    state: str

    @property
    def history(self):
        """The history."""
        hashes = [event.event_hash for event in self.events]
        return History(hashes, self.state, self.events[-1].payload["occurredAt"])


def verify_package(text, schema, reader):
    """Raises the first failure of the history. Returns the package."""
    signed = reader.open("package", text, schema, "PACKAGE")
    package = signed.payload
    whole = schema == artifact.PACKAGE_V2
    with check("package-form"):
        (PACKAGE_V2 if whole else PACKAGE_V1)(package)
    events = open_events(package, reader)
    statements = open_gaps(package, reader)
    record, state = verify_history(package, events, statements, reader)
    with check("package-time"):
        demand(package["issuedAt"] >= events[-1].payload["occurredAt"], "JOURNAL_TIME")
        for gap in statements:
            demand(package["issuedAt"] >= gap.payload["issuedAt"], "JOURNAL_TIME")
    chains = verify_authority(package, events, reader) if whole else {}
    authority.check_human_decisions(events, package["agreement"]["terms"].get("subjectRequirements", []))
    if whole:
        check_manifest(package, events, statements, record, chains)
    return Package(signed, record, events, chains, state)


def open_events(package, reader):
    """Every event: all signatures, then all forms."""
    events = [reader.open("event", text, "service.project-event/v1", "EVENT") for text in package["events"]]
    for event in events:
        with check("event-form"):
            event_form(event.payload)
    return events


def open_gaps(package, reader):
    """Every statement of lost events: all signatures, then all forms."""
    schema = "service.history-gap/v1"
    statements = [reader.open("gap", text, schema, "EVENT") for text in package.get("gaps", [])]
    for gap in statements:
        with check("gap-form"):
            HISTORY_GAP(gap.payload)
    return statements


def open_record(text, reader):
    """Verifies a record, in a package or alone."""
    record = reader.open("record", text, artifact.RECORD, "RECORD")
    with check("record-form"):
        RECORD(record.payload)
    records.check_issuer(record.payload, reader.trust)
    return record


def verify_history(package, events, statements, reader):
    """From the chain of events to the issue of the record. Returns the record and the last state."""
    agreement, submission, review = package["agreement"], package["submission"], package["review"]
    agreement_digest = digest(agreement)
    moves.check_chain(events, statements, agreement["projectId"], agreement_digest)
    gaps.check_gaps(statements, events, agreement["projectId"])
    moves.check_agreement(events, agreement["projectId"], agreement_digest)
    state = moves.check_moves(events)
    check_signatures(events, agreement["terms"].get("signing"), agreement_digest)
    criteria = acceptance.check_criteria(agreement["terms"]["criteria"])
    acceptance.check_version(agreement)
    acceptance.check_submissions(events)
    acceptance.check_submission_event(events, submission, review)
    acceptance.check_acceptance(criteria, submission, review)
    accepting_at = acceptance.check_review_event(events, review)
    record = open_record(package["record"], reader)
    stated = record.payload
    representatives = check_parties(events, agreement)
    records.check_agreement(stated, agreement, agreement_digest)
    records.check_parties(stated, agreement, events, representatives)
    records.check_acceptance(stated, submission, digest(submission), events[accepting_at], digest(review))
    records.check_head(stated, events, accepting_at)
    records.check_issue(stated, record.digest, events)
    return record, state


def verify_authority(package, events, reader):
    """The chains and the actions under them. Returns the chains by grant."""
    authority.check_set(package["authority"], events)
    chains = {chain["grantId"]: open_chain(chain, reader) for chain in package["authority"]}
    for grant_id, chain in chains.items():
        authority.check_chain(grant_id, chain)
    project_id = package["agreement"]["projectId"]
    opened = {}
    for entry in package["authority"]:
        projects = authority.projects_of(entry["grantId"], events, project_id)
        opened[entry["grantId"]] = authority.check_salts(entry["salts"], chains[entry["grantId"]], projects)
    for event in events:
        execution = event.payload["actor"]["execution"]
        if execution:
            authority.check_event(event, chains[execution["grantId"]], opened[execution["grantId"]])
    return chains


def open_chain(chain, reader):
    """Every authority event of one chain: all signatures, then all forms."""
    schema = "service.authority-event/v1"
    events = [reader.open("authority", text, schema, "AUTHORITY") for text in chain["events"]]
    for event in events:
        with check("authority-form"):
            authority_event_form(event.payload)
    return events
