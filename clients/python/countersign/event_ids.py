"""The ids of the webhook events that an agent has reported, also in earlier runs, so that a duplicate is recognized."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from .store import FolderStore

IDS_MAX = 10_000
NAME = "webhook-events"


class EventIds:
    """One line for each id, appended as it is reported. A start leaves the newest 10,000, as does every further 10,000."""

    def __init__(self, store: FolderStore) -> None:
        self._store, self._lock = store, threading.Lock()
        # None until they are read.
        self._known: set[str] | None = None

    @staticmethod
    def of(store: FolderStore) -> EventIds:
        """Those of a store: the same for every client that uses it."""
        with _lock:
            return _ids_of_stores.setdefault(store, EventIds(store))

    def has(self, id: str) -> bool:
        with self._lock:
            return id in self._read()

    def add(self, id: str) -> bool:
        """Saves an id; False if it was known. One at a time, so that of two duplicates one is new."""
        with self._lock:
            known = self._read()
            if id in known:
                return False
            # After a failure the text may end with a part of a line, which the next reading removes.
            self._known = None
            self._store.append(NAME, id)
            if len(known) + 1 < 2 * IDS_MAX:
                known.add(id)
                self._known = known
            return True

    def _read(self) -> set[str]:
        if self._known is None:
            # A crash can leave a part of a line at the end.
            lines = (self._store.read(NAME) or "").split("\n")[:-1][-IDS_MAX:]
            self._store.write(NAME, "".join(f"{line}\n" for line in lines))
            self._known = set(lines)
        return self._known


_lock = threading.Lock()
_ids_of_stores: WeakKeyDictionary[FolderStore, EventIds] = WeakKeyDictionary()
