"""What the client does with commands, credentials and webhooks, over a service of which each test says the answers."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import stat
import tempfile
import unittest
from collections.abc import Callable, Mapping
from typing import Any
from unittest import mock

from countersign.client import Countersign
from countersign.event_ids import EventIds
from countersign.outcome import Json, OutcomeUnknown, Refused
from countersign.requests import Requests
from countersign.store import FolderStore
from countersign.webhooks import WebhookInbox, read_history, subscribe, verify_webhook

Scripted = tuple[int, Json, dict[str, str]] | bytes | None


class TestClock:
    def __init__(self) -> None:
        self.seconds = 1_772_442_000.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    wait_for_news = wait

    def notify(self) -> None:
        pass


class TestPerson:
    def __init__(self, credential: str | None) -> None:
        self.texts: list[str] = []
        self._credential = credential

    def tell(self, text: str, human_url: str | None = None) -> None:
        self.texts.append(text)

    def credential(self) -> str | None:
        return self._credential


class Sent:
    def __init__(self, method: str, url: str, headers: dict[str, str], body: bytes | None, saved: list[str]) -> None:
        self.method, self.path = method, url.removeprefix("https://service.test")
        self.token = headers.get("authorization", "").removeprefix("Bearer ")
        self.body = {} if body is None else json.loads(body)
        self.bytes, self.saved = body, saved


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "state")
        self.sent: list[Sent] = []
        self.clock = TestClock()

    def client(self, answer: Callable[[Sent], Scripted], credential: str | None = None) -> Countersign:
        self.store = FolderStore(self.folder)
        self.person = TestPerson(credential)

        def transport(
            method: str, url: str, headers: dict[str, str], body: bytes | None, _: float
        ) -> tuple[int, Mapping[str, str], bytes]:
            request = Sent(method, url, headers, body, self.store.names(""))
            answered = answer(request)
            self.sent.append(request)
            if answered is None:
                raise TimeoutError
            if isinstance(answered, bytes):
                return 502, {}, answered
            status, value, more = answered
            return status, more, json.dumps(value).encode()

        requests = Requests(
            "https://service.test", "token-1", self.store, self.clock, self.person, sends_max=4, transport=transport
        )
        return Countersign(requests)

    def in_turn(self, views: list[Scripted], answers: list[Scripted]) -> Callable[[Sent], Scripted]:
        """Reads are answered with the views in turn, commands with the answers in turn; the last one repeats."""

        def answer(request: Sent) -> Scripted:
            given = views if request.method == "GET" else answers
            before = sum(one.method == request.method for one in self.sent)
            return given[min(before, len(given) - 1)]

        return answer

    @property
    def posts(self) -> list[Sent]:
        return [one for one in self.sent if one.method == "POST"]


def refusal(status: int, error: str, next_action: str, headers: dict[str, str] | None = None) -> Scripted:
    return status, {"error": error, "detail": error, "retryable": False, "nextAction": next_action}, headers or {}


def view(head: str = "a", revision: int = 0, state: str = "LOCKED", paused: bool = False) -> Scripted:
    value: Json = {
        "project": {"taskId": "delivery_1", "state": state, "headEventHash": head},
        "automation": {"revision": revision, "paused": paused, "pausedBy": []},
        "humanUrl": "https://service.test/project",
        "blockedActions": [],
        "decisionActions": [],
    }
    return 200, value, {}


def hand_off(_: Json) -> Json:
    return {"reason": "A person has to look."}


class Commands(ClientTest):
    def test_a_command_is_saved_before_its_first_send_and_forgotten_once_it_is_answered(self) -> None:
        client = self.client(self.in_turn([view()], [view("b")]))
        self.assertEqual(client.command("delivery_1", "handoff", hand_off).kind, "COMMITTED")
        (post,) = self.posts
        self.assertEqual(post.saved, [f"request-{post.body['input']['requestId']}"])
        self.assertEqual(self.store.names("request-"), [])

    def test_the_same_bytes_are_sent_after_a_lost_answer_a_page_of_a_proxy_and_foreign_json(self) -> None:
        failures: list[Scripted] = [None, b"<html>", (500, {"message": "oops"}, {})]
        client = self.client(self.in_turn([view()], [*failures, view("b")]))
        self.assertEqual(client.command("delivery_1", "handoff", hand_off).kind, "COMMITTED")
        self.assertEqual(len({post.bytes for post in self.posts}), 1)
        self.assertEqual(self.clock.waits, [2, 4, 8])

    def test_after_503_it_waits_for_retry_after(self) -> None:
        busy = refusal(503, "TEMPORARILY_UNAVAILABLE", "RETRY_SAVED_REQUEST", {"retry-after": "17"})
        self.client(self.in_turn([view()], [busy, view()])).command("delivery_1", "handoff", hand_off)
        self.assertEqual(self.clock.waits, [17])

    def test_an_unknown_outcome_stays_saved_and_the_next_run_sends_the_same_bytes(self) -> None:
        with self.assertRaises(OutcomeUnknown):
            self.client(self.in_turn([view()], [None])).command("delivery_1", "handoff", hand_off)
        saved = self.posts[0].bytes
        self.sent.clear()
        self.client(self.in_turn([], [view()])).resume()
        self.assertEqual([one.bytes for one in self.sent], [saved])
        self.assertEqual(self.store.names("request-"), [])

    def test_a_stale_head_is_decided_again_on_a_new_reading_under_a_new_request_id(self) -> None:
        stale = refusal(409, "STALE_EVENT_HEAD", "REREAD_PROJECT")
        client = self.client(self.in_turn([view(), view("b", 2)], [stale, view("c")]))
        client.command("delivery_1", "handoff", hand_off)
        first, second = (post.body for post in self.posts)
        self.assertNotEqual(first["input"]["requestId"], second["input"]["requestId"])
        self.assertEqual((second["expectedEventHash"], second["automationRevision"]), ("b", 2))

    def test_nothing_is_sent_where_the_new_reading_leaves_nothing_to_do(self) -> None:
        stale = refusal(409, "STALE_EVENT_HEAD", "REREAD_PROJECT")
        client = self.client(self.in_turn([view(), view(state="SUBMITTED")], [stale]))
        decide = lambda now: hand_off(now) if now["project"]["state"] == "LOCKED" else None  # noqa: E731
        self.assertEqual(client.command("delivery_1", "handoff", decide).kind, "NOTHING_TO_DO")
        self.assertEqual(len(self.posts), 1)

    def test_it_decides_at_most_ten_times(self) -> None:
        client = self.client(self.in_turn([view()], [refusal(409, "STALE_EVENT_HEAD", "REREAD_PROJECT")]))
        self.assertRaises(Refused, client.command, "delivery_1", "handoff", hand_off)
        self.assertEqual(len(self.posts), 10)

    def test_a_refusal_with_another_next_step_is_raised_and_sent_once(self) -> None:
        client = self.client(self.in_turn([view()], [refusal(409, "DELIVERY_DEADLINE_PASSED", "REQUEST_DATE_CHANGE")]))
        self.assertRaises(Refused, client.command, "delivery_1", "handoff", hand_off)
        self.assertEqual(len(self.posts), 1)
        self.assertEqual(self.store.names("request-"), [])

    def test_nothing_is_sent_while_agents_are_paused_and_the_person_is_told_once(self) -> None:
        views: list[Scripted] = [view(paused=True)] * 4 + [view()]

        def answer(request: Sent) -> Scripted:
            if request.path.endswith("/me"):
                return 200, {"expiresAt": "2026-03-20T09:00:00.000Z"}, {}
            return views.pop(0)

        self.client(answer).command_or_wait("delivery_1", "handoff", hand_off)
        self.assertEqual(self.posts, [])
        self.assertEqual(self.clock.waits, [60, 120, 240, 480])
        self.assertEqual(len(self.person.texts), 1)


class Credentials(ClientTest):
    unauthorized = refusal(401, "AUTH_INVALID", "ASK_OWNER_TO_REAUTHORIZE")

    def test_after_401_the_same_bytes_are_sent_with_the_renewed_token(self) -> None:
        renewed = lambda one: view() if one.method == "GET" or one.token == "token-2" else self.unauthorized  # noqa: E731
        self.client(renewed, "token-2").command("delivery_1", "handoff", hand_off)
        self.assertEqual([post.token for post in self.posts], ["token-1", "token-2"])
        self.assertEqual(len({post.bytes for post in self.posts}), 1)

    def test_a_refused_token_is_not_sent_again_also_by_the_next_run(self) -> None:
        for _ in range(2):
            self.assertRaises(Refused, self.client(lambda _: self.unauthorized).me)
        self.assertEqual(len(self.sent), 1)

    def test_a_token_goes_to_no_http_address_but_this_machine(self) -> None:
        parts: list[Any] = [FolderStore(self.folder), self.clock, TestPerson(None)]
        self.assertRaises(ValueError, Requests, "http://service.test", None, *parts)
        for url in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"]:
            Requests(url, None, *parts)

    def test_only_the_owner_reads_the_files_of_a_store(self) -> None:
        store = FolderStore(self.folder)
        store.write("token", "secret")
        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.folder, "token.json")).st_mode), 0o600)
        self.assertRaises(ValueError, store.write, "../token", "x")


class Webhooks(ClientTest):
    # printf '1763741400.{"type":"delivery.submitted","note":"ü"}' | openssl dgst -sha256 -hmac ddw_0123456789abcdef
    secret, body, timestamp = "ddw_0123456789abcdef", '{"type":"delivery.submitted","note":"ü"}'.encode(), "1763741400"
    signature = "v1=d948dbe3e3581395e85621b28e199949be77087cf2f957664d99479884c628ee"

    def test_verify_webhook(self) -> None:
        at = 1763741400.0
        for expected, body, timestamp, signature, now in [
            ("GENUINE", self.body, self.timestamp, self.signature, at + 300),
            ("GENUINE", self.body, self.timestamp, self.signature, at - 300),
            ("STALE", self.body, self.timestamp, self.signature, at + 300.1),
            ("STALE", self.body, self.timestamp, self.signature, at - 300.1),
            ("STALE", self.body, self.timestamp + "000", self.signature, at),
            ("STALE", self.body, "0" + self.timestamp, self.signature, at),
            ("STALE", self.body, "", self.signature, at),
            ("INVALID", self.body + b" ", self.timestamp, self.signature, at),
            ("INVALID", self.body, "1763741401", self.signature, at),
            ("INVALID", self.body, self.timestamp, self.signature.removeprefix("v1="), at),
            ("INVALID", self.body, self.timestamp, "", at),
        ]:
            self.assertEqual(verify_webhook(self.secret, body, timestamp, signature, now), expected)

    def test_the_inbox_reports_a_duplicate_once_and_acknowledges_no_forged_webhook(self) -> None:
        client = self.client(lambda _: None)
        self.clock.seconds = 1763741400
        ids: list[str] = []
        inbox = WebhookInbox(client, lambda event: ids.append(event["id"]))
        headers = {"service-timestamp": self.timestamp, "service-signature": self.signature}
        self.assertEqual(inbox.receive(headers, self.body), 401)
        self.store.write("webhook-secret", self.secret)
        self.store.write("webhook-events", "event_1\n")

        body = b'{"id":"event_2"}'
        digest = hmac.new(self.secret.encode(), self.timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        headers = {"service-timestamp": self.timestamp, "service-signature": f"v1={digest}"}
        self.assertEqual([inbox.receive(headers, body), inbox.receive(headers, body)], [204, 204])
        self.assertEqual(inbox.receive({**headers, "service-signature": f"v1={'0' * 64}"}, body), 401)
        self.assertEqual(ids, ["event_2"])

    def test_an_event_id_is_appended_and_the_text_is_written_as_a_whole_before_the_first_one_only(self) -> None:
        ids = self.event_ids("event_1\nevent_2\n")
        with mock.patch.object(self.store, "write", wraps=self.store.write) as write:
            self.assertEqual([ids.add("event_2"), ids.add("event_3"), ids.add("event_3")], [False, True, False])
            self.assertEqual([ids.has("event_3"), ids.has("event_4")], [True, False])
            self.assertEqual(write.call_count, 1)
        self.assertEqual(self.store.read("webhook-events"), "event_1\nevent_2\nevent_3\n")

    def test_a_part_of_a_line_that_a_crash_left_is_removed_and_its_event_is_new(self) -> None:
        self.assertTrue(self.event_ids("event_1\nevent_").add("event_2"))
        self.assertEqual(self.store.read("webhook-events"), "event_1\nevent_2\n")

    def test_after_an_append_that_failed_its_event_is_new_and_the_next_one_is_saved(self) -> None:
        ids = self.event_ids("event_1\n")

        def fail(name: str, line: str) -> None:
            self.store.write(name, "event_1\neve")
            raise OSError("the disk is full")

        with mock.patch.object(self.store, "append", fail), self.assertRaises(OSError):
            ids.add("event_2")
        self.assertEqual([ids.add("event_3"), ids.add("event_2")], [True, True])
        self.assertEqual(self.store.read("webhook-events"), "event_1\nevent_3\nevent_2\n")

    def test_after_an_append_that_failed_behind_the_line_its_event_is_new_too(self) -> None:
        ids = self.event_ids("event_1\n")
        append = self.store.append

        def fail(name: str, line: str) -> None:
            append(name, line)
            raise OSError("the disk is full")

        with mock.patch.object(self.store, "append", fail), self.assertRaises(OSError):
            ids.add("event_2")
        self.assertEqual([ids.has("event_2"), ids.add("event_3"), ids.add("event_2")], [False, True, True])
        self.assertEqual(self.store.read("webhook-events"), "event_1\nevent_3\nevent_2\n")

    def test_the_newest_event_ids_stay_known_whenever_the_text_is_written_as_a_whole(self) -> None:
        with mock.patch("countersign.event_ids.IDS_KEPT", 10):
            ids = self.event_ids("".join(f"event_{number}\n" for number in range(15)))
            self.assertEqual([ids.has("event_4"), ids.has("event_5")], [False, True])
            for number in range(15, 26):
                ids.add(f"event_{number}")
            self.assertEqual([ids.has("event_14"), ids.has("event_15")], [False, True])
        self.assertEqual(self.store.read("webhook-events"), "".join(f"event_{number}\n" for number in range(15, 26)))

    def event_ids(self, text: str) -> EventIds:
        """Those of a store whose text was left by an earlier run."""
        self.client(lambda _: None)
        self.store.write("webhook-events", text)
        return EventIds.of(self.store)

    def test_subscribe_rotates_a_secret_that_it_missed(self) -> None:
        def answer(request: Sent) -> Scripted:
            result: Json = {"subscription": {"id": "whs_1"}}
            if request.path.endswith("rotate-secret"):
                return 200, {**result, "secret": "second"}, {}
            return None if not self.sent else (201, result, {})

        client = self.client(answer)
        self.assertIsNone(subscribe(client, "https://hooks.test/", ["delivery_1"], ["record.changed"]))
        self.assertEqual(self.sent[0].bytes, self.sent[1].bytes)
        self.assertEqual(self.store.read("webhook-secret"), "second")

    def test_subscribe_returns_a_refusal_once_and_sends_that_request_never_again(self) -> None:
        client = self.client(lambda _: refusal(429, "SUBSCRIPTION_LIMIT", "ASK_OWNER"))
        refused = subscribe(client, "https://hooks.test/", ["delivery_1"], ["record.changed"])
        self.assertEqual(refused and refused.code, "SUBSCRIPTION_LIMIT")
        self.assertIsNone(subscribe(client, "https://hooks.test/", ["delivery_1"], ["record.changed"]))
        self.assertEqual(len(self.sent), 1)

    def test_read_history_begins_once_from_the_start_after_a_reset_and_resumes_from_its_checkpoint(self) -> None:
        page: Json = {"deliveries": [{"event": {"id": "event_1"}}], "next": None, "checkpoint": "c1"}
        reset = refusal(409, "WEBHOOK_CURSOR_RESET_REQUIRED", "RESTART_DELIVERY_HISTORY")
        client = self.client(lambda one: reset if "whd_old" in one.path else (200, page, {}))
        handled: list[Json] = []
        for _ in range(2):
            read_history(client, "whs_1", handled.append, "whd_old")
        self.assertEqual([one.path.partition("?")[2] for one in self.sent], ["after=whd_old", "", "after=c1"])
        self.assertEqual(len(handled), 1)


if __name__ == "__main__":
    unittest.main()
