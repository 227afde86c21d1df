#!/usr/bin/env python3
"""A supplier's agent, with nothing but Python's standard library; for a buyer it issues the record.

It connects with a code that its person types, accepts the terms of the one project it was given, subscribes to
callbacks, delivers, and reacts to what comes back. What it sends again it sends byte for byte; what it does not
understand it leaves to a person.

    agent.py --service http://127.0.0.1:8100 --name courier [--world http://127.0.0.1:8100/sim/worlds/default]
             [--target https://hooks.example.com/callbacks --port 9000 [--check ask]]

In an examination (`simulate exam --command "python3 agent.py"`) it gets all of this from the environment, and waits by
the clock of the world. Without one (`--patience`) it takes the time from answers, and rests in real time meanwhile. `--violation` makes it break one rule, as `violations.py` has them.

What it has to tell is printed as one JSON object a line.
"""
import argparse
import contextlib
import hashlib
import hmac
import http.client
import json
import math
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API = "/api/agents/v1"


# The receiver tells from a thread of its own, and `print` writes the end of a line separately: lines would run together.
OUTPUT = threading.Lock()


def tell(what, /, **more):
    line = json.dumps({"tells": what, **more}) + "\n"
    with OUTPUT:
        sys.stdout.write(line)
        sys.stdout.flush()


# --- Time ------------------------------------------------------------------------------------------------------------
# An agent reads the time from one clock, and waits by it. That clock is all it takes to run it against the simulator.
# It reads the time before it prints that it waits: a test that reads the line may move the time at once.


class RealClock:
    def now(self):
        return time.time()

    def sleep_until(self, moment):
        time.sleep(max(0, moment - self.now()))


class WorldClock:
    """The time of a simulated world. It advances only when a program advances it."""

    def __init__(self, world):
        self.world = world

    def now(self):
        with urllib.request.urlopen(self.world, timeout=60) as answer:
            return datetime.fromisoformat(json.load(answer)["now"]).timestamp()

    def sleep_until(self, moment):
        while self.now() < moment:
            time.sleep(0.02)


class WaitingClock(WorldClock):
    """The time of a simulated world that moves while its agents wait."""

    def sleep_until(self, moment):
        left = moment - self.now()
        if left > 0:
            self.wait({"for": f"{math.ceil(left * 1000)}ms"})

    def wait(self, condition):
        post(self.world + "/wait", condition)


class PatientClock:
    """The time of a simulated world as its answers and webhooks name it. It moves by itself while the agent rests."""

    def __init__(self, rest):
        # Seconds of real time, longer than the patience of the examination.
        self.rest = rest
        self.moment = 0
        # Sends a request whose answer names the time.
        self.look = None

    def notice(self, headers):
        if "simulator-now" in headers:
            self.moment = max(self.moment, datetime.fromisoformat(headers["simulator-now"]).timestamp())

    def now(self):
        if self.moment == 0:
            self.look()
        return self.moment

    def sleep_until(self, moment):
        while self.now() < moment:
            time.sleep(self.rest)
            self.look()


def post(url, body):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Person:
    """The person it acts for, at an address of the examination."""

    def __init__(self, address):
        self.address = address

    def tell(self, text, url):
        if self.address is not None:
            post(self.address + "/tell", {"text": text, **({} if url is None else {"humanUrl": url})})

    def credential(self):
        """The token that its person gave it last; None where there is no such address."""
        if self.address is None:
            return None
        with urllib.request.urlopen(self.address + "/credential", timeout=60) as answer:
            return json.load(answer)["token"]


# --- Requests --------------------------------------------------------------------------------------------------------


class AskPerson(Exception):
    """The agent does not know how to go on."""


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('error')}")
        self.status, self.code, self.body = status, body.get("error"), body


class State:
    """What the agent has to know after a crash. It is written before the request that it is about is sent."""

    def __init__(self, folder):
        self.file = None if folder is None else os.path.join(folder, "state.json")
        self.values = {}
        if self.file is not None and os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as saved:
                self.values = json.load(saved)

    def get(self, name):
        return self.values.get(name)

    def save(self, **values):
        self.values = {**self.values, **values}
        if self.file is None:
            return
        with open(self.file + ".new", "w", encoding="utf-8") as written:
            json.dump(self.values, written)
            written.flush()
            os.fsync(written.fileno())
        # The old file or the new one, never half of one.
        os.replace(self.file + ".new", self.file)


