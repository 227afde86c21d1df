"""The status of a payment: sections 4 and 5 of docs/portable-records.md."""

from datetime import timedelta

import artifact
from commerce import BINDING, FACTS, LABELS, PROVIDER_ID, label
from faults import check, demand
from forms import (
    digest_form,
    exactly,
    false,
    instant,
    integer_from,
    list_of,
    mapping,
    one_of,
    or_null,
    time_of,
)
from jcs import digest
from passport import LONGEST, check_issuer, issued

HOUR = timedelta(hours=1)
MOST_ENTITIES = 200
NOT_REPLAYED = "RECORDER_ATTESTATION_NOT_REPLAYED"

POSITION = {"count": integer_from(0), "head": digest_form}
COMPONENT_MEMBERS = exactly(
    {
        "component": one_of(*FACTS),
        "lastObservedAt": or_null(instant),
        "expiresAt": or_null(instant),
        "observations": list_of(
            exactly(
                {
                    "entity": PROVIDER_ID,
                    "sequence": integer_from(1),
                    "hash": digest_form,
                    "observedAt": instant,
                    "facts": mapping,
                    "label": or_null(one_of(*LABELS)),
                    "statusObservation": or_null(one_of(NOT_REPLAYED)),
                }
            ),
            longest=MOST_ENTITIES,
        ),
    }
)


def component_form(value):
    """A component, then the facts of its observations."""
    COMPONENT_MEMBERS(value)
    for observation in value["observations"]:
        FACTS[value["component"]](observation["facts"])


def every_component(value):
    """All six, in their order."""
    list_of(component_form, longest=len(FACTS))(value)
    demand([each["component"] for each in value] == list(FACTS), "FIELD_TYPE")


