/** The tables of participation: accepted items, assistant credentials and notes. */
import type { Role } from "../access/actions.ts"
import { instant, integer, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { ItemState } from "./item.ts"

export const ParticipationItems = table("participation_items", {
  columns: {
    itemId: text(),
    projectId: text(),
    /** The side of the project that invited. */
    side: text<Role>(),
    invitedBy: text(),
    personId: text(),
    title: text(),
    instructions: text(),
    dueAt: nullable(instant),
    state: text<ItemState>(),
    acceptedAt: instant,
    endedAt: nullable(instant),
    noteCount: integer,
    /** The only credential that can be live; null if there is none. */
    credentialHash: nullable(text())
  },
  key: ["itemId"],
  guard: { lock: "item", by: "itemId" },
  ordered: {
    byPerson: ["personId", "acceptedAt", "itemId"],
    byProject: ["projectId", "side", "acceptedAt", "itemId"]
  }
})

/** Only the hash of a token is stored. */
export const ParticipationCredentials = table("participation_credentials", {
  columns: {
    tokenHash: text(),
    itemId: text(),
    personId: text(),
    /** The session in which it was issued and with which it ends. */
    sessionId: text(),
    createdAt: instant,
    expiresAt: instant
  },
  key: ["tokenHash"],
  guard: { lock: "item", by: "itemId" }
})

export const ParticipationNotes = table("participation_notes", {
  columns: { itemId: text(), sequence: integer, text: text(), at: instant },
  key: ["itemId", "sequence"],
  guard: { lock: "item", by: "itemId" }
})

export type ItemRow = RowOf<typeof ParticipationItems>
export type ParticipationCredentialRow = RowOf<typeof ParticipationCredentials>
export type NoteRow = RowOf<typeof ParticipationNotes>