def with_request_id(value):
    """The same decision on the same reading has the same id, so an agent that runs again sends the same bytes."""
    digest = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest()
    return {"requestId": str(uuid.UUID(bytes=digest[:16], version=4)), **value}


class Service:
    """The service as an agent sees it: a request is answered, or sent again."""

    sends_max = 12

    def __init__(self, base, name, clock, timeout, state=None):
        self.base, self.name, self.clock, self.timeout = base, name, clock, timeout
        self.state = state or State(None)
        # Seconds that it thinks before each request, in real time.
        self.think = 0
        self.token = None
        self.person = Person(None)
        if isinstance(clock, PatientClock):
            clock.look = lambda: self.get(f"{API}/capabilities")

    def act(self, path, body):
        """Sends a request that changes something, and after a crash the same bytes once more."""
        self.state.save(pending=[path, body.decode()])
        try:
            answer = self.exchange("POST", path, body)
        except Refused:
            self.state.save(pending=None)
            raise
        self.state.save(pending=None)
        return answer

    def finish_pending(self):
        """What was sent before a crash may have had its effect, or not: the same bytes find out."""
        pending = self.state.get("pending")
        if pending is not None:
            with contextlib.suppress(Refused):
                self.act(pending[0], pending[1].encode())

    def get(self, path):
        return self.exchange("GET", path, None)

    def post(self, path, value):
        return self.exchange("POST", path, json.dumps(value).encode())

    def exchange(self, method, path, body):
        """Sends these bytes until there is an answer that can be read. A request id in them makes that safe."""
        for sends in range(1, self.sends_max + 1):
            try:
                status, headers, text = self.send_once(method, path, body)
                answer = json.loads(text)
                if not isinstance(answer, dict):
                    raise ValueError("an answer is an object")
            except (OSError, http.client.HTTPException, ValueError) as error:
                # It may have taken effect all the same: the outcome is unknown.
                failed_at = self.clock.now()
                tell("NO_ANSWER", path=path, sends=sends, why=type(error).__name__)
                if sends > 1:
                    self.clock.sleep_until(failed_at + min(2**sends, 60))
                continue
            if status == 503 and answer.get("error") == "TEMPORARILY_UNAVAILABLE":
                failed_at = self.clock.now()
                tell("UNAVAILABLE", path=path, sends=sends)
                self.clock.sleep_until(failed_at + int(headers.get("retry-after", "1")))
                continue
            if status == 401:
                self.state.save(refused=self.token)
                if self.takes_renewed():
                    continue
            if status >= 400:
                raise Refused(status, answer)
            return answer
        raise AskPerson(f"{path} was not answered {self.sends_max} times")

    def has_ended(self):
        """Its access has ended: its token was refused, also before a restart, and there is no other one."""
        return self.token == self.state.get("refused") and not self.takes_renewed()

    def takes_renewed(self):
        """A renewal ends the token before it at once; request ids, jobs and subscriptions stay with the grant."""
        token = self.person.credential()
        if token in {None, self.token}:
            return False
        tell("RENEWED")
        self.token = token
        self.state.save(token=token)
        return True

    def send_once(self, method, path, body):
        time.sleep(self.think)
        request = urllib.request.Request(self.base + path, data=body, method=method)
        request.add_header("content-type", "application/json")
        # Only the simulator reads this: it wants to know whose a request without a token is.
        request.add_header("simulator-actor", self.name)
        if self.token is not None:
            request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return self.read_answer(answer.status, answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return self.read_answer(refused.code, refused)

    def read_answer(self, status, answer):
        if isinstance(self.clock, PatientClock):
            self.clock.notice(answer.headers)
        return status, answer.headers, answer.read()


# --- Callbacks -------------------------------------------------------------------------------------------------------


class Receiver:
    """Takes callbacks: checks them, writes them down, answers. The work comes afterwards, elsewhere."""

    seconds_off_max = 300
    body_bytes_max = 65_536

    def __init__(self, port, clock):
        self.clock = clock
        self.inbox = queue.Queue()
        self.secret = None
        self.ask = None
        self.known = set()
        self.arrivals = 0
        self.lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                if isinstance(receiver.clock, PatientClock):
                    receiver.clock.notice(self.headers)
                self.send_response(receiver.receive(self.headers, self.rfile))
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, headers, stream):
        """The status to answer with. Nothing looks into the body before it is known whose it is."""
        length = headers.get("content-length", "")
        if not length.isdigit() or int(length) > self.body_bytes_max:
            return 413
        raw = stream.read(int(length))
        timestamp = headers.get("service-timestamp", "")
        signature = headers.get("service-signature", "")
        if not (self.is_fresh(timestamp) and self.is_genuine(raw, timestamp, signature)):
            tell("CALLBACK_REFUSED")
            return 401
        event = json.loads(raw)
        with self.lock:
            is_new = headers["service-event-id"] not in self.known
            self.known.add(headers["service-event-id"])
            self.arrivals += 1
        tell("CALLBACK", type=event["type"], sequence=event["sequence"], new=is_new)
        if is_new:
            self.inbox.put(event)
        return 204

    def is_fresh(self, timestamp):
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
            return False
        return abs(self.clock.now() - int(timestamp)) <= self.seconds_off_max

    def is_genuine(self, raw, timestamp, signature):
        if self.ask is not None:
            return self.ask(raw, timestamp, signature)
        if self.secret is None:
            return False
        signed = timestamp.encode() + b"." + raw
        expected = "v1=" + hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(expected.encode(), signature.encode())


