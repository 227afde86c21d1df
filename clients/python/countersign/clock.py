"""Time as the client sees it, so that an agent can also run in a simulated world."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970."""
        ...

    def wait(self, seconds: float) -> None: ...

    def wait_for_news(self, seconds: float) -> None:
        """Ends after so long, or earlier once `notify` was called since the last of these waits."""
        ...

    def notify(self) -> None:
        """A webhook arrived: a wait for news ends. Called from any thread."""
        ...


class SystemClock:
    """The clock of this machine."""

    def __init__(self) -> None:
        self._news = threading.Event()

    def now(self) -> float:
        return time.time()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def wait_for_news(self, seconds: float) -> None:
        self._news.wait(seconds)
        self._news.clear()

    def notify(self) -> None:
        self._news.set()
