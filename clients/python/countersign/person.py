"""The person an agent acts for, and what waits for a person."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Protocol

from .outcome import Json


class Person(Protocol):
    def tell(self, text: str, human_url: str | None = None) -> None:
        """Shows a text, and a link where the person can act. Never put a token into the text."""
        ...

    def credential(self) -> str | None:
        """The bearer token that the person gave the agent last; None if there is no way to ask."""
        ...


class PrintingPerson:
    """Prints to standard error; a renewed token comes with the next start."""

    def tell(self, text: str, human_url: str | None = None) -> None:
        print(text, human_url or "", file=sys.stderr)

    def credential(self) -> str | None:
        return None


@dataclass(frozen=True)
class PersonStep:
    """What a person has to do before an action of the agent can take effect."""

    action: str
    decision: str | None
    reason: str
    human_url: str


def person_step(view: Json, action: str, decision: str | None = None) -> PersonStep | None:
    """Why this action waits for a person of either side: a pause, a signature or a reserved decision, a revised date.

    None if it does not.
    """
    if view["automation"]["paused"]:
        reasons = [f"{one['side']}: {one['reason']}" for one in view["automation"]["pausedBy"]]
        return PersonStep(action, decision, " ".join(["Agents are paused here.", *reasons]), view["humanUrl"])
    blocked = [one for one in view["blockedActions"] if one["action"] == action]
    reserved = [
        one
        for one in view["decisionActions"]
        if one["action"] == action and one["decision"] == decision and not one["allowed"]
    ]
    step = next(iter(blocked + reserved), None)
    if step is None or step["nextAction"] not in ("WAIT_FOR_HUMAN", "WAIT_FOR_OTHER_PARTY"):
        return None
    return PersonStep(action, decision, step["reason"] or "A person has to decide first.", step["humanUrl"])