def asks_service(service, subscription_id):
    """For whoever would rather ask than compute: the service says whether it sent exactly these bytes."""

    def ask(raw, timestamp, signature):
        question = {"rawBody": raw.decode(), "timestamp": timestamp, "signature": signature}
        try:
            return service.post(f"{API}/webhooks/{subscription_id}/verify", question)["verified"] is True
        except (Refused, UnicodeDecodeError):
            return False

    return ask


# --- The agent -------------------------------------------------------------------------------------------------------

# What a project can be, as far as this agent acts on it. Anything else is a reason to ask a person, and a state that
# did not exist when this was written is one too.
TO_DELIVER = {"LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"}
TO_WAIT = {"SUBMITTED"}
OVER = {"BUYER_CONFIRMED", "SUPPLIER_DECLINED"}

# What a person has to end before the same command can have its effect.
FOR_PERSONS = {"WAIT_FOR_HUMAN", "DATE_REVISION_PENDING"}

# Something came first. The request is over; what to do now is decided anew.
READ_AGAIN = {"STALE_EVENT_HEAD", "AGENT_CHANGED_REFRESH_REQUIRED", "REQUEST_ID_CONFLICT"}


class History:
    """The deliveries of a subscription, from a checkpoint to the end."""

    def __init__(self, service, subscription_id, checkpoint):
        self.service, self.path = service, f"{API}/webhooks/{subscription_id}/deliveries"
        saved = service.state.get("history")
        self.checkpoint = checkpoint if saved is None else saved["checkpoint"]
        self.known = set() if saved is None else set(saved["known"])

    def new_events(self):
        after = self.checkpoint
        while True:
            try:
                page = self.service.get(self.path if after is None else f"{self.path}?after={after}")
            except Refused as refused:
                if refused.code != "WEBHOOK_CURSOR_RESET_REQUIRED":
                    raise
                # A checkpoint of an earlier format: everything is read once more, and recognized by its id.
                after = self.checkpoint = None
                self.save()
                continue
            for event in (delivery["event"] for delivery in page["deliveries"]):
                if event["id"] not in self.known:
                    self.known.add(event["id"])
                    yield event
            # The page is processed.
            self.checkpoint = page["checkpoint"]
            self.save()
            if page["next"] is None:
                return
            after = page["next"]

    def save(self):
        self.service.state.save(history={"checkpoint": self.checkpoint, "known": sorted(self.known)})


