"""Sends the bytes of one request until the service answers them."""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .clock import Clock
from .outcome import Json, OutcomeUnknown, Refused
from .person import Person
from .store import FolderStore

SECONDS_BETWEEN_SENDS_MAX = 60


@dataclass
class Answer:
    status: int
    retry_after: int | None
    body: Json


# Sends bytes once: method, URL, headers, body and timeout to status, headers and body. OSError where no answer arrives.
Transport = Callable[[str, str, dict[str, str], bytes | None, float], tuple[int, Mapping[str, str], bytes]]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection could send the token to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send_by_urllib(
    method: str, url: str, headers: dict[str, str], body: bytes | None, timeout: float
) -> tuple[int, Mapping[str, str], bytes]:
    request = urllib.request.Request(url, data=body, method=method, headers=headers)
    try:
        with _opener.open(request, timeout=timeout) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read()


@dataclass
class Requests:
    """Sends the bytes of one request until the service answers them."""

    base_url: str
    token: str | None
    store: FolderStore
    clock: Clock
    person: Person
    # Seconds of real time between two parts of an answer.
    timeout: float = 30
    # Sends of the same bytes until their outcome counts as unknown.
    sends_max: int = 8
    headers: dict[str, str] = field(default_factory=dict)
    transport: Transport = send_by_urllib

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.base_url)
        host = parts.hostname or ""
        is_local = host in {"localhost", "::1"} or re.fullmatch(r"127(\.\d+){3}", host) is not None
        if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
            raise ValueError(f"{self.base_url}: a token is sent over https only, or to this machine")

    def load_token(self) -> None:
        """Takes the token that was saved with a connection or a renewal; it is newer than that of the start."""
        self.token = self.store.read("token") or self.token

    def save_token(self, token: str) -> None:
        self.store.write("token", token)
        self.token = token

    def exchange(self, method: Literal["GET", "POST"], path: str, body: str | None = None) -> Any:
        """Sends exactly these bytes until there is an answer that can be read, with growing pauses.

        After 503 TEMPORARILY_UNAVAILABLE it waits for Retry-After; after 401 it sends once more if a person has given another
        credential. Raises Refused, and OutcomeUnknown if no send was answered.
        """
        self._require_live_token()
        unanswered = 0
        for sends in range(1, self.sends_max + 1):
            answer = self._send_once(method, path, body)
            if answer is None:
                unanswered += 1
                if sends < self.sends_max:
                    self.clock.wait(min(2**sends, SECONDS_BETWEEN_SENDS_MAX))
            elif answer.status < 400:
                return answer.body
            elif answer.body.get("nextAction") == "RETRY_SAVED_REQUEST":
                if sends < self.sends_max:
                    after = answer.retry_after
                    self.clock.wait(SECONDS_BETWEEN_SENDS_MAX if after is None else after)
            elif answer.status != 401 or not self._takes_renewed_token():
                raise Refused(answer.status, answer.body, unanswered)
        raise OutcomeUnknown(path, self.sends_max)

    def _send_once(self, method: str, path: str, body: str | None) -> Answer | None:
        """None where no answer arrived, and where it is not that of the service, such as a page of a proxy."""
        headers = dict(self.headers)
        if body is not None:
            headers["content-type"] = "application/json"
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else body.encode()
        try:
            url = self.base_url.rstrip("/") + path
            status, answered, text = self.transport(method, url, headers, data, self.timeout)
            value = json.loads(text)
        except (OSError, http.client.HTTPException, ValueError):
            return None
        if not isinstance(value, dict) or not (200 <= status < 300 or isinstance(value.get("error"), str)):
            return None
        seconds = re.fullmatch(r"[0-9]{1,6}", answered.get("retry-after", ""))
        return Answer(status, None if seconds is None else int(seconds[0]), value)

    def _require_live_token(self) -> None:
        """A credential that was refused is not sent again, also after a restart."""
        if self.token is None or self.store.read("refused-token") != _digest_of(self.token):
            return
        if not self._takes_renewed_token():
            detail = "This credential was refused before; a person has to authorize the agent again."
            raise Refused(401, {"error": "AUTH_INVALID", "detail": detail, "nextAction": "ASK_OWNER_TO_REAUTHORIZE"})

    def _takes_renewed_token(self) -> bool:
        """A renewal ends the token before it; request ids, jobs and subscriptions stay with the grant."""
        if self.token is None:
            return False
        self.store.write("refused-token", _digest_of(self.token))
        token = self.person.credential()
        if token in {None, self.token}:
            return False
        self.save_token(str(token))
        return True


def _digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
