/** Pause and resume of a project's agents by people. Neither changes the head nor appends an event. */
import { memberLocks, readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { writeAutomation } from "./automation-log.ts"
import { recordSide } from "./side-exclusivity.ts"
import { changedPauses, viewAutomation } from "./pause.ts"
import { findRepresentation, representedSide } from "./representation.ts"
import { Projects } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface AutomationInput {
  readonly projectId: string
  readonly reason: string
}

/** Stops the agents of both sides: no command of an agent commits on the project after the acknowledgement. */
export const pauseProject = (by: ActingPerson, request: IdempotentRequest, input: AutomationInput) =>
  changeAutomation(by, request, input, true)

/** Lifts the pause of the person's side; agents run again when neither side holds a pause. */
export const resumeProject = (by: ActingPerson, request: IdempotentRequest, input: AutomationInput) =>
  changeAutomation(by, request, input, false)

const changeAutomation = traced("projects.changeAutomation")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, reason }: AutomationInput,
  paused: boolean
) {
  yield* requireText("The reason", reason, limits.textCharacters)
  const { personId } = by
  const start = yield* currentTime
  const representation = yield* inView((reader) => findRepresentation(reader, personId, projectId, start))
  if (representation === undefined) return yield* refuse("FORBIDDEN")
  const { membershipId, side } = representation
  const locks = [...memberLocks(by, membershipId), exclusive("project", projectId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [membership, row, earlier] = yield* readTogether([
      readMembership(transaction, membershipId),
      transaction.get(Projects, [projectId]),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (row === undefined || membership === undefined || representedSide(row, membership, now) !== side) {
      return yield* refuse("FORBIDDEN")
    }
    if (yield* isReplay(earlier, request)) {
      return { projectId, automation: viewAutomation(row.automationRevision, row.pauses), replayed: true }
    }
    const change = { paused, side, by: personId, reason, at: now }
    const pauses = changedPauses(row.pauses, change)
    if (pauses === undefined) {
      return yield* refuse("STATE_CONFLICT", {
        detail: paused ? "This side has already paused the project." : "This side holds no pause."
      })
    }
    yield* recordSide(transaction, { projectId, personId, side })
    const { automationRevision } = yield* writeAutomation(transaction, row, pauses, change)
    yield* recordRequest(transaction, request, projectId, now)
    return { projectId, automation: viewAutomation(automationRevision, pauses), replayed: false }
  })
})
