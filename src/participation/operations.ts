/** Operations of a participation assistant: reading its one item and adding notes to it (5.7). */
import { Context, Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isToken } from "../vocabulary/token.ts"
import { findLiveCredential } from "./credential.ts"
import { ParticipationCredentials, ParticipationItems, ParticipationNotes } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The calling assistant, whose credential was live when the request arrived. */
export class Assistant extends Context.Service<
  Assistant,
  { readonly tokenHash: string; readonly itemId: string; readonly personId: string }
>()("countersign/participation/Assistant") {}

/** Authenticates a token as its assistant. Only the person's own requests extend the session. */
export const authenticateAssistant = traced("participation.authenticate")(function* (token: string) {
  if (!isToken("participation", token)) return yield* refuse("AUTH_INVALID")
  const now = yield* currentTime
  const hash = (yield* Secrets).tokenHash(token)
  return yield* inView(function* (reader) {
    const row = yield* reader.get(ParticipationCredentials, [hash])
    if (row === undefined) return yield* refuse("AUTH_INVALID")
    const { itemId, personId } = row
    const assistant = { tokenHash: hash, itemId, personId }
    yield* requireLiveItem(reader, assistant, now)
    return assistant
  })
})

/** The item with its notes, and nothing of its project. */
export const readItem = traced("participation.readItem")(function* () {
  const assistant = yield* Assistant
  const now = yield* currentTime
  return yield* inView((reader) =>
    readTogether({ item: requireLiveItem(reader, assistant, now), notes: readNotes(reader, assistant.itemId) })
  )
})

/** Adds a note, which is untrusted text of a program. */
export const addNote = traced("participation.addNote")(function* (request: IdempotentRequest, text: string) {
  const assistant = yield* Assistant
  const { itemId, personId } = assistant
  // The item lock excludes its end, the person lock the end of the session.
  const locks = [shared("person", personId), exclusive("item", itemId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    const { noteCount } = yield* requireLiveItem(transaction, assistant, now)
    if (yield* isReplay(earlier, request)) {
      const note = yield* transaction.get(ParticipationNotes, [itemId, Number(earlier!.target)])
      return { note: note!, replayed: true }
    }
    if (noteCount >= limits.notesPerItem) return yield* refuse("NOTE_LIMIT")
    const note = { itemId, sequence: noteCount + 1, text, at: now }
    yield* transaction.insert(ParticipationNotes, note)
    yield* transaction.update(ParticipationItems, [itemId], { noteCount: note.sequence })
    yield* recordRequest(transaction, request, String(note.sequence), now)
    return { note, replayed: false }
  })
})

const requireLiveItem = Effect.fnUntraced(function* (
  reader: Reader,
  { tokenHash, itemId }: Assistant["Service"],
  now: Instant
) {
  const live = yield* findLiveCredential(reader, tokenHash, itemId, now)
  return live === undefined ? yield* refuse("AUTH_INVALID") : live.item
})

/** In order of creation. */
export const readNotes = (reader: Reader, itemId: string) =>
  reader.range(ParticipationNotes, "key", { prefix: [itemId], limit: limits.notesPerItem })
