"""Where a client keeps what it has to know after a restart: requests without an answer, checkpoints, secrets."""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .event_ids import EventIds


class FolderStore:
    """What a client has to know after a restart: one durable file for each text, readable by its owner only.

    After a crash in `write` a text is the old one or the new one. One folder for each agent, one store for each folder, in
    one process at a time. Tokens and secrets are in it as plain text.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        # Those of all clients that use this store.
        self.event_ids: EventIds | None = None

    def read(self, name: str) -> str | None:
        try:
            with open(self._file_of(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name: str, text: str) -> None:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        file = self._file_of(name)
        # Of its own for each call: two threads can write one name at once.
        temporary = f"{file}.{uuid.uuid4()}.new"
        opened = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(opened, "w", encoding="utf-8") as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())
        os.replace(temporary, file)
        self._sync_folder()

    def append(self, name: str, line: str) -> None:
        """Adds a line to the text; durable afterwards. A crash can leave a part of the line, without its end."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        opened = os.open(self._file_of(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(opened, "a", encoding="utf-8") as written:
            is_new = os.fstat(written.fileno()).st_size == 0
            written.write(f"{line}\n")
            written.flush()
            os.fsync(written.fileno())
        if is_new:
            self._sync_folder()

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._file_of(name))

    def names(self, start: str) -> list[str]:
        """The names that begin with this, sorted."""
        if not os.path.isdir(self._folder):
            return []
        files = (file for file in os.listdir(self._folder) if file.startswith(start) and file.endswith(".json"))
        return sorted(file.removesuffix(".json") for file in files)

    def _sync_folder(self) -> None:
        """A rename or a new file is durable once the folder is."""
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _file_of(self, name: str) -> str:
        if re.fullmatch(r"[\w-]{1,100}", name, re.ASCII) is None:
            raise ValueError(f'{name}: a name has letters, digits, "_" and "-" only')
        return os.path.join(self._folder, f"{name}.json")
