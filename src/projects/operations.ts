/** The use cases of agents on agreements; each returns the current view of the project. */
import { Effect } from "effect"
import { Caller, readAuthority, requireLive } from "../access/authorize.ts"
import { inView } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { agentAsCaller, agentViewer } from "./agent-caller.ts"
import { commit, type CommandResult, type ProjectCommand } from "./commit.ts"
import { commitCreation as create } from "./create.ts"
import type { Command, CommandKind } from "./decide.ts"
import { RecordIssuance } from "./issuance.ts"
import type { CreateInput } from "./new-project.ts"
import { notifyOtherSide } from "./notification.ts"
import { noRelatedFacts } from "./guard-context.ts"
import { withReplayFlag, readProjectViewAfterWrite, readProjectView, viewReadModel } from "./read-model.ts"
import { traced } from "../vocabulary/traced.ts"

/** The calling agent's view of the project. */
export const readProject = traced("projects.read")(function* (projectId: string) {
  const { view } = yield* inView((reader) => readProjectInScope(reader, projectId))
  return view
})

/** A project in the calling agent's scope, stored and viewed. */
export const readProjectInScope = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const by = yield* Caller
  const now = yield* currentTime
  const authority = yield* requireLive(yield* readAuthority(reader, by, projectId), now)
  if (authority.link === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
  return yield* readProjectView(reader, projectId, agentViewer(reader, projectId, authority, by, now), now)
})

/** Commits a buyer agreement; a replay returns the project of the first request. */
export const createProject = traced("projects.createAndView")(function* (
  request: IdempotentRequest,
  input: CreateInput
) {
  const by = yield* Caller
  const result = yield* create(by, request, input)
  const emailUpdate = result.replayed ? undefined : yield* notifyOtherSide(result.stored, "BUYER")
  const { view } = yield* readProjectViewAfterWrite(result.projectId, () => result.actorOnProject)
  return withReplayFlag(view, result.replayed, emailUpdate)
})

export interface Envelope {
  readonly expectedEventHash: string
  readonly automationRevision: number
}

/** Runs one command through the pipeline and returns the view after it. */
export const runCommand = traced("projects.runCommand")(function* <K extends CommandKind>(
  request: IdempotentRequest,
  projectId: string,
  envelope: Envelope,
  command: Command<K>
) {
  const by = yield* Caller
  const { view, replayed, emailUpdate } = yield* runAgentCommand({
    by: agentAsCaller(by),
    request,
    projectId,
    ...envelope,
    command
  })
  return withReplayFlag(view, replayed, emailUpdate)
})

/** Runs a command of an agent and returns the project after it, stored and viewed. */
export const runAgentCommand = Effect.fnUntraced(function* <K extends CommandKind>(command: ProjectCommand<K>) {
  const { projectId } = command
  const result = yield* commit(command)
  if (result.replayed) {
    return {
      ...(yield* readProjectViewAfterWrite(projectId, () => result.actorOnProject)),
      replayed: true,
      emailUpdate: undefined
    }
  }
  if (result.isIssuanceRequested) yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
  const emailUpdate = yield* notifyOtherSide(result.stored, result.actorOnProject.by.side)
  const { stored, view } = result.isIssuanceRequested
    ? yield* readProjectViewAfterWrite(projectId, () => result.actorOnProject)
    : { stored: result.stored, view: yield* viewOf(result) }
  return { stored, view, replayed: false, emailUpdate }
})

// Related facts matter only to a response to the terms, which is no longer possible here.
const viewOf = ({
  stored,
  issuance,
  isCovered,
  actorOnProject: viewer,
  now
}: Extract<CommandResult, { readonly replayed: false }>) =>
  viewReadModel({ stored, issuance, isCovered, relatedFacts: noRelatedFacts, viewer, now })
