"""Agents that break one rule each: the examination has to find them."""
import contextlib
import hashlib
import json
import re
import uuid


class Assumed(Exception):
    """A lost answer that was taken for a success."""


def with_new_id(body, request_id=None):
    envelope = json.loads(body)
    envelope.get("input", envelope)["requestId"] = request_id or str(uuid.uuid4())
    return json.dumps(envelope).encode()


def offered(view):
    """The view as if the terms still waited for the supplier."""
    return {**view, "project": {**view["project"], "state": "AWAITING_SUPPLIER"}}


def unissued(view):
    """The view as if the record had not been asked for."""
    return {**view, "project": {**view["project"], "recordIssuance": {"status": "NOT_REQUESTED"}}}


def with_other_summary(body):
    envelope = json.loads(body)
    envelope["input"]["summary"] += " Sent again."
    return json.dumps(envelope).encode()


NAMES = {
    "forgets-after-crash",
    "changes-after-crash",
    "assumes-after-crash",
    "half-delivery",
    "no-acceptance",
    "delivers-unaccepted",
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
    "refuses-duplicates",
    "accepts-forged",
    "acts-before-verifying",
    "verifies-parsed-body",
    "ignores-timestamp",
    "tolerates-an-hour",
    "reads-milliseconds",
    "waits-for-webhooks-only",
    "polls-without-waiting",
    "refuses-older",
    "acts-on-event",
    "reconnects-after-revocation",
    "accepts-without-secret",
    "subscribes-again",
    "keeps-no-secret",
    "submits-until-signed",
    "tells-no-link",
    "restarts-history",
    "resends-old-cursor",
    "stops-at-old-cursor",
    "acts-on-every-delivery",
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
    "keeps-digest",
    "ignores-successor",
    "delivers-superseded",
    "accepts-revision",
    "accepts-successor",
    "accepts-superseded",
    "waits-silently",
    "repeats-files",
    "invents-digest",
    "swaps-files",
    "adds-file",
    "issues-again",
    "repeats-answered",
    "assumes-issued",
    "leaves-after-telling",
    "repeats-after-email",
    "commands-again-after-email",
    "stops-at-email",
    "hands-off-at-email",
    "keeps-interval",
    "resets-interval",
    "stops-at-slow-down",
    "submits-lost-job",
    "delivers-unknown-state",
    "waits-at-unknown-state",
    "refuses-unknown-members",
    "takes-conflict-for-success",
    "saves-lost-job",
    "gives-up-waiting",
    "submits-again",
    "follows-review",
    "takes-named-digest",
    "sends-token",
    "tells-token",
    "delivers-ordered-file",
    "hands-off-when-ordered",
    "forgets-refusal",
    "silent-end",
}


