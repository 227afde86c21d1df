"""An agent's settings from the variables of its process: those of an operator, or of `simulate exam`."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .client import Countersign
from .clock import Clock, SystemClock
from .outcome import Json
from .person import Person, PrintingPerson
from .requests import Requests
from .store import FolderStore
from .webhooks import WebhookInbox, subscribe

BODY_BYTES_MAX = 65_536


@dataclass(frozen=True)
class AgentEnvironment:
    """`task` is what the agent's person wants; webhooks arrive at `webhook_port` of 127.0.0.1, None if none do."""

    client: Countersign
    task: Json
    person: Person
    webhook_port: int | None


def read_environment(variables: Mapping[str, str]) -> AgentEnvironment:
    """Reads COUNTERSIGN_URL, COUNTERSIGN_TASK (JSON), COUNTERSIGN_TOKEN and COUNTERSIGN_STATE (a folder, ./state where absent).

    Where `simulate exam` sets COUNTERSIGN_CLOCK and COUNTERSIGN_PERSON, time and person are those of its world.
    """
    task = json.loads(variables["COUNTERSIGN_TASK"])
    clock_url, person_url = variables.get("COUNTERSIGN_CLOCK"), variables.get("COUNTERSIGN_PERSON")
    clock: Clock = SystemClock() if clock_url is None else _ExaminationClock(clock_url)
    person: Person = PrintingPerson() if person_url is None else _ExaminationPerson(person_url)
    requests = Requests(
        base_url=variables["COUNTERSIGN_URL"],
        token=variables.get("COUNTERSIGN_TOKEN"),
        store=FolderStore(variables.get("COUNTERSIGN_STATE", "state")),
        clock=clock,
        person=person,
    )
    if clock_url is not None:
        # An answer that is lost in a simulated world never arrives.
        requests.timeout, requests.headers = 4, {"simulator-actor": task["agent"]}
    port = variables.get("COUNTERSIGN_CALLBACK_PORT")
    return AgentEnvironment(Countersign(requests), task, person, None if port is None else int(port))


def receive_webhooks(environment: AgentEnvironment, target: str, project_ids: list[str], event_types: list[str]) -> None:
    """Subscribes, and receives at the port that the environment names; in production a TLS proxy stands before it.

    Each new event ends a wait for news. Where the subscription is refused, the person is told, and none arrive.
    """
    if environment.webhook_port is None:
        raise ValueError("COUNTERSIGN_CALLBACK_PORT is not set")
    inbox = WebhookInbox(environment.client, lambda event: print(event["type"]))
    server = _listen(environment.webhook_port, inbox)
    refused = subscribe(environment.client, target, project_ids, event_types)
    if refused is not None:
        server.shutdown()
        server.server_close()
        environment.person.tell(f"I cannot subscribe: {refused}", refused.human_url)


def _listen(port: int, inbox: WebhookInbox) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(self._status())
            self.send_header("content-length", "0")
            self.end_headers()

        def _status(self) -> int:
            length = self.headers.get("content-length", "")
            if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
                return 413
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                return inbox.receive(headers, self.rfile.read(int(length)))
            except OSError:
                # Not saved, so not acknowledged: it is sent again.
                return 503

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class _ExaminationClock:
    """The time of a simulated world moves while its agents wait."""

    def __init__(self, url: str) -> None:
        self._url = url

    def now(self) -> float:
        return datetime.fromisoformat(_exchange(self._url)["now"]).timestamp()

    def wait(self, seconds: float) -> None:
        _exchange(f"{self._url}/wait", {"for": f"{seconds}s"})

    def wait_for_news(self, seconds: float) -> None:
        _exchange(f"{self._url}/wait", {"for": f"{seconds}s", "event": "webhook"})

    def notify(self) -> None:
        pass


class _ExaminationPerson:
    def __init__(self, url: str) -> None:
        self._url = url

    def tell(self, text: str, human_url: str | None = None) -> None:
        _exchange(f"{self._url}/tell", {"text": text, **({} if human_url is None else {"humanUrl": human_url})})

    def credential(self) -> str | None:
        return _exchange(f"{self._url}/credential").get("token")


def _exchange(url: str, body: Json | None = None) -> Json:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return json.load(answer)
