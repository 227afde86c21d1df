/** The use cases of people on agreements: the same commands with a person as actor. */
import { Effect } from "effect"
import { membershipIn, type ActingPerson } from "../people/acting-person.ts"
import { inView } from "../ports/storage/run.ts"
import type { TransactionHook } from "../replay/transaction-hook.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { personAsCaller, personViewer } from "./person-caller.ts"
import { commit } from "./commit.ts"
import { commitCreationAsPerson as create } from "./create.ts"
import type { Command, CommandKind } from "./decide.ts"
import { RecordIssuance } from "./issuance.ts"
import type { CreateInput } from "./new-project.ts"
import { notifyOtherSide } from "./notification.ts"
import { planRevision } from "./revise.ts"
import { withReplayFlag, readProjectViewAfterWrite, readProjectView, type ProjectViewer } from "./read-model.ts"
import { findSideMembership, readSideMemberships } from "./representation.ts"
import { traced } from "../vocabulary/traced.ts"

/** The view of the project for a person of one of its sides. */
export const readProjectAsPerson = traced("projects.readAsPerson")(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const memberships = yield* readSideMemberships(reader, by, projectId, now)
    const viewerOf = personViewer(by, memberships, now)
    return asPerson(yield* readProjectView(reader, projectId, Effect.succeed(viewerOf), now))
  })
})

/** Commits an agreement for one of the person's organizations. */
export const createProjectAsPerson = traced("projects.createAsPersonAndView")(function* <
  HookCode extends RefusalCode = never
>(
  by: ActingPerson,
  request: IdempotentRequest,
  input: CreateInput & { readonly organizationId: string },
  companion?: TransactionHook<HookCode>
) {
  const created = yield* create(by, request, input, companion)
  const emailUpdate = created.replayed ? undefined : yield* notifyOtherSide(created.stored, "BUYER")
  return withReplayFlag(
    asPerson(yield* readProjectViewAfterWrite(created.projectId, created.viewerOf)),
    created.replayed,
    emailUpdate
  )
})

export interface PersonCommand<K extends CommandKind> {
  readonly projectId: string
  readonly expectedEventHash: string
  /** The responding organization of a supplier who is a member of several. */
  readonly organizationId?: string
  readonly command: Command<K>
}

/** Runs one command through the pipeline and returns the view after it; of the new project for a revision. */
export const runCommandAsPerson = traced("projects.runCommandAsPerson")(function* <K extends CommandKind>(
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, expectedEventHash, organizationId, command }: PersonCommand<K>
) {
  const membership = yield* findSideMembership(by, projectId, organizationId)
  const result = yield* commit({
    by: personAsCaller(by, membership.membershipId),
    request,
    projectId,
    expectedEventHash,
    automationRevision: null,
    command,
    ...(yield* prepare(command as Command, membership.organizationId))
  })
  if (result.replayed)
    return withReplayFlag(
      asPerson(yield* readProjectViewAfterWrite(result.projectId, () => result.actorOnProject)),
      true,
      undefined
    )
  if (result.isIssuanceRequested) yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
  const emailUpdate = yield* notifyOtherSide(result.stored, result.actorOnProject.by.side)
  return withReplayFlag(
    asPerson(yield* readProjectViewAfterWrite(result.stored.row.projectId, () => result.actorOnProject)),
    false,
    emailUpdate
  )
})

/** Adds the person's side and organization to the view. */
const asPerson = <V>({ viewer, view }: { readonly viewer: ProjectViewer; readonly view: V }) => ({
  role: viewer.by.side,
  organizationId: viewer.organizationId,
  ...view
})

/** Reads a command's inputs before its transaction, which checks them again. */
const prepare = Effect.fnUntraced(function* (command: Command, organizationId: string) {
  if (command.kind === "REVISE") return { revision: yield* planRevision(command.input.terms, organizationId) }
  if (command.kind !== "CHANGE_REPRESENTATIVE") return {}
  const now = yield* currentTime
  const personId = command.input.supplierActorId
  const membership = yield* inView((reader) => membershipIn(reader, personId, organizationId, now))
  return { representative: { personId, membershipId: membership?.membershipId ?? null } }
})
