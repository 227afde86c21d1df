/** The use cases on agreements, as agents call them: each answers with the current view of the project. */
import { Effect } from "effect"
import { Caller, mayAct, readAuthority, requireLive, type Authority, type Credential } from "../access/authorize.ts"
import type { Action } from "../access/actions.ts"
import { Installation } from "../ports/installation.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { commit } from "./commit.ts"
import { createProject as create, type CreateInput } from "./create.ts"
import type { Command } from "./decide.ts"
import { readStored } from "./history.ts"
import { readIssuance, RecordIssuance } from "./issuance.ts"
import { viewProject, type Seen } from "./view.ts"

/** The project as the calling agent sees it. */
export const readProject = Effect.fn("projects.read")(function* (projectId: string) {
  const storage = yield* Storage
  const by = yield* Caller
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const now = yield* currentTime
      const authority = yield* requireLive(yield* readAuthority(reader, by, projectId), now)
      if (authority.link === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
      return yield* viewAs(reader, authority, projectId, now)
    })
  )
})

/** Commits a buyer agreement; a replay answers with the project that the first request made. */
export const createProject = Effect.fn("projects.createAndView")(function* (request: Request, input: CreateInput) {
  const by = yield* Caller
  const { projectId, replayed } = yield* create(by, request, input)
  return yield* viewAfter(by, projectId, replayed)
})

export interface Envelope {
  readonly expectedEventHash: string
  readonly automationRevision: number
}

/** Runs one command through the pipeline and answers with the project after it. */
export const runCommand = Effect.fn("projects.runCommand")(function* (
  request: Request,
  projectId: string,
  { expectedEventHash, automationRevision }: Envelope,
  action: Action,
  command: Command
) {
  const by = yield* Caller
  const done = yield* commit({
    by,
    request,
    projectId,
    expectedEventHash,
    automationRevision,
    action,
    command
  })
  if (done.replayed) return yield* viewAfter(by, projectId, true)
  const records = yield* RecordIssuance
  if (done.isIssuanceWanted) {
    yield* records.issue(projectId)
    return yield* viewAfter(by, projectId, false)
  }
  // The transaction has read everything but the credits, which are a hint and under no lock of its own.
  const storage = yield* Storage
  const isCovered = yield* storage.view((reader) => records.isCovered(reader, done.stored.row.buyerOrganizationId))
  return yield* viewOf({ ...done, isCovered })
})

// The command was authorized when it committed; its answer is the current view whatever has ended since.
const viewAfter = Effect.fnUntraced(function* (by: Credential, projectId: string, replayed: boolean) {
  const storage = yield* Storage
  const view = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const now = yield* currentTime
      const authority = yield* readAuthority(reader, by, projectId)
      return authority === undefined ? yield* refuse("AUTH_INVALID") : yield* viewAs(reader, authority, projectId, now)
    })
  )
  return replayed ? { ...view, replayed: true as const } : view
})

const viewAs = Effect.fnUntraced(function* (reader: Reader, authority: Authority, projectId: string, now: Instant) {
  const records = yield* RecordIssuance
  const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)], {
    concurrency: "unbounded"
  })
  if (stored === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
  const isCovered = yield* records.isCovered(reader, stored.row.buyerOrganizationId)
  return yield* viewOf({ authority, stored, issuance, isCovered, now })
})

const viewOf = Effect.fnUntraced(function* ({
  authority,
  stored,
  issuance,
  isCovered,
  now
}: Pick<Seen, "stored" | "issuance" | "isCovered" | "now"> & { readonly authority: Authority }) {
  const { siteUrl } = yield* Installation
  const viewer = {
    role: authority.grant.role,
    mayAct: (action: Action) => mayAct(authority, action, now),
    isPerson: false
  }
  return viewProject({ stored, issuance, isCovered, viewer, now, siteUrl })
})
