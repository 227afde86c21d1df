"""The chain of events and the moves of 3.2: `event-chain`, `event-agreement`, `history-moves`."""

from faults import check, demand
from gaps import used_number

MATERIALS = ("LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE")
UNFINISHED = ("AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED", *MATERIALS, "SUBMITTED", "BUYER_CONFIRMED")
ALIVE = (*UNFINISHED, "CONFIRMATION_CONTESTED")
STATES = (*ALIVE, "SUPPLIER_DECLINED", "BUYER_REJECTED", "CONFIRMATION_WITHDRAWN", "SUPERSEDED")

# Each event, with the word of its payload that determines its move: the states before it, and the one after it.
MOVES = {
    ("CREATE", None): (("NONE",), "AWAITING_SUPPLIER"),
    ("INVITATION_ACCEPTED", None): (("AWAITING_SUPPLIER",), None),
    ("RESPOND", "ACCEPT"): (("AWAITING_SUPPLIER",), "LOCKED"),
    ("RESPOND", "REQUEST_CHANGES"): (("AWAITING_SUPPLIER",), "AGREEMENT_CHANGES_REQUESTED"),
    ("RESPOND", "DECLINE"): (("AWAITING_SUPPLIER",), "SUPPLIER_DECLINED"),
    ("SIGN", None): (("LOCKED",), None),
    ("SUBMIT", None): (MATERIALS, "SUBMITTED"),
    ("REVIEW", "ACCEPT"): (("SUBMITTED",), "BUYER_CONFIRMED"),
    ("REVIEW", "REQUEST_CHANGES"): (("SUBMITTED",), "CHANGES_REQUESTED"),
    ("REVIEW", "REQUEST_EVIDENCE"): (("SUBMITTED",), "AWAITING_EVIDENCE"),
    ("REVIEW", "REJECT"): (("SUBMITTED",), "BUYER_REJECTED"),
    ("ISSUE", None): (("BUYER_CONFIRMED",), None),
    ("DATE_REVISION", "DELIVERY"): (MATERIALS, None),
    ("DATE_REVISION", "REVIEW"): (("SUBMITTED",), None),
    ("LIFT_HOLD", None): ((*MATERIALS, "SUBMITTED"), None),
    ("CONCERN", None): (("BUYER_CONFIRMED",), "CONFIRMATION_CONTESTED"),
    ("RESOLVE_CONCERN", "DISMISSED"): (("CONFIRMATION_CONTESTED",), "BUYER_CONFIRMED"),
    ("RESOLVE_CONCERN", "UPHELD"): (("CONFIRMATION_CONTESTED",), "CONFIRMATION_WITHDRAWN"),
    ("WITHDRAW_CONFIRMATION", None): (("BUYER_CONFIRMED",), "CONFIRMATION_WITHDRAWN"),
    ("CHANGE_REPRESENTATIVE", None): (ALIVE, None),
    ("SUPERSEDE", None): (ALIVE, "SUPERSEDED"),
}
DISCRIMINANTS = {"RESPOND": "action", "REVIEW": "action", "DATE_REVISION": "purpose", "RESOLVE_CONCERN": "resolution"}
STOPPED_BY_HOLD = ("SUBMIT", "REVIEW", "DATE_REVISION")
NAMES_CONFIRMATION = ("CONCERN", "RESOLVE_CONCERN", "WITHDRAW_CONFIRMATION")


def check_chain(events, statements, project_id, agreement_digest):
    """`event-chain`: each event continues the one before it."""
    before = None
    for event in events:
        with check("event-chain"):
            payload = event.payload
            demand(payload["sequence"] == used_number(statements, before) + 1, "JOURNAL_SEQUENCE")
            demand((payload["kind"] == "CREATE") == (before is None), "JOURNAL_GENESIS")
            demand(payload["previous"] == (before.event_hash if before else agreement_digest), "JOURNAL_PREV")
            demand(payload["projectId"] == project_id, "JOURNAL_TRANSACTION")
            demand(payload["issuedAt"] == payload["occurredAt"], "JOURNAL_TIME")
            demand(before is None or before.payload["occurredAt"] <= payload["occurredAt"], "JOURNAL_TIME")
        before = event


def check_agreement(events, project_id, agreement_digest):
    """`event-agreement`: every event names this agreement, and no project is its own successor."""
    for event in events:
        with check("event-agreement"):
            payload = event.payload["payload"]
            if event.payload["kind"] == "SUPERSEDE":
                demand(payload["successor"]["projectId"] != project_id, "AGREEMENT_MISMATCH")
            demand(payload["agreementDigest"] == agreement_digest, "AGREEMENT_MISMATCH")


def check_moves(events):
    """`history-moves`: the states, the holds, and the confirmation that later events name. Returns the last state."""
    state, hold, confirmation = "NONE", None, None
    for event in events:
        with check("history-moves"):
            kind, payload = event.payload["kind"], event.payload["payload"]
            origins, target = MOVES[(kind, payload.get(DISCRIMINANTS.get(kind)))]
            demand(state in origins, "JOURNAL_MOVE")
            demand(hold is None or kind not in STOPPED_BY_HOLD, "JOURNAL_MOVE")
            demand(kind != "LIFT_HOLD" or hold == payload["purpose"], "JOURNAL_MOVE")
            demand(kind not in NAMES_CONFIRMATION or payload["confirmationId"] == confirmation, "CONFIRMATION_MISMATCH")
            if kind == "DATE_REVISION":
                hold = payload["purpose"]
            if kind == "LIFT_HOLD":
                hold = None
            if kind == "REVIEW" and payload["action"] == "ACCEPT":
                confirmation = payload["confirmationId"]
            state = target or state
    return state
