/**
 * Random histories of one project: valid and invalid commands of every caller, at times around every date, with pauses,
 * revisions and the issuance of the record in between. Coverage is counted, so that a walk that reaches nothing fails
 * its test.
 */
import { Result } from "effect"
import fc from "fast-check"
import { moveOf, type Command } from "../../src/projects/decide.ts"
import { partyGuard } from "../../src/projects/guards.ts"
import type { Project } from "../../src/projects/project.ts"
import { canMove } from "../../src/projects/moves.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import {
  agentCaller,
  decideRequest,
  personCaller,
  requestBy,
  projectWithFacts,
  type Caller,
  type ProjectWithFacts
} from "./command-pipeline.ts"
import {
  acceptanceSignBy,
  afterCommand,
  agreementSignBy,
  applyDecision,
  dayOne,
  deadline,
  applyEvent,
  issuedEvent,
  withReservedDecisions,
  projectIn,
  reviewDeadline,
  withSignatures,
  supersede
} from "./project.ts"
import { commandFor, type CommandName } from "./project-commands.ts"
import { agent, dana, lee, member, sam } from "./project-people.ts"
import { applicableFaults, type CommandAttempt } from "./command-faults.ts"

export const allCallers: ReadonlyArray<Caller> = [
  agentCaller(agent(dana)),
  agentCaller(agent(sam)),
  personCaller(dana),
  personCaller(sam),
  personCaller(member),
  personCaller(lee),
  { ...agentCaller(agent(sam)), holds: ["SUBMIT_MATERIALS"] },
  { ...personCaller(member), recordedSide: "BUYER" }
]

export interface Step {
  readonly pick: number
  /** A known command in this state by a permitted caller, any command by any caller, or an act outside the commands. */
  readonly from: "KNOWN" | "ALL" | "BESIDE"
  /** If given, one fault of the command. */
  readonly spoil: number | null
  readonly wait: number
}

/** The current state of a walk: the project, its facts outside the events, and the steps taken. */
export interface Walk {
  readonly world: ProjectWithFacts
  readonly now: Instant
  readonly credits: ReadonlyArray<{ readonly change: number; readonly confirmationId: string | null }>
  readonly trail: ReadonlyArray<WalkRecord>
}

export interface WalkRecord {
  readonly name: string
  readonly before: ProjectWithFacts
  readonly after: ProjectWithFacts
  readonly outcome: string
}

const names = Object.keys(commandFor) as ReadonlyArray<CommandName>

/** Acts outside the commands on this project. */
const otherActs = ["PAUSE", "RESUME", "ANSWER_REVISION", "ACCEPT_REVISION", "GRANT_CREDIT", "ISSUE_NOW"] as const
type OtherAct = (typeof otherActs)[number]

const dates = [agreementSignBy, deadline, acceptanceSignBy, reviewDeadline]

/** Mostly a short step; sometimes exactly a date, or a millisecond after it. */
const waits: ReadonlyArray<(now: Instant) => Instant> = [
  (now) => now,
  (now) => addMilliseconds(now, 1),
  (now) => addMilliseconds(now, 3_600_000),
  (now) => addMilliseconds(now, -500),
  ...dates.map((date) => (now: Instant) => (date > now ? date : now)),
  (now) => (dates.includes(now) ? addMilliseconds(now, 1) : now)
]

const anyStep: fc.Arbitrary<Step> = fc.record({
  pick: fc.nat(10_000),
  from: fc.constantFrom("KNOWN", "KNOWN", "KNOWN", "ALL", "BESIDE"),
  spoil: fc.option(fc.nat(1_000), { freq: 2 }),
  // Time mostly does not advance; otherwise every walk would end at a date.
  wait: fc.nat(waits.length * 6)
})

const withCorrection = (project: Project): Project => {
  const asked = afterCommand(project, commandFor.REVIEW_REQUEST_CHANGES(project))
  return afterCommand(asked, commandFor.SUBMIT(asked))
}

/** The longest histories that still accept a command. */
const long = Array.from({ length: 47 }).reduce<Project>(withCorrection, projectIn("SUBMITTED"))
const longAndAccepted = afterCommand(long, commandFor.REVIEW_ACCEPT(long))

const rarely = fc.constantFrom(false, false, false, true)

/** The start of a walk: any state, any terms, or a nearly full history. */
const anyStart: fc.Arbitrary<ProjectWithFacts> = fc
  .record({
    project: fc.constantFrom(
      projectIn("AWAITING_SUPPLIER"),
      projectIn("AWAITING_SUPPLIER"),
      projectIn("LOCKED"),
      projectIn("SUBMITTED"),
      projectIn("BUYER_CONFIRMED"),
      long,
      longAndAccepted
    ),
    signing: fc.constantFrom(null, "NATIVE" as const, "EXTERNAL" as const),
    kept: fc.constantFrom<ReadonlyArray<"RESPOND" | "REVIEW" | "ACCEPT" | "ISSUE">>(
      [],
      [],
      ["RESPOND", "ISSUE"],
      ["REVIEW"],
      ["ACCEPT"]
    ),
    isRepresentedByAnother: rarely,
    agreedPausedBy: rarely.map((isPaused) => (isPaused ? (["BUYER"] as const) : [])),
    isSignerMissing: rarely
  })
  .map(({ project, signing, kept, ...elsewhere }) => {
    const terms = signing === null ? project : withSignatures(project, signing)
    return projectWithFacts(kept.length === 0 ? terms : withReservedDecisions(terms, ...kept), {
      relatedFacts: { hasOpenRevision: false, ...elsewhere }
    })
  })

export const anyWalk: fc.Arbitrary<Walk> = fc
  .tuple(anyStart, fc.array(anyStep, { minLength: 5, maxLength: 30, size: "max" }))
  .map(([world, steps]) => steps.reduce(walk, { world, now: dayOne, credits: [], trail: [] }))

