"""The manifest, 3.4: `manifest-set` and `manifest-entry`."""

from faults import check, demand
from jcs import canonical, sha256


def check_manifest(package, events, statements, record, chains):
    """The same objects in the same order, each with its kind, size and digest."""
    expected = list(entries(package, events, statements, record, chains))
    manifest = package["manifest"]
    with check("manifest-set"):
        named = [entry["id"] for entry in manifest]
        demand(named == [name for _kind, name, _data in expected], "MANIFEST_SET")
    for entry, (kind, _name, data) in zip(manifest, expected):
        with check("manifest-entry"):
            demand(entry["kind"] == kind and entry["bytes"] == len(data), "MANIFEST_ENTRY")
            demand(entry["digest"] == sha256(data), "DIGEST_MISMATCH")


def entries(package, events, statements, record, chains):
    """Kind, id and bytes of every object, in the order of the page."""
    yield "agreement", package["agreement"]["projectId"], canonical(package["agreement"])
    for event in events:
        yield "event", event.event_hash, event.data
    for gap in statements:
        yield "history-gap", gap.payload["epoch"], gap.data
    yield "submission", package["submission"]["submissionId"], canonical(package["submission"])
    yield "review", package["review"]["reviewId"], canonical(package["review"])
    yield "record", record.payload["recordId"], record.data
    for chain in chains.values():
        for event in chain:
            yield "authority-event", event.event_hash, event.data
