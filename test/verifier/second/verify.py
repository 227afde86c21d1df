"""The verdict on one artifact: section 4, from the time of the check to the status."""

from dataclasses import dataclass

import artifact
from closure import check_statuses, verify_closure
from closure_v1 import verify_closure_v1
from commerce import verify_commerce
from commerce_status import check_all_fresh, open_alone, verify_beside
from faults import Failed, check, demand
from forms import is_instant
from package import Reader, open_record, verify_package
from passport import check_publications, verify_passport
from policy import check_policy, check_without_authority, read_policy
from status import check_fresh, check_head, check_subject, open_status, read_status_file
from trust import read_trust

EXITS = {"VERIFIED_WITH_LIMITATIONS": 0, "REFUSED": 1, "UNREADABLE": 2}
UNREADABLE = ("checked-at", "trust-file", "authority-policy", "artifact-file", "status-file")


@dataclass(frozen=True)
class Input:
    """The input files, and the time as a text."""

    checked_at: str
    artifact: bytes
    keys: bytes
    status: bytes | None = None
    policy: bytes | None = None


def verify(inputs):
    """The verdict, its exit code, and the first check that failed."""
    try:
        after_history = verify_history(inputs)
    except Failed as failed:
        verdict = "UNREADABLE" if failed.check in UNREADABLE else "REFUSED"
        return answer(verdict, failed)
    try:
        after_history()
    except Failed as failed:
        return answer("VERIFIED_WITH_LIMITATIONS", failed)
    return answer("VERIFIED_WITH_LIMITATIONS", None)


def answer(verdict, failed):
    """The printed result."""
    first = {"check": failed.check, "code": failed.code} if failed else None
    return {"verdict": verdict, "exit": EXITS[verdict], "first": first}


def verify_history(inputs):
    """Raises the first failure that decides the verdict. Returns a function that runs the checks of the status."""
    with check("checked-at"):
        demand(is_instant(inputs.checked_at), "USAGE")
    with check("trust-file"):
        trust = read_trust(inputs.keys)
    anchors = None
    if inputs.policy is not None:
        with check("authority-policy"):
            anchors = read_policy(inputs.policy)
    with check("artifact-file"):
        document = artifact.read_document(inputs.artifact, artifact.LONGEST)
    with check("status-file"):
        demand(inputs.status is None or not artifact.is_status(document), "USAGE")
    envelope = artifact.open_envelope(document)
    if envelope.schema == artifact.STATUS:
        status = open_status(envelope.text, trust, inputs.checked_at)
        check_without_authority(anchors)
        return lambda: check_fresh(status, inputs.checked_at)
    reader = Reader(trust, inputs.checked_at)
    if envelope.passport is not None:
        publications = verify_passport(envelope.passport, reader)
        check_without_authority(anchors)
        return lambda: check_publications(publications, envelope.passport, inputs.status, reader)
    if envelope.commerce is not None:
        payment = verify_commerce(envelope.text, reader, envelope.commerce["recordDigest"])
        check_without_authority(anchors)
        return lambda: verify_beside(payment, inputs.status, reader)
    if envelope.schema == artifact.CLOSURE_V1:
        verify_closure_v1(envelope.closure, trust)
        check_without_authority(anchors)
        return lambda: None
    if envelope.schema == artifact.CLOSURE:
        package, payment = verify_closure(envelope.closure, reader)
        check_authority(anchors, package)
        return lambda: check_statuses(package, payment, inputs.status, reader)
    if envelope.schema == artifact.COMMERCE_STATUS:
        status = open_alone(envelope.text, reader)
        check_without_authority(anchors)
        return lambda: check_all_fresh(status, inputs.checked_at)
    if envelope.schema == artifact.RECORD:
        record = open_record(envelope.text, reader)
        check_without_authority(anchors)
        return lambda: verify_status(inputs, envelope, trust, record, None)
    package = verify_package(envelope.text, envelope.schema, reader)
    if envelope.schema == artifact.PACKAGE_V2:
        check_authority(anchors, package)
    else:
        check_without_authority(anchors)
    return lambda: verify_status(inputs, envelope, trust, package.record, package.history)


def check_authority(anchors, package):
    """The policy, if one was given, on the chains of a package."""
    if anchors is not None:
        check_policy(anchors, package.chains, package.events)


def verify_status(inputs, envelope, trust, record, history):
    """Verifies the status file, or else the enclosed status, if there is one."""
    enclosed = inputs.status is None
    if enclosed and not envelope.has_status:
        return
    with check("status-signature"):
        text = envelope.status if enclosed else read_status_file(inputs.status)
    status = open_status(text, trust, inputs.checked_at)
    check_subject(status, record)
    if history is not None:
        check_head(status, history, enclosed)
    check_fresh(status, inputs.checked_at)
