"""The ways in which a request ends that is not answered as asked: it was refused, or its outcome is unknown."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class Refused(Exception):
    """The service refused the request. Nothing changed, except where `unanswered` says otherwise.

    `code` is stable, `next_action` the next step, `human_url` a link for a person. `unanswered` counts the sends of the same
    bytes that had no answer before: with 401, 403 and 404 one of them may have taken effect, so read the project.
    """

    def __init__(self, status: int, body: Json, unanswered: int = 0) -> None:
        issues = "".join(f" {one['path']}: {one['message']}." for one in body.get("issues", []))
        super().__init__(f"{status} {body['error']}: {body.get('detail', '')}{issues}")
        self.status = status
        self.code: str = body["error"]
        self.next_action: str | None = body.get("nextAction")
        self.human_url: str | None = body.get("humanUrl")
        self.body = body
        self.unanswered = unanswered


class OutcomeUnknown(Exception):
    """No send of a request had a readable answer. A command may have taken effect or not.

    Its bytes stay saved, and `resume` sends them again. Never decide anew instead: another request id is another command.
    """

    code = "OUTCOME_UNKNOWN"

    def __init__(self, path: str, sends: int) -> None:
        super().__init__(f"{path} had no readable answer in {sends} sends. A command may have taken effect; it stays saved.")
        self.path, self.sends = path, sends