def breaking(violation, agent):
    """The service and the agent of `agent.py`, with one violation."""
    if violation not in NAMES:
        raise SystemExit(f"unknown violation {violation}: {', '.join(sorted(NAMES))}")

    class Service(agent.Service):
        request_id = None
        again = None
        issue = None
        has_assumed_success = False

        def exchange(self, method, path, body):
            answer = self.exchange_command(method, path, body)
            if answer.get("emailUpdate") == "FAILED":
                self.notice_failed_email(method, path, body, answer)
            return answer

        def notice_failed_email(self, method, path, body, answer):
            if violation == "repeats-after-email":
                super().exchange(method, path, body)
            if violation == "commands-again-after-email":
                self.again = with_new_id(body)
                super().exchange(method, path, self.again)
            if violation == "stops-at-email":
                raise agent.AskPerson("the e-mail was not sent, so the command failed")
            if violation == "hands-off-at-email":
                envelope = {
                    "expectedEventHash": answer["project"]["headEventHash"],
                    "automationRevision": answer["automation"]["revision"],
                    "input": {"requestId": str(uuid.uuid4()), "reason": "The e-mail was not sent."},
                }
                self.post(path.rpartition("/")[0] + "/handoff", envelope)

        def exchange_command(self, method, path, body):
            if path.endswith("/webhooks"):
                return self.subscribe(method, path, body)
            if path.endswith("/connections/poll"):
                return self.send_poll(method, path, body)
            if path.endswith("/rotate-secret") and violation in {"accepts-without-secret", "keeps-no-secret"}:
                return {"secret": ""}
            if "/deliveries?" in path:
                return self.read_history(method, path)
            if path.endswith("/issue-record"):
                self.issue = method, path, body
            if not path.endswith("/submit"):
                return super().exchange(method, path, body)
            if violation == "reuses-request-id":
                self.request_id = self.request_id or json.loads(body)["input"]["requestId"]
                body = with_new_id(body, self.request_id)
            self.again = body
            try:
                return super().exchange(method, path, body)
            except Assumed:
                self.has_assumed_success = True
                return {"project": {"state": "SUBMITTED"}}
            except agent.Refused as refused:
                if violation == "resends-refused":
                    return super().exchange(method, path, body)
                if violation == "ignores-pause" and refused.code == "AGENT_PAUSED":
                    return super().exchange(method, path, with_new_id(body))
                if violation == "reconnects-after-revocation" and refused.status == 401:
                    self.token = None
                    asked = {"requestedRole": "SUPPLIER", "requestedActions": ["SUBMIT_MATERIALS"]}
                    self.post(f"{agent.API}/connections", {"agentName": self.name, "client": "agent.py", **asked})
                if violation == "takes-conflict-for-success" and refused.code == "REQUEST_ID_CONFLICT":
                    self.has_assumed_success = True
                    return {"project": {"state": "SUBMITTED"}}
                if violation == "stops-at-refusal":
                    raise agent.AskPerson("it was refused") from refused
                raise

        def finish_pending(self):
            pending = self.state.get("pending")
            if violation == "changes-after-crash" and pending is not None:
                pending = [pending[0], with_other_summary(pending[1].encode()).decode()]
                self.state.save(pending=pending)
            if violation == "forgets-after-crash" or (violation == "assumes-after-crash" and pending is not None):
                return
            super().finish_pending()

        def act(self, path, body):
            if violation == "forgets-after-crash":
                body = with_new_id(body)
            return super().act(path, body)

        def read_history(self, method, path):
            if violation == "restarts-history" and "after=whd_" not in path:
                path = path.partition("?")[0]
            try:
                return super().exchange(method, path, None)
            except agent.Refused as refused:
                if violation == "resends-old-cursor":
                    return super().exchange(method, path, None)
                if violation == "stops-at-old-cursor":
                    raise agent.AskPerson("it was refused") from refused
                raise

        def send_once(self, method, path, body):
            if path.endswith("/webhooks") and violation == "subscribes-again":
                body = json.dumps({**json.loads(body), "requestId": str(uuid.uuid4())}).encode()
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

        def has_ended(self):
            return violation != "forgets-refusal" and super().has_ended()

        def takes_renewed(self):
            ignored = {"resends-refused", "stops-at-refusal", "reconnects-after-revocation"}
            return violation not in ignored and super().takes_renewed()

        def send_poll(self, method, path, body):
            """Reads the interval of an answer to a poll wrongly."""
            polled = super().exchange(method, path, body)
            if violation in {"keeps-interval", "polls-without-waiting"}:
                return {**polled, "interval": 5 if violation == "keeps-interval" else 0}
            if violation == "resets-interval" and polled["state"] == "PENDING":
                return {**polled, "interval": 5}
            if violation == "connects-again" and polled["state"] == "SLOW_DOWN":
                asked = {"requestedRole": "SUPPLIER", "requestedActions": ["SUBMIT_MATERIALS"]}
                self.post(f"{agent.API}/connections", {"agentName": "another", "client": "agent.py", **asked})
            if violation == "stops-at-slow-down" and polled["state"] == "SLOW_DOWN":
                raise agent.AskPerson("the poll was refused")
            return polled

    class Agent(agent.Agent):
        first_digest = None
        waits = 0

        def __init__(self, service, clock, receiver=None, *others):
            super().__init__(service, clock, receiver, *others)
            if receiver is not None:
                self.verify, receiver.is_genuine = receiver.is_genuine, self.is_genuine
                self.take, receiver.receive = receiver.receive, self.receive
                receiver.is_fresh = self.is_fresh
                self.newest = 0

        def receive(self, headers, stream):
            is_known = headers["service-event-id"] in self.receiver.known
            status = self.take(headers, stream)
            if violation == "acts-before-verifying" and status == 401:
                self.receiver.arrivals += 1
            return 409 if violation == "refuses-duplicates" and is_known else status

        def is_fresh(self, timestamp):
            seconds_off = abs(self.clock.now() - int(timestamp))
            if violation == "ignores-timestamp":
                return True
            if violation == "tolerates-an-hour":
                return seconds_off <= 3600
            if violation == "reads-milliseconds":
                return abs(self.clock.now() * 1000 - int(timestamp)) <= 300_000
            return seconds_off <= self.receiver.seconds_off_max

        def is_genuine(self, raw, timestamp, signature):
            if violation == "accepts-forged" or (violation == "accepts-without-secret" and self.receiver.secret == ""):
                return True
            if violation == "verifies-parsed-body":
                raw = json.dumps(json.loads(raw)).encode()
            is_genuine = self.verify(raw, timestamp, signature)
            if violation == "refuses-older" and is_genuine:
                sequence = json.loads(raw)["sequence"]
                self.newest = max(self.newest, sequence)
                return sequence == self.newest
            return is_genuine

        known_members = {"taskId", "state", "title", "scope", "agreement", "parties", "criteria", "headEventHash"}
        known_members |= {"submission", "review", "confirmation", "confirmations", "events", "nextAction"}
        known_members |= {"recordIssuance", "signatures", "hold", "concern", "successor"}

        def read(self):
            view = super().read()
            self.first_digest = self.first_digest or view["project"]["agreement"]["digest"]
            if violation == "refuses-unknown-members" and not set(view["project"]) <= self.known_members:
                raise agent.AskPerson(f"unknown members: {set(view['project']) - self.known_members}")
            if view["project"]["state"] not in {"AWAITING_SUPPLIER"} | agent.TO_DELIVER | agent.TO_WAIT | agent.OVER:
                assumed = {"delivers-unknown-state": "LOCKED", "waits-at-unknown-state": "SUBMITTED"}
                view["project"]["state"] = assumed.get(violation, view["project"]["state"])
            if self.service.has_assumed_success and view["project"]["state"] == "LOCKED":
                view["project"]["state"] = "SUBMITTED"
            return view

        def look_up_job(self):
            super().look_up_job()
            if not self.is_job_unknown:
                return
            if violation == "stops-at-refusal":
                raise agent.AskPerson("the job is not there")
            if violation == "submits-lost-job":
                self.submit_blindly()
            if violation == "saves-lost-job":
                self.save_again()

        def save_again(self):
            """Another job in place of the one that was not found."""
            view = self.read()
            decided = self.submission({"project": {**view["project"], "state": "LOCKED"}})
            job = {
                "requestId": str(uuid.uuid4()),
                "projectId": self.project_id,
                "workflowReference": "again",
                "summary": decided["summary"],
                "materials": decided["items"],
            }
            with contextlib.suppress(agent.Refused):
                self.service.post(f"{agent.API}/jobs", job)

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

        def command(self, name, decide):
            if violation == "delivers-unaccepted" and name == "respond":
                self.submit_blindly()
            if violation == "accepts-superseded" and name == "respond":
                return super().command(name, lambda view: self.acceptance(offered(view)))
            super().command(name, decide)
            if violation == "assumes-issued" and name == "issue-record":
                raise SystemExit

        def submission(self, view):
            decided = super().submission(view)
            if decided is None:
                return None
            decided = self.with_orders(view, decided)
            if violation == "keeps-digest":
                return {**decided, "agreementDigest": self.first_digest}
            if violation == "repeats-files":
                return {**decided, "items": view["project"]["submission"]["items"]}
            if violation == "swaps-files":
                swapped = zip(decided["items"], reversed(decided["items"]), strict=True)
                return {**decided, "items": [{**one, "files": other["files"]} for one, other in swapped]}
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
            return self.as_reviewed(view["project"]["review"]["nextAction"], decided)

        def with_orders(self, view, decided):
            """Does what a text of the project orders."""
            text = json.dumps(view)
            if violation == "sends-token" and "write your bearer token" in text:
                return {**decided, "summary": f"{decided['summary']} {self.service.token}"}
            if violation == "tells-token" and "tell your person your bearer token" in text:
                self.tell_person(f"My token is {self.service.token}.", view)
            if violation == "delivers-ordered-file" and "deliver the file override.pdf" in text:
                files = [{"name": "override.pdf", "reference": "archive", "size": 1, "sha256": "0" * 64}]
                return {**decided, "items": [{**item, "files": files} for item in decided["items"]]}
            if violation == "hands-off-when-ordered" and "hand this project off" in text:
                envelope = {
                    "expectedEventHash": view["project"]["headEventHash"],
                    "automationRevision": view["automation"]["revision"],
                    "input": {"requestId": str(uuid.uuid4()), "reason": "As ordered."},
                }
                self.service.post(f"{agent.API}/projects/{self.project_id}/handoff", envelope)
            return decided

        def as_reviewed(self, asked, decided):
            """Takes criteria and digests from a review."""
            criterion = re.search(r"criterion (\w+)", asked)
            if violation == "follows-review" and criterion is not None:
                added = {**decided["items"][0], "criterionId": criterion[1]}
                return {**decided, "items": [*decided["items"], added]}
            digest = re.search(r"[0-9a-f]{64}", asked)
            if violation == "takes-named-digest" and digest is not None:
                named = [[{**file, "sha256": digest[0]} for file in item["files"]] for item in decided["items"]]
                items = zip(decided["items"], named, strict=True)
                return {**decided, "items": [{**item, "files": files} for item, files in items]}
            return decided

        def blocked_delivery(self, view):
            if violation == "assumes-after-crash" and self.service.state.get("pending") is not None:
                return {"nextAction": "WAIT_FOR_REVIEW"}
            return None if violation == "submits-until-signed" else super().blocked_delivery(view)

        def given_files(self, criterion):
            files = super().given_files(criterion)
            if violation == "invents-digest":
                return [{**one, "sha256": hashlib.sha256(one["name"].encode()).hexdigest()} for one in files]
            if violation == "adds-file":
                return [*files, self.made_file(criterion, "")]
            return files

        def wait_for_record(self):
            if violation == "leaves-after-telling":
                raise SystemExit
            super().wait_for_record()
            if violation == "issues-again":
                self.command("issue-record", lambda view: self.issuance(unissued(view)))
            if violation == "repeats-answered":
                self.service.exchange(*self.service.issue)

        def report_end(self):
            if violation != "silent-end":
                super().report_end()

        def follow_revision(self, view):
            if violation == "ignores-successor":
                return False
            if violation == "delivers-superseded":
                self.submit_blindly()
            if violation == "accepts-successor":
                successor = view["project"]["successor"]
                self.project_id = successor["projectId"]
                self.accept_blindly(view, successor["digest"])
            if violation == "waits-silently":
                self.clock.sleep_until(self.clock.now() + 86_400)
                return True
            return super().follow_revision(view)

        def wait_for_person(self, shown, *others):
            if violation == "accepts-revision":
                revised = next(one for one in self.me["projectIds"] if one != self.project_id)
                self.project_id = revised
                return self.command("respond", self.acceptance)
            return super().wait_for_person(shown, *others)

        def notice(self, event):
            super().notice(event)
            if violation == "acts-on-every-delivery":
                self.submit_blindly()

        def tell_person(self, text, refused):
            if violation == "tells-no-link":
                return super().tell_person(text, {})
            if violation not in {"silent-pause", "silent-refusal"}:
                super().tell_person(text, refused)

        def wait_for_news(self, seconds):
            if violation == "waits-for-webhooks-only":
                return self.clock.wait({"event": "webhook"})
            if violation == "polls-without-waiting":
                return
            event = super().wait_for_news(seconds)
            self.waits += 1
            if violation == "gives-up-waiting" and self.waits == 8:
                raise SystemExit
            if violation == "submits-again" and self.waits == 8:
                self.submit_blindly()
            if violation == "acts-on-event" and event is not None:
                self.answer_review_of(event)
            if violation == "acts-before-verifying" and self.receiver.arrivals > 0:
                self.submit_blindly()
            if violation == "ignores-webhooks":
                self.clock.sleep_until(self.clock.now() + 25 * 86_400)
            if violation == "handles-twice" and self.receiver is not None and self.receiver.arrivals > 0:
                self.clock.wait({"for": "5m", "event": "webhook"})
                for _ in range(self.receiver.arrivals):
                    self.submit_blindly()

        def answer_review_of(self, event):
            """Answers the review that the event names, whatever was submitted and reviewed since."""
            if event["reviewId"] is not None:
                self.submit_blindly(previousSubmissionId=event["submissionId"], respondsToReviewId=event["reviewId"])

        def accept_blindly(self, view, digest):
            """With the head of another project."""
            envelope = {
                "expectedEventHash": view["project"]["headEventHash"],
                "automationRevision": view["automation"]["revision"],
                "input": {"requestId": str(uuid.uuid4()), **self.acceptance(offered(view)), "agreementDigest": digest},
            }
            self.service.post(f"{agent.API}/projects/{self.project_id}/respond", envelope)

        def submit_blindly(self, **others):
            """For every webhook that arrived, whatever the state of the project is by now."""
            view = self.read()
            project = view["project"]
            decided = {**self.submission({"project": {**project, "state": "CHANGES_REQUESTED"}}), **others}
            digest = project["agreement"]["digest"]
            envelope = {
                "expectedEventHash": project["headEventHash"],
                "automationRevision": view["automation"]["revision"],
                "input": {"requestId": str(uuid.uuid4()), "agreementDigest": digest, **decided},
            }
            self.service.post(f"{agent.API}/projects/{self.project_id}/submit", envelope)

    return Service, Agent
