"""An agent's client: reads, saved commands that are safe to retry, and waits for people and other parties."""

from __future__ import annotations

import json
import urllib.parse
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from .outcome import Json, Refused
from .person import PersonStep, person_step
from .requests import Requests

API = "/api/agents/v1"

SECONDS_BETWEEN_READS_MAX = 900
SECONDS_OF_NOTICE = 86_400
PLANS_MAX = 10


# The commands on a project by the last part of their path, with the action of a grant.
_ACTIONS = {
    "respond": "RESPOND_TERMS",
    "submit": "SUBMIT_MATERIALS",
    "review": "REVIEW_DELIVERY",
    "date-revision": "REQUEST_DATE_CHANGE",
    "concern": "RAISE_CONCERN",
    "handoff": "HANDOFF",
    "issue-record": "ISSUE_RESULT_RECORD",
}

# Something else came first: the request is over, and the agent decides anew.
_REPLANNED = {"REREAD_PROJECT", "USE_NEW_REQUEST_ID"}

# Called with each new reading of the project; returns the input of the command, or None if there is nothing to do any more.
# The client makes a request id where the input has none.
Decide = Callable[[Json], Json | None]


@dataclass(frozen=True)
class CommandOutcome:
    """`view` is the reading after the command, or the one that was decided on; `step` is set for WAIT_FOR_PERSON."""

    kind: Literal["COMMITTED", "NOTHING_TO_DO", "WAIT_FOR_PERSON"]
    view: Json
    step: PersonStep | None = None


