/** The commands of people on Result Orders: what the pipeline checks and writes of each. */
import { Effect, type Result } from "effect"
import type { Role } from "../access/actions.ts"
import { memberLocks, type ActingPerson } from "../people/acting-person.ts"
import { commitCommand, noPreconditions, type CommandChecks, type LockedContext } from "../pipeline/pipeline.ts"
import { readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { readPersonAuthority, type PersonAuthority } from "../projects/person-authority.ts"
import { readProjectRow, type ProjectRow } from "../projects/project-row.ts"
import { takeSide, readRecordedSide } from "../projects/side-exclusivity.ts"
import { readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { Occurrence } from "./financial-event.ts"
import { managingSide } from "./financial-side.ts"

/** A command on an order, or the offer of one; its subject is what it decides on, read under the project's lock. */
export interface FinancialCommand<Subject, Decision, Refused, Applied, NotApplied, Reads, Needs> {
  readonly projectId: string
  /** The membership under which the person acts, which is checked again under its lock. */
  readonly membershipId: string
  readonly side: Role
  /** True for a stop control. */
  readonly urgent: boolean
  readonly read: (transaction: Transaction) => Effect.Effect<Subject | undefined, never, Reads>
  /** A command is never dated earlier than this. */
  readonly notBefore: (subject: Subject) => Instant
  /** False where the plan of the command is outdated: facts that were read before the transaction have changed. */
  readonly isPlanCurrent: (subject: Subject) => boolean
  /** Undefined where the command has to be planned again. */
  readonly decide: (
    subject: Subject,
    context: { readonly row: ProjectRow; readonly at: Instant }
  ) => Result.Result<Decision | undefined, Refused>
  readonly apply: (
    transaction: Transaction,
    decided: {
      readonly subject: Subject
      readonly row: ProjectRow
      readonly decision: Decision
      readonly occurrence: Occurrence
    }
  ) => Effect.Effect<Applied, NotApplied, Needs>
}

/** The order that a command made or changed. */
interface OrderResult {
  readonly resultOrderId: string
}

/** Commits a command of a person, or finds the order of its replay; undefined where it has to be planned again. */
export const commitFinancialCommand = Effect.fnUntraced(function* <
  Subject,
  Decision,
  Refused,
  Applied extends OrderResult,
  NotApplied,
  Reads,
  Needs
>(
  by: ActingPerson,
  request: IdempotentRequest,
  command: FinancialCommand<Subject, Decision, Refused, Applied, NotApplied, Reads, Needs>
) {
  const { projectId, membershipId, side, urgent } = command
  const locks = {
    locks: memberLocks(by, membershipId),
    deferred: [exclusive("project", projectId)],
    urgent
  }
  const committed = yield* commitCommand(locks, checksOf(by, request, command), {
    apply: (transaction, { context: { row, subject, recordedSide }, actor, decision, at }) =>
      Effect.andThen(
        takeSide(transaction, row, recordedSide, { personId: actor.personId, side }),
        command.apply(transaction, {
          subject,
          row,
          decision,
          occurrence: { by: { requestId: request.requestId, actor }, now: at }
        })
      ),
    record: (transaction, { resultOrderId }, now) => recordRequest(transaction, request, resultOrderId, now)
  })
  if (committed._tag === "Outdated") return undefined
  return committed._tag === "Replayed"
    ? // A replayed request was recorded, with its order.
      {
        replayed: true as const,
        resultOrderId: committed.context.earlierRequest!.target,
        subject: committed.context.subject
      }
    : { replayed: false as const, resultOrderId: committed.result.resultOrderId, applied: committed.result }
})

interface FinancialContext<Subject> extends LockedContext {
  readonly row: ProjectRow
  readonly subject: Subject
  readonly recordedSide: Role | undefined
}

/** No command heeds a pause: only people act here. The preconditions of an order are part of its decision. */
const checksOf = <Subject, Decision, Refused, Applied, NotApplied, Reads, Needs>(
  by: ActingPerson,
  request: IdempotentRequest,
  command: FinancialCommand<Subject, Decision, Refused, Applied, NotApplied, Reads, Needs>
): CommandChecks<
  PersonAuthority,
  FinancialContext<Subject>,
  { readonly personId: string; readonly organizationId: string },
  Decision,
  Refused,
  Reads
> => ({
  request,
  readAuthority: (transaction) => readPersonAuthority(transaction, by, command.membershipId),
  lockAndRead: Effect.fnUntraced(function* (transaction, { personId }) {
    const { projectId } = command
    yield* transaction.lock(exclusive("project", projectId))
    const [row, earlierRequest, recordedSide, subject] = yield* readTogether([
      readProjectRow(transaction, projectId),
      readStoredRequest(transaction, request),
      readRecordedSide(transaction, projectId, personId),
      command.read(transaction)
    ])
    return row === undefined || subject === undefined ? undefined : { row, subject, earlierRequest, recordedSide }
  }),
  requireActor: ({ personId, organizationId, membership }, { row, recordedSide }, now) => {
    const side = membership === undefined ? undefined : managingSide(row, membership, now)
    const isOther = recordedSide !== undefined && recordedSide !== side
    if (side === undefined || isOther) return refuse("FORBIDDEN", { detail: noAuthority })
    return side === command.side
      ? Effect.succeed({ personId, organizationId })
      : refuse("FORBIDDEN", { detail: otherSide[side] })
  },
  isPlanCurrent: ({ subject }) => command.isPlanCurrent(subject),
  ...noPreconditions,
  // Clocks of two servers may differ.
  timeOf: ({ context }, now) => later(later(now, context.row.lastEventAt), command.notBefore(context.subject)),
  decide: ({ row, subject }, _, at) => Effect.fromResult(command.decide(subject, { row, at }))
})

const noAuthority =
  "Result Orders are for members of the buyer, and for the supplier's representative, with the authority FINANCIAL_MANAGE."
const otherSide: { readonly [R in Role]: string } = {
  BUYER: "Only the supplier's representative can offer and withdraw a Result Order.",
  SUPPLIER: "Only the buyer can approve, decline and pay a Result Order."
}
