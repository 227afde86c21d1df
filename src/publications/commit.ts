/** The commands on publications: what the pipeline checks and writes of each. They append no event to the project. */
import { Effect, type Result } from "effect"
import type { Role } from "../access/actions.ts"
import { memberLocks, type ActingPerson } from "../people/acting-person.ts"
import { commitCommand, noPreconditions, type CommandChecks, type LockedContext } from "../pipeline/pipeline.ts"
import { readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { readPersonAuthority, type PersonAuthority } from "../projects/person-authority.ts"
import { readProjectRow, type ProjectRow } from "../projects/project-row.ts"
import { findSideMembership } from "../projects/representation.ts"
import { takeSide, readRecordedSide } from "../projects/side-exclusivity.ts"
import { findRecordOfProject } from "../records/issued-record.ts"
import { publishingSide } from "../records/publishing-side.ts"
import { readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { publicationMoves, type PublicationAct } from "./publication.ts"
import { Publications, type PublicationRow } from "./store.ts"

/** The result of a project with all of its publications, oldest first. */
export interface ProjectPublications {
  readonly row: ProjectRow
  readonly record: Effect.Success<ReturnType<typeof findRecordOfProject>>
  readonly publications: ReadonlyArray<PublicationRow>
}

/** The publications of a project, with its row and record; undefined for an unknown project. Reads no history. */
export const readProjectPublications = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const [row, record, publications] = yield* readTogether([
    readProjectRow(reader, projectId),
    findRecordOfProject(reader, projectId),
    reader.range(Publications, "byProject", { prefix: [projectId], limit: limits.publicationsPerResult })
  ])
  return row === undefined ? undefined : ({ row, record, publications } satisfies ProjectPublications)
})

/** A person as actor on the publications of a project. */
export interface PublicationActor {
  readonly personId: string
  readonly side: Role
}

/** A command on the publications of a project; its decision is what it changes or publishes. */
interface PublicationCommand<Decision extends object, Refused, NotApplied, Needs> {
  readonly act: PublicationAct
  readonly projectId: string
  readonly decide: (published: ProjectPublications) => Result.Result<Decision, Refused>
  readonly apply: (
    transaction: Transaction,
    decided: {
      readonly published: ProjectPublications
      readonly actor: PublicationActor
      readonly decision: Decision
      readonly at: Instant
    }
  ) => Effect.Effect<PublicationRow, NotApplied, Needs>
}

/** Commits a command of a person, or finds the publication of its replay, with the state of the project. */
export const commitPublicationCommand = traced("publications.commit")(function* <
  Decision extends object,
  Refused,
  NotApplied,
  Needs
>(by: ActingPerson, request: IdempotentRequest, command: PublicationCommand<Decision, Refused, NotApplied, Needs>) {
  const { act, projectId } = command
  const { membershipId } = yield* findSideMembership(by, projectId)
  const locks = {
    locks: memberLocks(by, membershipId),
    deferred: [exclusive("project", projectId)],
    urgent: act === "WITHDRAW"
  }
  const committed = yield* commitCommand(locks, checksOf(by, membershipId, request, command), {
    apply: (transaction, { context, actor, decision, at }) =>
      Effect.andThen(
        takeSide(transaction, context.row, context.recordedSide, actor),
        command.apply(transaction, { published: context, actor, decision, at })
      ),
    record: (transaction, { publicationId }, now) => recordRequest(transaction, request, publicationId, now)
  })
  if (committed._tag === "Outdated") return yield* Effect.die("a command on publications is never planned again")
  const { actor, context } = committed
  const replayed = committed._tag === "Replayed"
  // A replayed request was recorded, with the publication that it made or changed.
  const publication = replayed ? publicationIn(context, context.earlierRequest!.target)! : committed.result
  return { publication, projectState: context.row.state, side: actor.side, replayed }
})

export const publicationIn = ({ publications }: ProjectPublications, publicationId: string) =>
  publications.find((publication) => publication.publicationId === publicationId)

interface PublicationContext extends ProjectPublications, LockedContext {
  readonly recordedSide: Role | undefined
}

/** Every command takes its preconditions from the publication, and none heeds a pause: only people act here. */
const checksOf = <Decision extends object, Refused, NotApplied, Needs>(
  by: ActingPerson,
  membershipId: string,
  request: IdempotentRequest,
  { act, projectId, decide }: PublicationCommand<Decision, Refused, NotApplied, Needs>
): CommandChecks<PersonAuthority, PublicationContext, PublicationActor, Decision, Refused, never> => ({
  request,
  readAuthority: (transaction) => readPersonAuthority(transaction, by, membershipId),
  lockAndRead: Effect.fnUntraced(function* (transaction, { personId }) {
    yield* transaction.lock(exclusive("project", projectId))
    const [published, earlierRequest, recordedSide] = yield* readTogether([
      readProjectPublications(transaction, projectId),
      readStoredRequest(transaction, request),
      readRecordedSide(transaction, projectId, personId)
    ])
    return published === undefined ? undefined : { ...published, earlierRequest, recordedSide }
  }),
  requireActor: ({ personId, membership }, { row, recordedSide }, now) => {
    const side = membership === undefined ? undefined : publishingSide(row, membership, now)
    if (side === undefined) return refuse("FORBIDDEN", { detail: noAuthority })
    if (recordedSide !== undefined && recordedSide !== side) return refuse("FORBIDDEN", { detail: actedForOtherSide })
    return publicationMoves[act].by.includes(side)
      ? Effect.succeed({ personId, side })
      : refuse("FORBIDDEN", { detail: otherSide[side] })
  },
  isPlanCurrent: () => true,
  ...noPreconditions,
  timeOf: ({ context }, now) => timeOf(context, now),
  decide: (context) => Effect.fromResult(decide(context))
})

const noAuthority =
  "Publications are for members of the buyer, and for the supplier's representative, with the authority PUBLICATION_MANAGE; ask an owner of the organization for it."
const actedForOtherSide = "You acted for the other side of this project; another member must act."
const otherSide: { readonly [R in Role]: string } = {
  BUYER: "Only the supplier's representative can propose a publication; ask that person.",
  SUPPLIER: "Only the buyer can approve a publication; ask the buyer."
}

/** Clocks of two servers may differ: no act is earlier than the history of the project, or than an act before it. */
const timeOf = ({ row, publications }: ProjectPublications, now: Instant): Instant =>
  publications.map(changedAt).reduce(later, later(now, row.lastEventAt))

const changedAt = ({ proposedAt, approvedAt, withdrawnAt }: PublicationRow): Instant =>
  withdrawnAt ?? approvedAt ?? proposedAt