const walk = (current: Walk, step: Step): Walk => {
  const now = later(waits[step.wait]?.(current.now) ?? current.now)
  const known = step.from === "KNOWN" ? pairsKnown(current.world.project) : []
  const pairs = step.from === "BESIDE" ? otherActPairs : known.length > 0 ? known : allPairs
  const { caller, name } = pairs[step.pick % pairs.length]!
  return isOtherAct(name)
    ? performOtherAct({ ...current, now }, name, caller)
    : send({ ...current, now }, name, caller, step)
}

const later = (now: Instant): Instant => (now < dayOne ? dayOne : now)
const isOtherAct = (name: CommandName | OtherAct): name is OtherAct =>
  (otherActs as ReadonlyArray<string>).includes(name)

interface Pair {
  readonly caller: Caller
  readonly name: CommandName | OtherAct
}

const allPairs: ReadonlyArray<Pair> = allCallers.flatMap((caller) =>
  [...names, ...otherActs].map((name) => ({ caller, name }))
)
const otherActPairs = otherActs.flatMap((name) => [dana, sam].map((by) => ({ caller: personCaller(by), name })))

/** The known commands in this state, each by its permitted callers. */
const pairsKnown = (project: Project): ReadonlyArray<Pair> => {
  // Once for all callers: making a command computes digests.
  const moves = new Map(names.map((name) => [name as string, moveOf(commandFor[name](project), project.state)]))
  return allPairs.filter(({ caller: { by, recordedSide }, name }) => {
    const move = moves.get(name)
    if (move === undefined || recordedSide !== undefined) return false
    return canMove(project.state, move) && partyGuard(project, move, by) === undefined
  })
}

const send = (current: Walk, name: CommandName, caller: Caller, { spoil }: Step): Walk => {
  const { world, now } = current
  const { project } = world
  const command: Command = commandFor[name](project)
  const careful: CommandAttempt = { caller, request: requestBy(caller, command, world), named: undefined }
  const wrong = applicableFaults(careful)
  const attempt = spoil === null ? careful : wrong[spoil % wrong.length]!.spoil(careful)
  const { request, named } = attempt
  const decided = decideRequest(world, attempt.caller, request, now, named === undefined ? {} : { named })
  if (Result.isFailure(decided)) return taken(current, name, world, decided.failure.code)
  const decision = decided.success
  if ("handoff" in decision) return taken(current, name, pausedBy(world, caller), "ACCEPTED")
  if ("revision" in decision && decision.revision.move === "OFFER_REVISION") {
    const relatedFacts = { ...world.relatedFacts, hasOpenRevision: true }
    return taken(current, "OFFER_REVISION", { ...world, relatedFacts }, "ACCEPTED")
  }
  if ("revision" in decision) {
    return taken(
      current,
      "REPLACE_TERMS",
      { ...world, project: applyDecision(project, decision, caller.by, now) },
      "ACCEPTED"
    )
  }
  if ("issuance" in decision) return taken(current, name, { ...world, isIssuanceRequested: true }, "ACCEPTED")
  return taken(current, name, { ...world, project: applyDecision(project, decision, caller.by, now) }, "ACCEPTED")
}

const pausedBy = (world: ProjectWithFacts, { by }: Caller): ProjectWithFacts => ({
  ...world,
  revision: world.revision + 1,
  pauses: [...world.pauses, by.side]
})

const taken = (current: Walk, name: string, world: ProjectWithFacts, outcome: string): Walk => ({
  ...current,
  world,
  trail: [...current.trail, { name, before: current.world, after: world, outcome }]
})

const performOtherAct = (current: Walk, name: OtherAct, caller: Caller): Walk => {
  const { world, now, credits } = current
  const { project, pauses, relatedFacts } = world
  const { side, isPerson } = caller.by
  switch (name) {
    case "PAUSE":
      return isPerson && !pauses.includes(side) ? taken(current, name, pausedBy(world, caller), "ACCEPTED") : current
    case "RESUME": {
      if (!isPerson || !pauses.includes(side)) return current
      const left = pauses.filter((one) => one !== side)
      return taken(current, name, { ...world, revision: world.revision + 1, pauses: left }, "ACCEPTED")
    }
    case "ANSWER_REVISION":
      return taken(current, name, { ...world, relatedFacts: { ...relatedFacts, hasOpenRevision: false } }, "ACCEPTED")
    case "ACCEPT_REVISION":
      return relatedFacts.hasOpenRevision && canMove(project.state, "SUPERSEDE") && side === "SUPPLIER"
        ? taken(current, "SUPERSEDE", { ...world, project: supersede(project, caller.by, now) }, "ACCEPTED")
        : current
    case "GRANT_CREDIT":
      return { ...current, credits: [...credits, { change: 1, confirmationId: null }] }
    case "ISSUE_NOW":
      return issueNow(current)
  }
}

/** Issues the record if it is requested, still valid, and covered by credit: event and debit together. */
const issueNow = (current: Walk): Walk => {
  const { world, now, credits } = current
  const { project, isIssuanceRequested } = world
  const confirmationId = project.confirmation?.confirmationId
  const isCovered = credits.reduce((sum, { change }) => sum + change, 0) > 0
  const stands = project.state === "BUYER_CONFIRMED" && project.recordId === null && isIssuanceRequested
  if (!stands || !isCovered || confirmationId === undefined) return current
  const next = { ...world, project: applyEvent(project, issuedEvent(project), agent(dana), now) }
  return taken({ ...current, credits: [...credits, { change: -1, confirmationId }] }, "ISSUE_NOW", next, "ACCEPTED")
}