class Agent:
    plans_max = 10

    def __init__(self, service, clock, receiver=None, target=None, asks=False):
        self.service, self.clock = service, clock
        self.receiver, self.target, self.asks = receiver, target, asks
        self.history = None
        # The digest of the agreement that its person has approved; any agreement where absent.
        self.approved = None
        # The files that its person wants to be delivered; those that it makes itself where absent.
        self.files = None
        self.role = "SUPPLIER"
        # The only project of its grant where its person has named none.
        self.project_id = None
        # The request id that an earlier run saved for the submission; used once, since it may have been used before.
        self.saved_request_id = None
        # A job that it saved before, and whether its submission is unknown.
        self.job = None
        self.is_job_unknown = False
        # The end of its access of which its person knows.
        self.reported_end = None
        # The submission that waits for a review, and since when; once its person knows of it, it is not told again.
        self.unreviewed, self.unreviewed_since = None, math.inf

    def run(self):
        try:
            self.work()
        except Refused as refused:
            if refused.status == 401:
                # Only a person can let it in again. Whatever else it could send would be refused as well.
                self.tell_person("My access has ended. Please decide whether I may have it again.", refused.body)
            raise

    def work(self):
        if self.service.token is None:
            self.connect()
        if self.service.has_ended():
            raise AskPerson("my access has ended, and whether I may have it again I do not know")
        self.service.finish_pending()
        me = self.service.get(f"{API}/me")
        self.me = me
        if self.project_id is None:
            if len(me["projectIds"]) != 1:
                raise AskPerson(f"I was given {len(me['projectIds'])} projects, and can work on one")
            self.project_id = me["projectIds"][0]
        self.look_up_job()
        return self.issue_record() if self.role == "BUYER" else self.deliver()

    def deliver(self):
        while True:
            self.catch_up()
            view = self.read()
            state = view["project"]["state"]
            if state in OVER:
                return tell("DONE", state=state)
            if state == "SUPERSEDED":
                if not self.follow_revision(view):
                    return tell("DONE", state=state)
            elif view["automation"]["paused"]:
                self.wait_for_person(view)
            elif state == "AWAITING_SUPPLIER" and not self.is_approved(view):
                self.leave_to_person(view)
            elif state == "AWAITING_SUPPLIER":
                self.command("respond", self.acceptance)
            elif state in TO_DELIVER:
                if self.is_job_unknown and view["project"]["submission"] is None:
                    # It may still take effect, so nothing is submitted in its place.
                    self.wait_for_news(900)
                    continue
                self.subscribe()
                blocked = self.blocked_delivery(view)
                if blocked is None:
                    self.command("submit", self.submission)
                elif blocked["nextAction"] == "WAIT_FOR_HUMAN":
                    self.wait_for_person(blocked, blocked["reason"])
                else:
                    self.wait_for_news(900)
            elif state in TO_WAIT:
                self.report_silence(view)
                self.report_end()
                self.wait_for_news(900)
            else:
                raise AskPerson(f"the project is {state}, and what that asks of me I do not know")

    def report_silence(self, view):
        """Only people can find out why nobody reviews a submission for a day."""
        submission, now = view["project"]["submission"]["id"], self.clock.now()
        if submission != self.unreviewed:
            self.unreviewed, self.unreviewed_since = submission, now
        if now - self.unreviewed_since >= 86_400:
            self.unreviewed_since = math.inf
            self.tell_person("The submission has not been reviewed for a day.", view)

    def report_end(self):
        """Only its person can renew its access, and has a day for it."""
        if self.ends_at() - self.clock.now() >= 86_400 or self.me["expiresAt"] == self.reported_end:
            return
        # It may have been renewed since it was read.
        self.me = self.service.get(f"{API}/me")
        if self.ends_at() - self.clock.now() < 86_400:
            self.reported_end = self.me["expiresAt"]
            self.tell_person(f"My access ends on {self.reported_end}. Please renew it if I am to go on.", {})

    def ends_at(self):
        return datetime.fromisoformat(self.me["expiresAt"]).timestamp()

    def follow_revision(self, view):
        """Revised terms are another project. An agent works on it where a person has given it that one too."""
        successor = view["project"]["successor"]["projectId"]
        if successor not in self.service.get(f"{API}/me")["projectIds"]:
            self.tell_person("The terms were revised. Please decide whether I may work under the new ones.", view)
            return False
        # What its person has approved are the old terms.
        self.approved = self.approved or view["project"]["agreement"]["digest"]
        self.project_id = successor
        return True

    def issue_record(self):
        """Asks for the record of an accepted delivery once, and reads until it is issued."""
        has_told = False
        while True:
            view = self.read()
            issuance = view["project"]["recordIssuance"]
            if issuance["status"] == "ISSUED":
                return tell("DONE", record=issuance["recordId"])
            if issuance["status"] == "STOPPED":
                raise AskPerson("the record was stopped, and whether to ask for it again I do not know")
            if issuance["status"] == "NOT_REQUESTED":
                self.command("issue-record", self.issuance)
                continue
            if issuance["continuation"] == "WAITING_COVERAGE" and not has_told:
                has_told = True
                self.tell_person(f"The record waits for a result credit: {issuance['fundingUrl']}", view)
            self.wait_for_record()

    def wait_for_record(self):
        """The service issues it once there is a credit; another request would be refused."""
        self.wait_for_news(900)

    def look_up_job(self):
        """Another grant does not find the job, which says nothing about its submission."""
        if self.job is None:
            return
        try:
            self.service.get(f"{API}/jobs/{self.job}")
        except Refused as refused:
            if refused.status != 404:
                raise
            self.is_job_unknown = True
            view = self.read()
            state = view["project"]["state"]
            self.tell_person(f"I cannot read {self.job} under this grant. The project is {state}.", view)

    def catch_up(self):
        """A delivery is a hint to look, like the webhook: the project itself says what to do."""
        for event in () if self.history is None else self.history.new_events():
            self.notice(event)

    def notice(self, event):
        tell("DELIVERY", sequence=event["sequence"])

    # Connecting: the code is for the person, the device code for nobody else.
    def connect(self):
        asked = {"requestedRole": "SUPPLIER", "requestedActions": ["RESPOND_TERMS", "SUBMIT_MATERIALS"]}
        named = {"agentName": self.service.name, "client": "agent.py"}
        # After a crash it polls the connection whose code its person has.
        started = self.service.state.get("connection")
        if started is None:
            started = self.service.post(f"{API}/connections", {**named, **asked})
            self.service.state.save(connection=started)
            tell("CODE", code=started["userCode"], at=started["verificationUrl"])
            self.tell_person(f"Please type {started['userCode']}.", {"humanUrl": started["verificationUrl"]})
        interval = started["interval"]
        while True:
            next_poll = self.clock.now() + interval
            tell("WAITS", seconds=interval)
            self.clock.sleep_until(next_poll)
            polled = self.service.post(f"{API}/connections/poll", {"deviceCode": started["deviceCode"]})
            if polled["state"] == "CONNECTED":
                self.service.token = polled["credential"]["token"]
                self.service.state.save(token=self.service.token)
                return tell("CONNECTED")
            # Whoever polls too early waits longer from then on; the answer says how long.
            interval = polled["interval"]
            self.service.state.save(connection={**started, "interval": interval})

    def read(self):
        return self.service.get(f"{API}/projects/{self.project_id}")

    def command(self, name, decide):
        """One decision, carried out once: planned from a fresh reading, and from another one if that was overtaken."""
        for _ in range(self.plans_max):
            view = self.read()
            decided = decide(view)
            if decided is None:
                return
            project = view["project"]
            read = {"expectedEventHash": project["headEventHash"], "automationRevision": view["automation"]["revision"]}
            request = {"agreementDigest": project["agreement"]["digest"], **decided}
            request_id = with_request_id({**read, **request})["requestId"]
            # These bytes are the request from now on.
            saved = json.dumps({**read, "input": {"requestId": request_id, **request}}).encode()
            try:
                after = self.service.act(f"{API}/projects/{self.project_id}/{name}", saved)
                return tell("DID", what=name, state=after["project"]["state"], replayed=after.get("replayed", False))
            except Refused as refused:
                tell("REFUSED", what=name, error=refused.code)
                if refused.code == "AGENT_PAUSED":
                    self.wait_for_person(refused.body)
                elif refused.code in FOR_PERSONS:
                    return self.wait_for_person(refused.body, "A person has to act before I can deliver.")
                elif refused.code not in READ_AGAIN:
                    raise
        raise AskPerson(f"{name} was overtaken {self.plans_max} times")

    def blocked_delivery(self, view):
        """Why nothing can be delivered in this state, and what has to be done first; None if it can be."""
        return next((one for one in view["blockedActions"] if one["action"] == "SUBMIT_MATERIALS"), None)

    def is_approved(self, view):
        return self.approved in {None, view["project"]["agreement"]["digest"]}

    def leave_to_person(self, view):
        tell("NOT_APPROVED")
        self.tell_person("These are not the terms that you have approved.", view)
        while self.read()["project"]["state"] == "AWAITING_SUPPLIER":
            self.wait_for_news(900)

    def acceptance(self, view):
        project = view["project"]
        if project["state"] != "AWAITING_SUPPLIER":
            return None
        shown = project["confirmations"].get("respond")
        return {
            "action": "ACCEPT",
            "actorId": self.me["delegatedBy"],
            "actorRole": "SUPPLIER",
            "authorityAttested": True,
            "reason": "Scope, dates and criteria are as we offered.",
            **({} if shown is None else {"confirmationDigest": shown["digest"]}),
        }

    def issuance(self, view):
        project = view["project"]
        if project["recordIssuance"]["status"] != "NOT_REQUESTED":
            return None
        shown = project["confirmations"].get("issuance")
        return {
            "expectedEventHash": project["headEventHash"],
            "confirmationId": project["confirmation"]["id"],
            "maxCredits": 1,
            "reason": "The record of the accepted delivery.",
            **({} if shown is None else {"confirmationDigest": shown["digest"]}),
        }

    def submission(self, view):
        project = view["project"]
        if project["state"] not in TO_DELIVER:
            return None
        submission, review = project["submission"], project["review"]
        asked = "" if review is None else " As asked for: " + review["nextAction"]
        saved_request_id, self.saved_request_id = self.saved_request_id, None
        return {
            **({} if saved_request_id is None else {"requestId": saved_request_id}),
            "previousSubmissionId": None if submission is None else submission["id"],
            "respondsToReviewId": None if review is None else review["id"],
            "summary": "What was agreed." + asked,
            "items": [self.item(criterion, asked) for criterion in project["criteria"]],
        }

    def item(self, criterion, asked):
        # The files stay where they are; what is delivered is their names, sizes and digests.
        files = [self.made_file(criterion, asked)] if self.files is None else self.given_files(criterion)
        return {"criterionId": criterion["id"], "summary": criterion["title"], "references": [], "files": files}

    def given_files(self, criterion):
        members = ["name", "reference", "size", "sha256"]
        return [{key: one[key] for key in members} for one in self.files if one["criterionId"] == criterion["id"]]

    def made_file(self, criterion, asked):
        content = f"{criterion['id']}: {criterion['requirement']}{asked}".encode()
        return {
            "name": f"{criterion['id']}.txt",
            "reference": "our archive",
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }

    def subscribe(self):
        if self.receiver is None or self.receiver.secret is not None:
            return
        if self.service.state.get("notSubscribed") is not None:
            self.receiver = None
            return
        # After a crash the same request finds the subscription that it made.
        request = self.service.state.get("subscription") or self.subscription()
        self.service.state.save(subscription=request)
        try:
            made = self.service.post(f"{API}/webhooks", request)
        except Refused as refused:
            # A person can help. Until then it reads the project from time to time, also after a restart.
            tell("NOT_SUBSCRIBED", error=refused.code)
            self.service.state.save(notSubscribed=refused.code)
            self.receiver = None
            return self.tell_person(f"I cannot subscribe: {refused.code}.", refused.body)
        subscription_id = made["subscription"]["id"]
        if "secret" not in made:
            # The answer that held it was lost. It is shown once; there is only another one.
            made = self.service.post(f"{API}/webhooks/{subscription_id}/rotate-secret", {})
        if self.asks:
            self.receiver.ask = asks_service(self.service, subscription_id)
        self.receiver.secret = made["secret"]
        tell("SUBSCRIBED", to=self.target)

    def subscription(self):
        until = datetime.fromtimestamp(self.clock.now(), timezone.utc) + timedelta(days=29)
        return with_request_id(
            {
                "target": self.target,
                "projectIds": [self.project_id],
                "eventTypes": ["changes.requested", "acceptance.decided"],
                "expiresAt": until.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "confirmed": True,
            }
        )

    def wait_for_news(self, seconds):
        """Until a callback comes, or for so long: a callback is a hint to look, and can be missed."""
        if isinstance(self.clock, PatientClock):
            return self.rest_for_news()
        end = self.clock.now() + seconds
        tell("WAITS_FOR_NEWS")
        while self.clock.now() < end:
            try:
                if isinstance(self.clock, WaitingClock):
                    self.clock.wait({"for": f"{seconds}s", "event": "webhook"})
                    return self.receiver and self.receiver.inbox.get(timeout=0)
                if self.receiver is not None:
                    self.receiver.inbox.get(timeout=0.1)
                    return
                time.sleep(0.1)
            except queue.Empty:
                if isinstance(self.clock, WaitingClock):
                    return

    def rest_for_news(self):
        """The same without a clock to wait by: the world moves to what is due next while the agent rests."""
        tell("WAITS_FOR_NEWS")
        if self.receiver is None:
            return time.sleep(self.clock.rest)
        with contextlib.suppress(queue.Empty):
            self.receiver.inbox.get(timeout=self.clock.rest)

    def tell_person(self, text, refused):
        self.service.person.tell(text, refused.get("humanUrl"))

    def wait_for_person(self, shown, why="A person has paused me."):
        interval = 60
        next_read = self.clock.now() + interval
        tell("PAUSED", why=why)
        self.tell_person(why, shown)
        while True:
            self.clock.sleep_until(next_read)
            # The longer it lasts, the less often it reads.
            interval = min(2 * interval, 900)
            next_read = self.clock.now() + interval
            view = self.read()
            blocked = self.blocked_delivery(view)
            if not view["automation"]["paused"] and (blocked is None or blocked["nextAction"] != "WAIT_FOR_HUMAN"):
                return tell("RESUMED")
            if view["project"]["state"] in OVER:
                return tell("FINISHED_BY_PERSON")


