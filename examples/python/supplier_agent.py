"""A supplier's agent in Python: it accepts the terms that its person has approved, delivers, answers reviews, and stays until
the buyer has accepted.

    npm run -s simulate -- exam --command "python3 examples/python/supplier_agent.py"

Read it from top to bottom: one step for each state of the project, each from a fresh reading; then what it decides; then how
it starts. What makes it safe is in the client: each command is saved before it is sent, sent again as the same bytes, and
decided anew from another reading if an event came first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "clients/python"))

from countersign.environment import read_environment, receive_webhooks
from countersign.outcome import Json, OutcomeUnknown, Refused
from countersign.webhooks import read_history
from issue_record import issue_record

environment = read_environment(os.environ)
client, task, person = environment.client, environment.task, environment.person

# What it asks a person for where it has no token.
ACCESS = {
    "agentName": task["agent"],
    "client": "supplier_agent.py",
    "requestedRole": "SUPPLIER",
    "requestedActions": ["RESPOND_TERMS", "SUBMIT_MATERIALS"],
}
TO_DELIVER = {"LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"}

# A request id that an earlier run saved for the submission: used once, since it may have been used before.
saved_request_ids = [task["requestId"]] if "requestId" in task else []


def deliver(project_id: str) -> None:
    # The terms that its person has approved; any where the task names none.
    approved: str | None = task.get("agreementDigest")
    # The job of an earlier grant is not found, which is no proof that its submission failed.
    may_be_submitted = "job" in task and client.read_job(task["job"]) is None
    if may_be_submitted:
        person.tell(f"I cannot read {task['job']} under this grant.")
    while True:
        if "subscription" in task:
            read_history(client, task["subscription"], lambda event: print(event["type"]), task.get("checkpoint"))
        view = client.read_project(project_id)
        project = view["project"]
        state, digest = project["state"], project["agreement"]["digest"]
        if state == "AWAITING_SUPPLIER" and approved not in {None, digest}:
            person.tell("These are not the terms that you have approved. Please answer them.", view["humanUrl"])
            client.wait_until(project_id, lambda now: now["project"]["state"] != "AWAITING_SUPPLIER")
        elif state == "AWAITING_SUPPLIER":
            grant = client.me()
            client.command_or_wait(project_id, "respond", lambda now: acceptance_of(now["project"], grant))
        elif state in TO_DELIVER and not (may_be_submitted and project["submission"] is None):
            client.command_or_wait(project_id, "submit", lambda now: submission_of(now["project"]))
        elif state == "SUBMITTED" or state in TO_DELIVER:
            client.wait_for_news(900)
        elif state == "SUPERSEDED":
            # Revised terms are another project, which a person grants or not. What was approved are the old terms.
            approved = approved or digest
            project_id = project["successor"]["projectId"]
            if project_id not in client.me()["projectIds"]:
                text = "The terms were revised. Please decide whether I may work under them."
                return person.tell(text, view["humanUrl"])
        elif state in {"BUYER_CONFIRMED", "SUPPLIER_DECLINED"}:
            return None
        else:
            return person.tell(f"The project is {state}, which I do not know.", view["humanUrl"])


def acceptance_of(project: Json, grant: Json) -> Json | None:
    if project["state"] != "AWAITING_SUPPLIER":
        return None
    shown = project["confirmations"].get("respond")
    return {
        "agreementDigest": project["agreement"]["digest"],
        "action": "ACCEPT",
        "actorId": grant["delegatedBy"],
        "actorRole": "SUPPLIER",
        "authorityAttested": True,
        "reason": "Scope, dates and criteria are as we offered.",
        **({} if shown is None else {"confirmationDigest": shown["digest"]}),
    }


def submission_of(project: Json) -> Json | None:
    if project["state"] not in TO_DELIVER:
        return None
    submission, review = project["submission"], project["review"]
    asked = "" if review is None else f" As asked for: {review['nextAction']}"
    return {
        **({"requestId": saved_request_ids.pop()} if saved_request_ids else {}),
        "agreementDigest": project["agreement"]["digest"],
        "previousSubmissionId": None if submission is None else submission["id"],
        "respondsToReviewId": None if review is None else review["id"],
        "summary": f"What was agreed.{asked}",
        "items": [item_for(criterion, asked) for criterion in project["criteria"]],
    }


def item_for(criterion: Json, asked: str) -> Json:
    """The files stay where they are: what is delivered is their names, sizes and digests."""
    content = f"{criterion['id']}: {criterion['requirement']}{asked}".encode()
    made = {
        "name": f"{criterion['id']}.txt",
        "reference": "our archive",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    given = [file for file in task.get("files", []) if file["criterionId"] == criterion["id"]]
    files = [{key: file[key] for key in made} for file in given] if "files" in task else [made]
    return {"criterionId": criterion["id"], "summary": criterion["title"], "references": [], "files": files}


def run() -> None:
    client.resume()
    client.connect(ACCESS, lambda code: person.tell(f"Please type {code['userCode']}.", code["verificationUrl"]))
    project_id = task.get("project") or next(iter(client.me()["projectIds"]), None)
    if project_id is None:
        return person.tell("I was given no project.")
    # A webhook ends a wait for news; without one the agent reads from time to time.
    if "webhookTarget" in task:
        event_types = ["changes.requested", "acceptance.decided"]
        receive_webhooks(environment, task["webhookTarget"], [project_id], event_types)
    return issue_record(client, project_id) if task["role"] == "BUYER" else deliver(project_id)


try:
    run()
except (Refused, OutcomeUnknown) as stopped:
    person.tell(str(stopped), getattr(stopped, "human_url", None))
    raise SystemExit(1) from None
