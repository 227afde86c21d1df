"""Webhooks: subscribing, verifying what arrives, and reading the delivery history from a checkpoint."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Literal

from .client import API, Countersign
from .event_ids import EventIds
from .outcome import Json, Refused

SECONDS_OFF_MAX = 300
SUBSCRIPTION_TIME = timedelta(days=29)


def verify_webhook(
    secret: str, raw_body: bytes, timestamp: str, signature: str, now: float
) -> Literal["GENUINE", "STALE", "INVALID"]:
    """Whether these bytes were signed with the secret at most five minutes before or after `now` (seconds since 1970).

    `timestamp` and `signature` are the headers service-timestamp and service-signature, `raw_body` the body before any
    parsing. A genuine webhook can arrive twice, also as a replay by another sender: recognize its event by its id.
    """
    if re.fullmatch(r"[1-9][0-9]{0,11}", timestamp) is None or abs(now - int(timestamp)) > SECONDS_OFF_MAX:
        return "STALE"
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return "GENUINE" if hmac.compare_digest(f"v1={digest}".encode(), signature.encode()) else "INVALID"


class WebhookInbox:
    """Receives the webhooks of one subscription: verifies, saves the id of the event, reports it, and answers.

    A duplicate is acknowledged, and not reported again. An agent that stops in between reads the project when it starts again.
    """

    def __init__(self, client: Countersign, on_event: Callable[[Json], None]) -> None:
        self._client, self._on_event = client, on_event

    def receive(self, headers: Mapping[str, str], raw_body: bytes) -> int:
        """The status to answer with: 204 for a genuine one, 401 for any other request. Safe to call from several threads."""
        secret = self._client.store.read("webhook-secret")
        timestamp, signature = headers.get("service-timestamp", ""), headers.get("service-signature", "")
        now = self._client.clock.now()
        if secret is None or verify_webhook(secret, raw_body, timestamp, signature, now) != "GENUINE":
            return 401
        event = json.loads(raw_body)
        if EventIds.of(self._client.store).add(event["id"]):
            self._on_event(event)
            self._client.clock.notify()
        return 204


def subscribe(client: Countersign, target: str, project_ids: list[str], event_types: list[str]) -> Refused | None:
    """Subscribes for 29 days, once, also over restarts, and saves the secret for the inbox.

    If the answer with the secret was lost, it rotates the secret: a replay is answered without it. Returns the refusal, such as
    that of a limit or a target, that a person has to help with; that request is not sent again.
    """
    store = client.store
    if store.read("webhook-secret") is not None or store.read("subscription-refused") is not None:
        return None
    saved = store.read("subscription")
    if saved is None:
        until = datetime.fromtimestamp(client.clock.now(), timezone.utc) + SUBSCRIPTION_TIME
        request = {
            "requestId": str(uuid.uuid4()),
            "target": target,
            "projectIds": project_ids,
            "eventTypes": event_types,
            "expiresAt": until.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "confirmed": True,
        }
        store.write("subscription", json.dumps(request))
    else:
        request = json.loads(saved)
    try:
        result = client.act(f"{API}/webhooks", request, request["requestId"])
        if "secret" not in result:
            result = client.post(f"{API}/webhooks/{result['subscription']['id']}/rotate-secret", {})
        store.write("webhook-secret", result["secret"])
        return None
    except Refused as refused:
        if refused.status == 401:
            raise
        store.write("subscription-refused", refused.code)
        return refused


def read_history(
    client: Countersign, subscription_id: str, handle: Callable[[Json], None], checkpoint: str | None = None
) -> None:
    """Reads the delivery history of a subscription to its end, from the saved checkpoint, or from `checkpoint` the first time.

    `handle` gets each event that it has not handled before; the checkpoint is saved after each page.
    """
    name, path = f"history-{subscription_id}", f"{API}/webhooks/{subscription_id}/deliveries"
    after = client.store.read(name) or checkpoint
    known = EventIds.of(client.store)
    while True:
        page = _read_page(client, path, after)
        for delivery in page["deliveries"]:
            if not known.has(delivery["event"]["id"]):
                handle(delivery["event"])
                known.add(delivery["event"]["id"])
        client.store.write(name, page["checkpoint"])
        if page["next"] is None:
            return
        after = page["next"]


def _read_page(client: Countersign, path: str, after: str | None) -> Json:
    """A checkpoint of an earlier format is no longer readable: then once from the start, where events are known by id."""
    if after is not None:
        try:
            return client.get(f"{path}?after={after}")
        except Refused as refused:
            if refused.code != "WEBHOOK_CURSOR_RESET_REQUIRED":
                raise
    return client.get(path)