def from_environment(make_service, make_agent, rest):
    """The service, the clock and the receiver of an examination."""
    task = json.loads(os.environ["COUNTERSIGN_TASK"])
    clock_url = os.environ.get("COUNTERSIGN_CLOCK")
    clock = PatientClock(rest) if clock_url is None else WaitingClock(clock_url)
    receiver = None
    if "webhookTarget" in task:
        receiver = Receiver(int(os.environ["COUNTERSIGN_CALLBACK_PORT"]), clock)
    state = State(os.environ.get("COUNTERSIGN_STATE"))
    service = make_service(os.environ["COUNTERSIGN_URL"], task["agent"], clock, 2, state)
    service.token = state.get("token") or os.environ.get("COUNTERSIGN_TOKEN")
    service.person = Person(os.environ.get("COUNTERSIGN_PERSON"))
    agent = make_agent(service, clock, receiver, task.get("webhookTarget"))
    if "subscription" in task:
        agent.history = History(service, task["subscription"], task.get("checkpoint"))
    agent.approved = task.get("agreementDigest")
    agent.role, agent.project_id = task["role"], task.get("project")
    agent.files = task.get("files")
    agent.job = task.get("job")
    agent.saved_request_id = task.get("requestId")
    return agent


def from_options(given):
    clock = RealClock() if given.world is None else WorldClock(given.world)
    receiver = None if given.port is None else Receiver(given.port, clock)
    if receiver is not None:
        tell("LISTENS", at=receiver.url)
    service = Service(given.service, given.name, clock, given.timeout)
    return Agent(service, clock, receiver, given.target, given.check == "ask")


