"""The ids of the webhook events that an agent has reported, also in earlier runs, so that a duplicate is recognized."""

from __future__ import annotations

import threading

from .store import FolderStore

# A text that is written as a whole has this many ids at most.
IDS_KEPT = 10_000
NAME = "webhook-events"


class EventIds:
    """One line for each id, appended as it is reported.

    The text is written as a whole, with the newest 10,000 ids, before the first line that a run appends, after an append
    that failed, and when it has 20,000.
    """

    def __init__(self, store: FolderStore) -> None:
        self._store, self._lock = store, threading.Lock()
        # None until they are read; a dict, since a set keeps no order.
        self._known: dict[str, None] | None = None
        # True where the text may have a part of a line, a line that is not known, or too many.
        self._is_text_outdated = True

    @staticmethod
    def of(store: FolderStore) -> EventIds:
        """Those of a store: the same for every client that uses it."""
        with _lock:
            if store.event_ids is None:
                store.event_ids = EventIds(store)
            return store.event_ids

    def has(self, id: str) -> bool:
        with self._lock:
            return id in self._read()

    def add(self, id: str) -> bool:
        """Saves an id; False if it was known. One at a time, so that of two duplicates one is new. After a failure it is not known."""
        with self._lock:
            if id in self._read():
                return False
            known = self._write_outdated()
            self._is_text_outdated = True
            self._store.append(NAME, id)
            known[id] = None
            self._is_text_outdated = len(known) >= 2 * IDS_KEPT
            return True

    def _read(self) -> dict[str, None]:
        if self._known is None:
            # A crash can leave a part of a line at the end.
            self._known = newest_of((self._store.read(NAME) or "").split("\n")[:-1])
        return self._known

    def _write_outdated(self) -> dict[str, None]:
        known = self._read()
        if self._is_text_outdated:
            known = self._known = newest_of(list(known))
            self._store.write(NAME, "".join(f"{id}\n" for id in known))
        return known


def newest_of(ids: list[str]) -> dict[str, None]:
    return dict.fromkeys(ids[-IDS_KEPT:])


_lock = threading.Lock()
