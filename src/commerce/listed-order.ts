/** What a list says of a Result Order: its result, its total, and the other party as the terms name it. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { type ProjectRow, readProjectRow } from "../projects/project-row.ts"
import { readRecordedSide } from "../projects/side-exclusivity.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Member } from "./financial-side.ts"
import type { ResultOrderRow } from "./store.ts"

/** The side of a membership on an order of this project, or undefined for none. */
type SideOf = (project: ProjectRow, membership: Member, now: Instant) => Role | undefined

/**
 * The order as one of these memberships of a person sees it, with its project; undefined if none has a side. A person with
 * a recorded side does not read for the other one.
 */
export const readListedOrder = Effect.fnUntraced(function* (
  reader: Reader,
  { resultOrderId, projectId, terms, offeredAt }: ResultOrderRow,
  memberships: ReadonlyArray<Member>,
  sideOf: SideOf,
  now: Instant
) {
  const [project, recordedSide] = yield* readTogether([
    readProjectRow(reader, projectId),
    readRecordedSide(reader, projectId, memberships[0]!.personId)
  ])
  if (project === undefined) return undefined
  const side = memberships
    .map((membership) => sideOf(project, membership, now))
    .find((one) => one !== undefined && (recordedSide ?? one) === one)
  if (side === undefined) return undefined
  const { currency, amountMinor, buyer, supplier } = parseCanonical(terms)
  const { title } = parseCanonical(project.agreement).terms
  const otherParty = side === "BUYER" ? supplier.name : buyer.name
  return { project, listed: { resultOrderId, title, side, currency, amountMinor, otherParty, offeredAt } }
})