STATUS = exactly(
    {
        **issued(artifact.COMMERCE_STATUS),
        "binding": BINDING,
        "record": exactly({"digest": digest_form, **POSITION}),
        "latest": exactly(POSITION),
        "historyExtension": or_null(one_of(NOT_REPLAYED)),
        "attestation": one_of("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
        "bankReceiptVerified": false,
        "components": every_component,
    }
)


def verify_beside(record, status_file, reader):
    """The checks of a status file beside a Commerce Record, which was verified; none without a file."""
    if status_file is None:
        return
    with check("commerce-status-signature"):
        value, alone = artifact.read_document(status_file, LONGEST)
        demand(not alone and artifact.has_schema(value, artifact.COMMERCE_STATUS), "STATUS_KIND")
        artifact.COMMERCE_STATUS_FILE(value)
    verify_jws_beside(record, value["status"], reader)


def verify_jws_beside(record, text, reader):
    """The same for the JWS of a status."""
    status = open_status(text, reader)
    with check("commerce-status-record"):
        journal = record.payload["journal"]
        demand(status["record"]["digest"] == record.digest, "STATUS_SUBJECT")
        demand(digest(status["binding"]) == digest(record.payload["binding"]), "STATUS_SUBJECT")
        demand(status["record"]["count"] == journal["count"], "STATUS_SUBJECT")
        demand(status["record"]["head"] == journal["head"], "STATUS_SUBJECT")
    check_contents(status, record.payload)
    check_all_fresh(status, reader.checked_at)


def open_alone(text, reader):
    """The checks of a status that is itself the artifact, but for freshness."""
    status = open_status(text, reader)
    check_contents(status, None)
    return status


def open_status(text, reader):
    """The signed payload, of its schema and issuer."""
    status = reader.open("commerce-status", text, artifact.COMMERCE_STATUS, "COMMERCE").payload
    with check("commerce-status-form"):
        STATUS(status)
    check_issuer("commerce-status-issuer", status, reader.trust)
    return status


def check_contents(status, record):
    """`-latest`, `-components` and `-observation`; `record` is None for a status alone."""
    with check("commerce-status-latest"):
        check_latest(status, record)
    with check("commerce-status-components"):
        check_components(status, record)
    for component in status["components"]:
        for observation in component["observations"]:
            with check("commerce-status-observation"):
                check_observation(component, observation, status, record)


def check_latest(status, record):
    """The journal did not shrink, and the status says whether it grew."""
    named, latest = status["record"], status["latest"]
    demand(latest["count"] >= named["count"], "STATUS_ROLLBACK")
    demand(record is None or status["issuedAt"] >= record["issuedAt"], "STATUS_ROLLBACK")
    grown = latest["count"] > named["count"]
    demand((latest["head"] != named["head"]) == grown, "STATUS_VALUE")
    demand(status["historyExtension"] == (NOT_REPLAYED if grown else None), "STATUS_VALUE")
    demand(latest["count"] > 0 or latest["head"] == digest(status["binding"]), "STATUS_VALUE")


def check_components(status, record):
    """Their times, and their observations as the end of one journal."""
    components = status["components"]
    for component in components:
        check_times(component, status["issuedAt"])
    entities = [(each["component"], one["entity"]) for each in components for one in each["observations"]]
    observations = in_order(components)
    demand(len(set(entities)) == len(entities), "STATUS_VALUE")
    demand(len({one["sequence"] for one in observations}) == len(observations), "STATUS_VALUE")
    latest = status["latest"]
    demand(latest["count"] == (observations[-1]["sequence"] if observations else 0), "STATUS_VALUE")
    demand(not observations or latest["head"] == observations[-1]["hash"], "STATUS_VALUE")
    times = [one["observedAt"] for one in observations]
    demand(times == sorted(times), "STATUS_TIME")
    for entry in entries_of(record):
        demand((entry["component"], entry["entity"]) in entities, "STATUS_VALUE")


def check_times(component, issued_at):
    """The hour of a component begins with its last read."""
    last, expiry, observations = component["lastObservedAt"], component["expiresAt"], component["observations"]
    if last is None or expiry is None:
        demand(last == expiry and not observations, "STATUS_VALUE")
        return
    demand(time_of(expiry) - time_of(last) == HOUR, "STATUS_TIME")
    demand(last <= issued_at, "STATUS_TIME")
    demand(all(one["observedAt"] <= last for one in observations), "STATUS_TIME")


def check_observation(component, observation, status, record):
    """Within the record, its latest entry of the entity; beyond it, an entry that follows."""
    within = observation["sequence"] <= status["record"]["count"]
    shown = within and observation["observedAt"] == component["lastObservedAt"]
    demand(observation["statusObservation"] == (None if shown else NOT_REPLAYED), "STATUS_REPLAY")
    entries = entries_of(record)
    if not within:
        demand(not entries or entries[-1]["observedAt"] <= observation["observedAt"], "STATUS_TIME")
        check_label(component, observation, status)
    elif record is None:
        # The labels of the others depend on entries of the record.
        if component["component"] in ("CHECKOUT", "PAYMENT"):
            check_label(component, observation, status)
    else:
        entity = (component["component"], observation["entity"])
        own = [each for each in entries if (each["component"], each["entity"]) == entity]
        demand(bool(own), "STATUS_REPLAY")
        for member in ("sequence", "hash", "observedAt"):
            demand(own[-1][member] == observation[member], "STATUS_REPLAY")
        demand(digest(own[-1]["facts"]) == digest(observation["facts"]), "STATUS_REPLAY")
        demand(record["labels"][observation["sequence"] - 1] == observation["label"], "LABEL_MISMATCH")


def check_label(component, observation, status):
    """By the binding and the observations of the status itself."""
    entry = {"component": component["component"], "facts": observation["facts"]}
    demand(observation["label"] == label(status["binding"], entry, established(status)), "LABEL_MISMATCH")


def established(status):
    """The payments and transfers of the status, in the order of the journal."""
    return [
        {"component": one["component"], "facts": one["facts"]}
        for one in in_order(status["components"])
        if one["component"] in ("PAYMENT", "TRANSFER")
    ]


def in_order(components):
    """Every observation with its component, in the order of the journal."""
    placed = [{**one, "component": each["component"]} for each in components for one in each["observations"]]
    return sorted(placed, key=lambda one: one["sequence"])


def entries_of(record):
    """The entries of a record; none without one."""
    return record["journal"]["entries"] if record is not None else []


def check_all_fresh(status, checked_at):
    """`commerce-status-fresh`, for each component that was read."""
    for component in status["components"]:
        with check("commerce-status-fresh"):
            demand(component["expiresAt"] is None or component["expiresAt"] > checked_at, "STATUS_STALE")
