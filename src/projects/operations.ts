/** The use cases on agreements, as agents call them: each answers with the current view of the project. */
import { Effect } from "effect"
import { Caller, readAuthority, requireLive } from "../access/authorize.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { byAgent, lookAsAgent } from "./by-agent.ts"
import { commit, type Committed, type ProjectCommand } from "./commit.ts"
import { createProject as create } from "./create.ts"
import type { Command } from "./decide.ts"
import { RecordIssuance } from "./issuance.ts"
import type { CreateInput } from "./new-project.ts"
import { notifyOtherSide } from "./notice.ts"
import { ordinary } from "./obstacles.ts"
import { afterwards, seeAfter, seeProject, viewSeen } from "./seen.ts"

/** The project as the calling agent sees it. */
export const readProject = Effect.fn("projects.read")(function* (projectId: string) {
  const storage = yield* Storage
  const { view } = yield* storage.view((reader) => seeInScope(reader, projectId))
  return view
})

/** A project that the calling agent reaches, as it is stored and as that agent sees it. */
export const seeInScope = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const by = yield* Caller
  const now = yield* currentTime
  const authority = yield* requireLive(yield* readAuthority(reader, by, projectId), now)
  if (authority.link === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
  return yield* seeProject(reader, projectId, lookAsAgent(reader, authority, by, now), now)
})

/** Commits a buyer agreement; a replay answers with the project that the first request made. */
export const createProject = Effect.fn("projects.createAndView")(function* (request: Request, input: CreateInput) {
  const by = yield* Caller
  const made = yield* create(by, request, input)
  const emailUpdate = made.replayed ? undefined : yield* notifyOtherSide(made.stored, "BUYER")
  const { view } = yield* seeAfter(made.projectId, () => made.entered)
  return afterwards(view, made.replayed, emailUpdate)
})

export interface Envelope {
  readonly expectedEventHash: string
  readonly automationRevision: number
}

/** Runs one command through the pipeline and answers with the project after it. */
export const runCommand = Effect.fn("projects.runCommand")(function* (
  request: Request,
  projectId: string,
  envelope: Envelope,
  command: Command
) {
  const by = yield* Caller
  const { view, replayed, emailUpdate } = yield* carryOut({ by: byAgent(by), request, projectId, ...envelope, command })
  return afterwards(view, replayed, emailUpdate)
})

/** Runs a command of an agent: the project after it, stored and seen. */
export const carryOut = Effect.fnUntraced(function* (command: ProjectCommand) {
  const { projectId } = command
  const done = yield* commit(command)
  if (done.replayed) {
    return { ...(yield* seeAfter(projectId, () => done.entered)), replayed: true, emailUpdate: undefined }
  }
  if (done.isIssuanceWanted) yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
  const emailUpdate = yield* notifyOtherSide(done.stored, done.entered.by.side)
  const { stored, view } = done.isIssuanceWanted
    ? yield* seeAfter(projectId, () => done.entered)
    : { stored: done.stored, view: yield* viewOf(done) }
  return { stored, view, replayed: false, emailUpdate }
})

// The transaction has read everything but the credits, which are a hint and under no lock of its own. What stands
// elsewhere matters only to an answer to terms, and there is none left to give.
const viewOf = Effect.fnUntraced(function* (done: Extract<Committed, { readonly replayed: false }>) {
  const storage = yield* Storage
  const records = yield* RecordIssuance
  const { stored, entered: viewer, issuance, now } = done
  const isCovered = yield* storage.view((reader) => records.isCovered(reader, stored.row.buyerOrganizationId))
  return yield* viewSeen({ stored, issuance, isCovered, circumstances: ordinary, viewer, now })
})