class Countersign:
    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self.store, self.clock, self.person = requests.store, requests.clock, requests.person
        self._grant: Json | None = None

    def resume(self) -> None:
        """First of all after a start: takes the saved token, and sends again what an earlier run has no answer to.

        Refusals are no errors here: read the project, and decide anew. Raises OutcomeUnknown if there is still no answer.
        """
        self.requests.load_token()
        for name in self.store.names("request-"):
            saved = json.loads(self.store.read(name) or "{}")
            with suppress(Refused):
                self._send_saved(name, saved["path"], saved["bytes"])

    def connect(self, request: Json, show: Callable[[Json], None]) -> None:
        """Asks a person for a credential by a code, unless there is one.

        `show` gets userCode, verificationUrl and expiresAt. After a restart it polls the connection whose code the person has.
        Raises Refused CONNECTION_DENIED and CONNECTION_EXPIRED.
        """
        if self.requests.token is not None:
            return
        saved = self.store.read("connection")
        if saved is None:
            connection = self.post(f"{API}/connections", request)
            self.store.write("connection", json.dumps(connection))
            show({name: connection[name] for name in ("userCode", "verificationUrl", "expiresAt")})
        else:
            connection = json.loads(saved)
        while True:
            self.clock.wait(connection["interval"])
            try:
                polled = self.post(f"{API}/connections/poll", {"deviceCode": connection["deviceCode"]})
            except Refused:
                self.store.remove("connection")
                raise
            if "credential" in polled:
                self.requests.save_token(polled["credential"]["token"])
                return self.store.remove("connection")
            # An early poll makes the interval longer for good.
            connection = {**connection, "interval": polled["interval"]}
            self.store.write("connection", json.dumps(connection))

    def get(self, path: str) -> Any:
        return self.requests.exchange("GET", path)

    def post(self, path: str, body: Json) -> Any:
        """For requests that change nothing, or the same thing each time."""
        return self.requests.exchange("POST", path, json.dumps(body))

    def me(self) -> Json:
        """The grant of this credential."""
        self._grant = grant = self.get(f"{API}/me")
        return grant

    def read_project(self, project_id: str) -> Json:
        return self.get(f"{API}/projects/{_quoted(project_id)}")

    def read_job(self, job_id: str) -> Json | None:
        """None if this grant does not find the job, which is no proof that its submission failed."""
        try:
            return self.get(f"{API}/jobs/{_quoted(job_id)}")
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def act(self, path: str, body: Json, request_id: str) -> Any:
        """Sends a request with a requestId of its own, such as that of a job, a proposal or a subscription.

        The exact bytes are saved before the first send, and removed once they are answered.
        """
        return self._send_saved(f"request-{request_id}", path, json.dumps(body))

    def command(self, project_id: str, name: str, decide: Decide) -> CommandOutcome:
        """Decides on a fresh reading of the project, and carries the decision out once.

        If another event comes first, `decide` is called with the next reading, up to ten times, and its decision gets a new
        request id. Raises Refused for a step that is neither a new reading nor a person's, and OutcomeUnknown if no send was
        answered: then `resume` sends the same bytes again.
        """
        for plans in range(1, PLANS_MAX + 1):
            view = self.read_project(project_id)
            decision = decide(view)
            if decision is None:
                return CommandOutcome("NOTHING_TO_DO", view)
            action, decided = _ACTIONS[name], decision.get("action")
            step = person_step(view, action, decided)
            if step is not None:
                return CommandOutcome("WAIT_FOR_PERSON", view, step)
            request_id = decision.get("requestId") or str(uuid.uuid4())
            command = {
                "expectedEventHash": view["project"]["headEventHash"],
                "automationRevision": view["automation"]["revision"],
                "input": {**decision, "requestId": request_id},
            }
            try:
                after = self.act(f"{API}/projects/{_quoted(project_id)}/{name}", command, request_id)
                return CommandOutcome("COMMITTED", after)
            except Refused as refused:
                if refused.next_action == "WAIT_FOR_HUMAN":
                    url = refused.human_url or view["humanUrl"]
                    return CommandOutcome("WAIT_FOR_PERSON", view, PersonStep(action, decided, refused.body["detail"], url))
                if refused.next_action not in _REPLANNED or plans == PLANS_MAX:
                    raise
        raise AssertionError("the last plan returns or raises")

    def command_or_wait(self, project_id: str, name: str, decide: Decide) -> Json:
        """`command`, and where a person has to act first, `wait_for_person`: then the command did not take effect."""
        outcome = self.command(project_id, name, decide)
        return outcome.view if outcome.step is None else self.wait_for_person(outcome.view, outcome.step)

    def wait_for_person(self, view: Json, step: PersonStep) -> Json:
        """Tells the person once, and reads with growing pauses, of one to fifteen minutes.

        Returns the first reading in which the step no longer waits for a person, or the project has another state than in `view`.
        """
        self.person.tell(step.reason, step.human_url)
        state = view["project"]["state"]

        def is_over(now: Json) -> bool:
            return now["project"]["state"] != state or person_step(now, step.action, step.decision) is None

        return self._read_until(view["project"]["taskId"], is_over, 60)

    def wait_until(self, project_id: str, condition: Callable[[Json], bool]) -> Json:
        """Reads every 15 minutes, and after each webhook, until `condition` holds."""
        return self._read_until(project_id, condition, SECONDS_BETWEEN_READS_MAX)

    def wait_for_news(self, seconds: float) -> None:
        """Ends after so many seconds, or with the next webhook. A day before the credential expires the person is told, once."""
        self._tell_before_expiry()
        self.clock.wait_for_news(seconds)

    def _read_until(self, project_id: str, condition: Callable[[Json], bool], pause: float) -> Json:
        while True:
            self.wait_for_news(pause)
            view = self.read_project(project_id)
            if condition(view):
                return view
            pause = min(2 * pause, SECONDS_BETWEEN_READS_MAX)

    def _send_saved(self, name: str, path: str, body: str) -> Any:
        self.store.write(name, json.dumps({"path": path, "bytes": body}))
        try:
            answer = self.requests.exchange("POST", path, body)
        except Refused as refused:
            # Request ids stay with the grant, so after a renewal the same bytes find out.
            if refused.status != 401:
                self.store.remove(name)
            raise
        self.store.remove(name)
        return answer

    def _tell_before_expiry(self) -> None:
        def ends_soon(grant: Json) -> bool:
            return datetime.fromisoformat(grant["expiresAt"]).timestamp() - self.clock.now() < SECONDS_OF_NOTICE

        if not ends_soon(self._grant or self.me()):
            return
        # It may have been renewed since it was read.
        grant = self.me()
        if not ends_soon(grant) or self.store.read("reported-expiry") == grant["expiresAt"]:
            return
        self.store.write("reported-expiry", grant["expiresAt"])
        self.person.tell(f"My access ends on {grant['expiresAt']}. Please renew it if I am to continue.")


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")
