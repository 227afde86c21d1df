/** Checks of the six components of a Commerce status against each other, and against the entries of the record. */
import { allOf, type Finding, pass, same } from "./ledger.ts"
import { type CommerceStatus, type JournalEntry, type StatusObservation } from "./portable-shapes.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** An observation with what its component states. */
export interface PlacedObservation {
  readonly component: JournalEntry["component"]
  readonly lastObservedAt: string | null
  readonly observation: StatusObservation
}

/** Every observation, in the order of the components. */
export const observationsIn = ({ components }: CommerceStatus): ReadonlyArray<PlacedObservation> =>
  components.flatMap(({ component, lastObservedAt, observations }) =>
    observations.map((observation) => ({ component, lastObservedAt, observation }))
  )

/** `entries`: of the record; none where it is absent. */
export const checkComponents = (status: CommerceStatus, entries: ReadonlyArray<JournalEntry>): Finding<null> => {
  const { components, issuedAt, latest } = status
  const placed = observationsIn(status)
  const names = new Set(placed.map(({ component, observation }) => `${component} ${observation.entity}`))
  const inOrder = placed.map(({ observation }) => observation).toSorted((one, other) => one.sequence - other.sequence)
  const last = inOrder.at(-1)
  return allOf(null, [
    ...components.map((one, index) => checkTimes(one, issuedAt, `components[${index}]`)),
    same("STATUS_VALUE", "components", placed.length, names.size),
    same("STATUS_VALUE", "components", placed.length, new Set(inOrder.map(({ sequence }) => sequence)).size),
    // The last entry of a journal is the latest of its entity.
    same("STATUS_VALUE", "latest.count", last?.sequence ?? 0, latest.count),
    last === undefined ? pass(null) : same("STATUS_VALUE", "latest.head", last.hash, latest.head),
    same("STATUS_TIME", "components", true, areTimesInOrder(inOrder)),
    same(
      "STATUS_VALUE",
      "components",
      true,
      entries.every((entry) => names.has(`${entry.component} ${entry.entity}`))
    )
  ])
}

/** The window of one component begins with its last read, which is not later than the status, nor earlier than an observation. */
const checkTimes = (
  { lastObservedAt, expiresAt, observations }: CommerceStatus["components"][number],
  issuedAt: string,
  at: string
): Finding<null> => {
  if (lastObservedAt === null || expiresAt === null) {
    return allOf(null, [
      same("STATUS_VALUE", `${at}.expiresAt`, lastObservedAt, expiresAt),
      same("STATUS_VALUE", `${at}.observations`, 0, observations.length)
    ])
  }
  const windowMs = Date.parse(expiresAt) - Date.parse(lastObservedAt)
  return allOf(null, [
    same("STATUS_TIME", `${at}.expiresAt`, verifierLimits.commerceWindowMs, windowMs),
    same("STATUS_TIME", `${at}.lastObservedAt`, false, lastObservedAt > issuedAt),
    same(
      "STATUS_TIME",
      `${at}.observations`,
      true,
      observations.every(({ observedAt }) => observedAt <= lastObservedAt)
    )
  ])
}

const areTimesInOrder = (observations: ReadonlyArray<StatusObservation>): boolean =>
  observations.every(({ observedAt }, index) => (observations[index - 1]?.observedAt ?? "") <= observedAt)
