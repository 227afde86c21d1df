/** Checks of the journal in a Commerce Record: one hash chain of the provider's facts, from the binding to its head. */
import { sha256Hex } from "../canonical/digest.ts"
import { allOf, fail, type Finding, inOrder, pass, same, sameDigest } from "./ledger.ts"
import type { CommerceRecord, JournalEntry } from "./portable-shapes.ts"
import { enclosedPart, type VerifiedJws } from "./verified-objects.ts"

/** The entries of a verified payload with what the checks compare. */
export interface Journal {
  /** The digest of the binding, where the chain starts. */
  readonly start: string
  readonly entries: ReadonlyArray<ReadEntry>
}

interface ReadEntry {
  readonly content: JournalEntry
  /** The digest of the entry without its member `hash`. */
  readonly digest: string
  /** Whether the latest earlier entry of the entity has the same facts. */
  readonly isUnchanged: boolean
}

export const readJournal = (record: VerifiedJws<CommerceRecord>): Journal => {
  const latest = new Map<string, string>()
  const entries = record.content.journal.entries.map((content) => {
    const facts = textOf(content.facts)
    const entity = `${content.component} ${content.entity}`
    const isUnchanged = latest.get(entity) === facts
    latest.set(entity, facts)
    return { content, digest: digestWithoutHash(content), isUnchanged }
  })
  return { start: enclosedPart(record, "binding").digest, entries }
}

/** The digest of an entry, or of another member of a chain inside a verified payload, without its own hash. */
export const digestWithoutHash = (entry: { readonly hash: string }): string => {
  const { hash: _, ...content } = entry
  return sha256Hex(textOf(content))
}

/**
 * The canonical text of a value in a verified payload, whose members were read in canonical order. No member has a name such
 * as `1`, which an object would reorder.
 */
const textOf = (value: unknown): string => JSON.stringify(value)

/** Each entry continues the one before it, the first one the binding: number, hash, content and time. */
export const checkEntry = (
  { content, digest }: ReadEntry,
  { journal }: { readonly journal: Journal },
  index: number
): Finding<null> => {
  const before = journal.entries[index - 1]?.content
  return allOf(
    null,
    [
      same("JOURNAL_SEQUENCE", "sequence", index + 1, content.sequence),
      same("JOURNAL_PREV", "previousHash", before?.hash ?? journal.start, content.previousHash),
      sameDigest("hash", digest, content.hash),
      inOrder("observedAt", before?.observedAt ?? "", content.observedAt)
    ],
    content.hash
  )
}

/** The record pins number and head of its entries, and was signed no earlier than the last of them was observed. */
export const checkJournalHead = (
  { content: { journal, labels, firstCapturedAt, issuedAt } }: VerifiedJws<CommerceRecord>,
  { start }: Journal
): Finding<null> => {
  const { count, head, entries } = journal
  const last = entries.at(-1)
  return allOf(
    null,
    [
      same("JOURNAL_COUNT", "journal.count", entries.length, count),
      same("JOURNAL_COUNT", "labels", entries.length, labels.length),
      same("JOURNAL_HEAD", "journal.head", last?.hash ?? start, head),
      same("JOURNAL_TIME", "firstCapturedAt", entries[0]?.observedAt ?? null, firstCapturedAt),
      inOrder("issuedAt", last?.observedAt ?? "", issuedAt)
    ],
    head
  )
}

/** An entry exists only for changed facts. */
export const checkChange = ({ isUnchanged }: ReadEntry): Finding<null> =>
  isUnchanged ? fail("ENTRY_UNCHANGED", "facts") : pass(null)
