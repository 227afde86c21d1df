/** The checks that every command passes, in the documented order, over a project in memory. */
import { Result } from "effect"
import { isForRole, type Role } from "../../src/access/actions.ts"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { authorityForAct, isAction } from "../../src/projects/acts.ts"
import type { Act } from "../../src/projects/moves.ts"
import { actOf, decide, moveOf, type Command } from "../../src/projects/decide.ts"
import { partyGuard, pauseGuard, historyLimitGuard } from "../../src/projects/guards.ts"
import { noRelatedFacts, type PartyActor, type RelatedFacts } from "../../src/projects/guard-context.ts"
import type { Project } from "../../src/projects/project.ts"
import type { Decision, DecisionContext, RepresentativeFacts } from "../../src/projects/requirements.ts"
import { signerFor } from "../../src/projects/signing.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { type RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { refusal, type Refusal } from "../../src/vocabulary/refusals.ts"
import { decisionInputAt } from "./project.ts"

/** A project with its facts outside the events. */
export interface ProjectWithFacts {
  readonly project: Project
  readonly revision: number
  readonly pauses: ReadonlyArray<Role>
  readonly isIssuanceRequested: boolean
  readonly relatedFacts: RelatedFacts
}

export const projectWithFacts = (project: Project, changes: Partial<ProjectWithFacts> = {}): ProjectWithFacts => ({
  project,
  revision: 0,
  pauses: [],
  isIssuanceRequested: false,
  relatedFacts: noRelatedFacts,
  ...changes
})

/** The caller: an agent with its actions, or a person with their authorities. */
export interface Caller {
  readonly by: PartyActor
  readonly holds: ReadonlyArray<string>
  /** The side recorded for the person before. */
  readonly recordedSide?: Role
  readonly isSignedInLately?: boolean
}

/** An agent that has every action of its side. */
export const agentCaller = (by: PartyActor): Caller => ({
  by,
  holds: ["RESPOND_TERMS", "SUBMIT_MATERIALS", "REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"]
    .concat("REQUEST_DATE_CHANGE", "RAISE_CONCERN")
    .filter((action) => isForRole(action as "RESPOND_TERMS", by.side))
})

/** A person with every authority. */
export const personCaller = (by: PartyActor, held: ReadonlyArray<Authority> = authorities): Caller => ({
  by,
  holds: held
})

/** Whether the caller has the right to the act, regardless of the state. */
export const mayAct = ({ by, holds }: Caller, act: Act | "HANDOFF", project: Project): boolean => {
  if (!by.isPerson) return act === "HANDOFF" ? holds.length > 0 : isAction(act) && holds.includes(act)
  if (act === "HANDOFF") return false
  const isNamedSigner =
    project.agreement.terms.signing?.method === "NATIVE" && signerFor(project, by.side) === by.personId
  const authority = authorityForAct(act, by.side, isNamedSigner)
  return authority === null || holds.includes(authority)
}

/** A command as sent; people send no revision. */
export interface CommandRequest {
  readonly command: Command
  readonly expectedEventHash: string
  readonly automationRevision: number | null
}

/** The request of a careful client. */
export const requestBy = (
  { by }: Caller,
  command: Command,
  { project, revision }: ProjectWithFacts
): CommandRequest => ({
  command,
  expectedEventHash: project.head,
  automationRevision: by.isPerson ? null : revision
})

interface DecisionFacts {
  readonly named?: RepresentativeFacts
  readonly firstId?: number
}

/** The decision on a command, or the first refusal in the documented order. */
export const decideRequest = (
  world: ProjectWithFacts,
  caller: Caller,
  { command, expectedEventHash, automationRevision }: CommandRequest,
  now: Instant,
  { named, firstId = 10 * world.project.events.length }: DecisionFacts = {}
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    const { project, revision, pauses, isIssuanceRequested, relatedFacts } = world
    const { by } = caller
    const move = moveOf(command, project.state)
    const isInOwnName =
      command.kind !== "RESPOND" || (command.input.actorId === by.personId && command.input.actorRole === by.side)
    const isOther = caller.recordedSide !== undefined && caller.recordedSide !== by.side
    const forbidden = move === undefined ? undefined : partyGuard(project, move, by)
    if (isOther || !isInOwnName || forbidden !== undefined || !mayAct(caller, actOf(command), project)) {
      return yield* fail(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")
    }
    if (isSignedHere(command) && caller.isSignedInLately === false) return yield* fail("RECENT_SIGN_IN_REQUIRED")
    const paused = pauseGuard(pauses.length > 0, move, { by, relatedFacts })
    if (paused !== undefined) return yield* Result.fail(paused)
    if (automationRevision !== null && automationRevision !== revision) {
      return yield* fail("AGENT_CHANGED_REFRESH_REQUIRED")
    }
    if (expectedEventHash !== project.head) return yield* fail("STALE_EVENT_HEAD")
    const full = move === undefined ? undefined : historyLimitGuard(project, move)
    if (full !== undefined) return yield* Result.fail(full)
    const changes: Partial<DecisionContext> = {
      isIssuanceRequested,
      relatedFacts,
      ...(named === undefined ? {} : { named })
    }
    return yield* decide(project, command, decisionInputAt(now, by, changes, firstId))
  })

const fail = (code: RefusalCode) => Result.fail(refusal(code))

const isSignedHere = (command: Command): boolean =>
  (command.kind === "SIGN" || command.kind === "REVIEW") && command.input.signature?.method === "NATIVE"
