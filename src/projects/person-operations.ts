/** The use cases on agreements, as people call them: the same commands, with a person as actor. */
import { Effect } from "effect"
import { membershipIn, type Human } from "../people/human.ts"
import { Storage } from "../ports/storage.ts"
import type { Companion } from "../replay/companion.ts"
import type { Request } from "../replay/replay.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { byPerson, lookAsPerson } from "./by-person.ts"
import { commit } from "./commit.ts"
import { createProjectAsPerson as create } from "./create.ts"
import type { Command } from "./decide.ts"
import { RecordIssuance } from "./issuance.ts"
import type { CreateInput } from "./new-project.ts"
import { notifyOtherSide } from "./notice.ts"
import { planRevision } from "./revise.ts"
import { afterwards, seeAfter, seeProject, type Onlooker } from "./seen.ts"
import { findMembership, standingMemberships } from "./speaker.ts"

/** The project as a person of one of its sides sees it. */
export const readProjectAsPerson = Effect.fn("projects.readAsPerson")(function* (by: Human, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const memberships = yield* standingMemberships(reader, by, projectId, now)
      const lookAs = lookAsPerson(by, memberships, now)
      return asPerson(yield* seeProject(reader, projectId, (stored) => Effect.succeed(lookAs(stored)), now))
    })
  )
})

/** Commits an agreement for one of the person's organizations. */
export const createProjectAsPerson = Effect.fn("projects.createAsPersonAndView")(function* (
  by: Human,
  request: Request,
  input: CreateInput & { readonly organizationId: string },
  companion?: Companion
) {
  const made = yield* create(by, request, input, companion)
  const emailUpdate = made.replayed ? undefined : yield* notifyOtherSide(made.stored, "BUYER")
  return afterwards(asPerson(yield* seeAfter(made.projectId, made.lookAs)), made.replayed, emailUpdate)
})

export interface PersonCommand {
  readonly projectId: string
  readonly expectedEventHash: string
  /** The organization that a supplier answers for, where the person has several. */
  readonly organizationId?: string
  readonly command: Command
}

/** Runs one command through the pipeline and answers with the project after it; a revision with the new one. */
export const runCommandAsPerson = Effect.fn("projects.runCommandAsPerson")(function* (
  by: Human,
  request: Request,
  { projectId, expectedEventHash, organizationId, command }: PersonCommand
) {
  const standing = yield* findMembership(by, projectId, organizationId)
  const done = yield* commit({
    by: byPerson(by, standing.membershipId),
    request,
    projectId,
    expectedEventHash,
    automationRevision: null,
    command,
    ...(yield* prepare(command, standing.organizationId))
  })
  if (done.replayed) return afterwards(asPerson(yield* seeAfter(done.projectId, () => done.entered)), true, undefined)
  if (done.isIssuanceWanted) yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
  const emailUpdate = yield* notifyOtherSide(done.stored, done.entered.by.side)
  return afterwards(asPerson(yield* seeAfter(done.stored.row.projectId, () => done.entered)), false, emailUpdate)
})

/** People are told the side on which they stand, and for which organization. */
const asPerson = <V>({ onlooker, view }: { readonly onlooker: Onlooker; readonly view: V }) => ({
  role: onlooker.by.side,
  organizationId: onlooker.organizationId,
  ...view
})

/** What a command needs to be known before its transaction, which looks at it again. */
const prepare = Effect.fnUntraced(function* (command: Command, organizationId: string) {
  if (command.kind === "REVISE") return { revision: yield* planRevision(command.input.terms, organizationId) }
  if (command.kind !== "CHANGE_REPRESENTATIVE") return {}
  const storage = yield* Storage
  const now = yield* currentTime
  const personId = command.input.supplierActorId
  const membership = yield* storage.view((reader) => membershipIn(reader, personId, organizationId, now))
  return { named: { personId, membershipId: membership?.membershipId ?? null } }
})
