"""Agents that break one rule each: the examination has to find them."""
import contextlib
import json
import uuid


class Assumed(Exception):
    """A lost answer that was taken for a success."""


def with_new_id(body, request_id=None):
    envelope = json.loads(body)
    envelope.get("input", envelope)["requestId"] = request_id or str(uuid.uuid4())
    return json.dumps(envelope).encode()


def with_other_summary(body):
    envelope = json.loads(body)
    envelope["input"]["summary"] += " Sent again."
    return json.dumps(envelope).encode()


NAMES = {
    "half-delivery",
    "no-acceptance",
    "new-request-id",
    "changed-bytes",
    "assumes-success",
    "gives-up",
    "resends-refused",
    "reuses-request-id",
    "stops-at-refusal",
    "ignores-pause",
    "silent-pause",
    "handles-twice",
    "ignores-webhooks",
    "ignores-retry-after",
    "ignores-review",
    "forgets-review",
    "answers-part",
    "retries-on-timer",
    "connects-again",
    "silent-refusal",
    "accepts-anything",
    "accepts-after-telling",
    "declines-itself",
}


def breaking(violation, agent):
    """The service and the agent of `agent.py`, with one violation."""
    if violation not in NAMES:
        raise SystemExit(f"unknown violation {violation}: {', '.join(sorted(NAMES))}")

    class Service(agent.Service):
        request_id = None
        again = None

        def exchange(self, method, path, body):
            if path.endswith("/webhooks"):
                return self.subscribe(method, path, body)
            if not path.endswith("/submit"):
                return super().exchange(method, path, body)
            if violation == "reuses-request-id":
                self.request_id = self.request_id or json.loads(body)["input"]["requestId"]
                body = with_new_id(body, self.request_id)
            self.again = body
            try:
                return super().exchange(method, path, body)
            except Assumed:
                return {"project": {"state": "SUBMITTED"}}
            except agent.Refused as refused:
                if violation == "resends-refused":
                    return super().exchange(method, path, body)
                if violation == "ignores-pause" and refused.code == "AGENT_PAUSED":
                    return super().exchange(method, path, with_new_id(body))
                if violation == "stops-at-refusal":
                    raise agent.AskPerson("it was refused") from refused
                raise

        def send_once(self, method, path, body):
            if not path.endswith("/submit"):
                return super().send_once(method, path, body)
            try:
                answered = super().send_once(method, path, self.again)
                json.loads(answered[2])
            except (OSError, ValueError):
                self.leave_unknown()
                raise
            if answered[0] == 503:
                if violation == "ignores-retry-after":
                    return [super(Service, self).send_once(method, path, self.again) for _ in range(6)][-1]
                self.leave_unknown()
            return answered

        def leave_unknown(self):
            """After a submission whose outcome is unknown."""
            if violation == "gives-up":
                raise agent.AskPerson("it was not answered, so it failed")
            if violation == "assumes-success":
                raise Assumed()
            if violation == "new-request-id":
                self.again = with_new_id(self.again)
            if violation == "changed-bytes":
                self.again = with_other_summary(self.again)

        def subscribe(self, method, path, body):
            try:
                return super().exchange(method, path, body)
            except agent.Refused as refused:
                if violation == "resends-refused":
                    return super().exchange(method, path, body)
                if violation == "retries-on-timer":
                    for _ in range(3):
                        self.clock.sleep_until(self.clock.now() + 600)
                        with contextlib.suppress(agent.Refused):
                            return super().exchange(method, path, with_new_id(body))
                if violation == "connects-again":
                    asked = {"requestedRole": "SUPPLIER", "requestedActions": ["SUBMIT_MATERIALS"]}
                    self.post(f"{agent.API}/connections", {"agentName": "another", "client": "agent.py", **asked})
                if violation == "stops-at-refusal":
                    raise agent.AskPerson("it was refused") from refused
                raise

    class Agent(agent.Agent):
        def is_approved(self, view):
            return violation == "accepts-anything" or super().is_approved(view)

        def leave_to_person(self, view):
            if violation == "accepts-after-telling":
                self.tell_person("The terms are others, and I accept them.", view)
                return self.command("respond", self.acceptance)
            if violation == "declines-itself":
                return self.command("respond", lambda now: {**self.acceptance(now), "action": "DECLINE"})
            return super().leave_to_person(view)

        def acceptance(self, view):
            if violation == "no-acceptance":
                raise agent.AskPerson("I would rather not answer")
            return super().acceptance(view)

        def submission(self, view):
            decided = super().submission(view)
            if decided is None:
                return None
            if violation == "half-delivery":
                return {**decided, "items": decided["items"][:1]}
            if decided["respondsToReviewId"] is None:
                return decided
            if violation == "ignores-review":
                raise agent.AskPerson("it was delivered already")
            if violation == "forgets-review":
                return {**decided, "previousSubmissionId": None, "respondsToReviewId": None}
            if violation == "answers-part":
                return {**decided, "items": decided["items"][-1:]}
            return decided

        def tell_person(self, text, refused):
            if violation not in {"silent-pause", "silent-refusal"}:
                super().tell_person(text, refused)

        def wait_for_news(self, seconds):
            super().wait_for_news(seconds)
            if violation == "ignores-webhooks":
                self.clock.sleep_until(self.clock.now() + 25 * 86_400)
            if violation == "handles-twice" and self.receiver is not None and self.receiver.arrivals > 0:
                self.clock.wait({"for": "5m", "event": "webhook"})
                for _ in range(self.receiver.arrivals):
                    self.submit_blindly()

        def submit_blindly(self):
            """For every webhook that arrived, whatever the state of the project is by now."""
            view = self.read()
            project = view["project"]
            decided = self.submission({"project": {**project, "state": "CHANGES_REQUESTED"}})
            digest = project["agreement"]["digest"]
            envelope = {
                "expectedEventHash": project["headEventHash"],
                "automationRevision": view["automation"]["revision"],
                "input": {"requestId": str(uuid.uuid4()), "agreementDigest": digest, **decided},
            }
            self.service.post(f"{agent.API}/projects/{self.project_id}/submit", envelope)

    return Service, Agent
