"""The statements of lost events, 3.10: `gap-place`."""

from faults import check, demand


def used_number(statements, event):
    """The highest number that is used once this event is the last: its own, or that of a lost one after it."""
    if event is None:
        return 0
    lost = [
        gap.payload["lost"]["sequence"]
        for gap in statements
        if gap.payload["kept"]["eventHash"] == event.event_hash
    ]
    return max([event.payload["sequence"], *lost[:1]])


def check_gaps(statements, events, project_id):
    """Each statement names an event of the history, after that of the one before it."""
    hashes = [event.event_hash for event in events]
    last = 0
    for gap in statements:
        kept, lost = gap.payload["kept"], gap.payload["lost"]
        with check("gap-place"):
            demand(gap.payload["projectId"] == project_id, "JOURNAL_TRANSACTION")
            demand(kept["eventHash"] in hashes, "HISTORY_GAP")
            at = hashes.index(kept["eventHash"])
            demand(events[at].payload["sequence"] == kept["sequence"], "HISTORY_GAP")
            demand(kept["sequence"] > last, "HISTORY_GAP")
            demand(lost["eventHash"] not in hashes, "HISTORY_GAP")
            demand(events[at].payload["occurredAt"] <= gap.payload["issuedAt"], "JOURNAL_TIME")
            for event in events[at + 1 : at + 2]:
                demand(gap.payload["issuedAt"] <= event.payload["occurredAt"], "JOURNAL_TIME")
        last = kept["sequence"]
