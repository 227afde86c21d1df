"""A status, 3.6, and the checks that begin with `status-`."""

from datetime import timedelta

from artifact import holds_status, read_document
from faults import check, demand
from forms import time_of
from jws import open_signed
from moves import STATES
from objects import STATUS

LONGEST = 65_536
ENDED = ("CONFIRMATION_WITHDRAWN", "SUPERSEDED")
RELIANCE = {
    "BUYER_CONFIRMED": "CURRENT",
    "CONFIRMATION_CONTESTED": "PAUSED",
    "CONFIRMATION_WITHDRAWN": "STOPPED",
    "SUPERSEDED": "STOPPED",
}


def read_status_file(data):
    """The JWS of a file given as `--status`: alone, or in the service's response."""
    value, alone = read_document(data, LONGEST)
    demand(alone or not isinstance(value, list), "STATUS_KIND")
    demand(alone or holds_status(value), "JWS_FORM")
    return value if alone else value["status"]


def open_status(text, trust, checked_at):
    """Verifies a status without its record: from `status-signature` to `status-window`."""
    with check("status-signature"):
        status = open_signed(text, "service.agent-status/v1", "STATUS", trust, checked_at).payload
    with check("status-form"):
        STATUS(status)
    with check("status-issuer"):
        demand(status["environment"] == trust.environment, "ENVIRONMENT_MISMATCH")
        demand(status["state"] in STATES, "STATUS_VALUE")
        demand(status["reliance"] == RELIANCE.get(status["state"], "NONE"), "STATUS_VALUE")
        demand((status["recordId"] is None) == (status["recordDigest"] is None), "STATUS_VALUE")
        demand(status["recordId"] is None or status["reliance"] != "NONE", "STATUS_VALUE")
    with check("status-window"):
        window = time_of(status["expiresAt"]) - time_of(status["issuedAt"])
        demand(timedelta(0) < window <= timedelta(minutes=5), "STATUS_TIME")
    return status


def check_subject(status, record):
    """`status-subject`: it names this record."""
    stated = record.payload
    with check("status-subject"):
        subject = (status["projectId"], status["agreementDigest"], status["recordId"], status["recordDigest"])
        expected = (stated["projectId"], stated["agreement"]["digest"], stated["recordId"], record.digest)
        demand(subject == expected, "STATUS_SUBJECT")


def check_head(status, history, enclosed):
    """`status-head`: the head of the package's history and its state; only a status file may name a later one."""
    with check("status-head"):
        demand(history.latest <= status["issuedAt"], "STATUS_ROLLBACK")
        further = not enclosed and status["headEventHash"] not in history.hashes and history.state not in ENDED
        if not further:
            demand(status["headEventHash"] == history.hashes[-1], "STATUS_ROLLBACK")
            demand(status["state"] == history.state, "STATUS_VALUE")


def check_fresh(status, checked_at):
    """`status-fresh`: it has not expired."""
    with check("status-fresh"):
        demand(status["expiresAt"] > checked_at, "STATUS_STALE")
