"""A buyer's agent after an accepted delivery: it has the result record issued, once, and waits until it is."""

from __future__ import annotations

from countersign.client import Countersign
from countersign.outcome import Json


def issue_record(client: Countersign, project_id: str) -> None:
    has_told = False
    while True:
        project = client.read_project(project_id)["project"]
        issuance = project["recordIssuance"]
        if issuance["status"] == "ISSUED":
            return
        if issuance["status"] == "STOPPED":
            return client.person.tell("The record was stopped. Please decide how to continue.")
        if issuance["status"] == "NOT_REQUESTED" and project["confirmation"] is not None:
            client.command_or_wait(project_id, "issue-record", lambda now: issuance_of(now["project"]))
            continue
        # The service issues it once there is a credit; another request would be refused.
        if issuance["continuation"] == "WAITING_COVERAGE" and not has_told:
            has_told = True
            client.person.tell("The record waits for a result credit.", issuance["fundingUrl"])
        client.wait_for_news(900)


def issuance_of(project: Json) -> Json | None:
    if project["recordIssuance"]["status"] != "NOT_REQUESTED" or project["confirmation"] is None:
        return None
    shown = project["confirmations"].get("issuance")
    return {
        "agreementDigest": project["agreement"]["digest"],
        "expectedEventHash": project["headEventHash"],
        "confirmationId": project["confirmation"]["id"],
        "maxCredits": 1,
        "reason": "The record of the accepted delivery.",
        **({} if shown is None else {"confirmationDigest": shown["digest"]}),
    }