def agent_for(given):
    if given.service is not None:
        return from_options(given)
    if given.violation is None:
        agent = from_environment(Service, Agent, given.rest)
        agent.service.think = given.think
        return agent
    # This file is the program, so the violations get its classes instead of importing it once more.
    import violations

    return from_environment(*violations.breaking(given.violation, sys.modules[__name__]), given.rest)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--service", help="where the service is; from the environment where absent")
    options.add_argument("--name", help="what this agent calls itself")
    options.add_argument("--world", help="the simulated world whose time it lives in; real time where absent")
    options.add_argument("--target", help="the public address that callbacks are sent to")
    options.add_argument("--port", type=int, help="where it listens for them; any free port where 0")
    options.add_argument("--check", choices=["compute", "ask"], default="compute")
    options.add_argument("--timeout", type=float, default=10, help="seconds that it waits for an answer")
    options.add_argument("--think", type=float, default=0, help="seconds that it thinks before each request of an examination")
    options.add_argument("--rest", type=float, default=30, help="seconds that it rests in an examination without a clock")
    options.add_argument("--violation", help="the rule that it breaks in an examination")
    given = options.parse_args()
    agent = agent_for(given)
    try:
        agent.run()
    except (AskPerson, Refused) as stopped:
        tell("ASKS_PERSON", why=str(stopped))
        agent.tell_person(str(stopped), getattr(stopped, "body", {}))
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
