"""The authority of the agents, 3.5: from `authority-set` to `event-human-decision`."""

from datetime import timedelta

from faults import check, demand
from forms import time_of
from jcs import digest

CLOCKS_DIFFER = timedelta(seconds=5)

ACTIONS = {
    "RESPOND": "RESPOND_TERMS",
    "SUBMIT": "SUBMIT_MATERIALS",
    "ISSUE": "ISSUE_RESULT_RECORD",
    "DATE_REVISION": "REQUEST_DATE_CHANGE",
    "CONCERN": "RAISE_CONCERN",
    "SUPERSEDE": "RESPOND_TERMS",
}


def check_set(authority, events):
    """`authority-set`: one chain for each grant under which an agent acted, in order."""
    acting = {event.payload["actor"]["execution"]["grantId"] for event in events if event.payload["actor"]["execution"]}
    with check("authority-set"):
        demand([chain["grantId"] for chain in authority] == sorted(acting), "AUTHORITY_SET")


def check_chain(grant_id, chain):
    """`authority-chain`: the events of one grant."""
    before, generation = None, 1
    with check("authority-chain"):
        demand(chain, "AUTHORITY_CHAIN")
        for sequence, event in enumerate(chain, 1):
            payload = event.payload
            demand(payload["grantId"] == grant_id, "AUTHORITY_CHAIN")
            demand(payload["sequence"] == sequence, "AUTHORITY_CHAIN")
            demand(payload["previous"] == (before and before.event_hash), "AUTHORITY_CHAIN")
            demand((payload["kind"] == "GRANT") == (before is None), "AUTHORITY_CHAIN")
            demand(payload["issuedAt"] == payload["occurredAt"], "AUTHORITY_CHAIN")
            if before:
                demand(before.payload["kind"] != "REVOKE", "AUTHORITY_CHAIN")
                demand(before.payload["occurredAt"] <= payload["occurredAt"], "AUTHORITY_CHAIN")
            if payload["kind"] == "RENEW":
                generation += 1
                demand(payload["change"]["generation"] == generation, "AUTHORITY_CHAIN")
            before = event


def check_salts(salts, chain, projects):
    """`authority-salts`: each salt opens a link to one of these projects. Returns the project by sequence."""
    opened = {}
    with check("authority-salts"):
        sequences = [entry["sequence"] for entry in salts]
        demand(all(left < right for left, right in zip(sequences, sequences[1:])), "AUTHORITY_SALT")
        for entry in salts:
            demand(1 <= entry["sequence"] <= len(chain), "AUTHORITY_SALT")
            link = chain[entry["sequence"] - 1].payload
            demand(link["kind"] == "LINK_PROJECT", "AUTHORITY_SALT")
            for project_id in projects:
                if digest({"projectId": project_id, "salt": entry["salt"]}) == link["change"]["projectDigest"]:
                    opened[entry["sequence"]] = project_id
            demand(entry["sequence"] in opened, "AUTHORITY_SALT")
    return opened


def projects_of(grant_id, events, project_id):
    """The projects that the salts of this grant may open: this one, and the successor that its agent agreed to."""
    projects = [project_id]
    for event in events:
        execution = event.payload["actor"]["execution"]
        if event.payload["kind"] == "SUPERSEDE" and execution and execution["grantId"] == grant_id:
            projects.append(event.payload["payload"]["successor"]["projectId"])
    return projects


def check_event(event, chain, opened):
    """`event-authority` for an event of an agent: the rule of 3.5."""
    act = event.payload
    execution, actor = act["actor"]["execution"], act["actor"]
    with check("event-authority"):
        hashes = [link.event_hash for link in chain]
        demand(execution["authorityHead"] in hashes, "AUTHORITY_HEAD")
        length = hashes.index(execution["authorityHead"]) + 1
        if length < len(chain):
            age = time_of(act["occurredAt"]) - time_of(chain[length].payload["occurredAt"])
            demand(age <= CLOCKS_DIFFER, "AUTHORITY_HEAD")
        then = [link.payload for link in chain[:length]]
        grant = then[0]["change"]
        demand(all(link["kind"] != "REVOKE" for link in then), "AUTHORITY_REVOKED")
        demand(then[-1]["occurredAt"] <= act["occurredAt"], "AUTHORITY_TIME")
        expires_at = [link["change"]["expiresAt"] for link in then if "expiresAt" in link["change"]][-1]
        demand(expires_at > act["occurredAt"], "AUTHORITY_EXPIRED")
        same = (grant["subjectId"], grant["organizationId"], grant["role"])
        demand(same == (actor["id"], actor["organizationId"], actor["role"]), "AUTHORITY_SUBJECT")
        demand(grant["agentId"] == execution["agentId"], "AUTHORITY_AGENT")
        demand(needed_action(act) in grant["actions"], "AUTHORITY_ACTION")
        project = act["payload"]["successor"]["projectId"] if act["kind"] == "SUPERSEDE" else act["projectId"]
        demand(any(opened.get(link["sequence"]) == project for link in then), "AUTHORITY_SCOPE")


def needed_action(act):
    """The action that a grant must hold; None, which no grant holds, for events that agents cannot cause."""
    if act["kind"] == "CREATE":
        return "RESPOND_PROPOSAL" if "proposalDigest" in act["payload"] else "CREATE_PROJECT"
    if act["kind"] == "REVIEW":
        return "CONFIRM_COMPLETION" if act["payload"]["action"] == "ACCEPT" else "REVIEW_DELIVERY"
    return ACTIONS.get(act["kind"])


def check_human_decisions(events, requirements):
    """`event-human-decision`: decisions that the terms reserve for people were made by people."""
    reserved = {decision for requirement in requirements for decision in requirement["humanDecisions"]}
    for event in events:
        with check("event-human-decision"):
            kind = event.payload["kind"]
            names = {kind, event.payload["payload"]["action"]} if kind == "REVIEW" else {kind}
            demand(event.payload["actor"]["execution"] is None or not names & reserved, "HUMAN_DECISION")
