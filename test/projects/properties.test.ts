import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { chainHash } from "../../src/canonical/chain.ts"
import { possibilities } from "../../src/projects/acts.ts"
import { projectFrom } from "../../src/projects/evolve.ts"
import { hintsFor, type HintContext } from "../../src/projects/hints.ts"
import { partyGuard } from "../../src/projects/guards.ts"
import { states } from "../../src/projects/project.ts"
import type { MoveName } from "../../src/projects/moves.ts"
import { rowNames } from "../support/move-table.ts"
import { decideRequest, mayAct, requestBy, type Caller, type ProjectWithFacts } from "../support/command-pipeline.ts"
import { commandFor, type CommandName } from "../support/project-commands.ts"
import { anyWalk, allCallers, type Walk } from "../support/random-walk.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const walks = fc.sample(anyWalk, { numRuns: 900, seed: 20260101 })

/** The same seeded sequences for every property, so that a failure is reproducible. */
const forEachWalk = (property: (walk: Walk) => void) => () => {
  for (const walk of walks) property(walk)
}

const terminal: ReadonlyArray<string> = ["SUPPLIER_DECLINED", "BUYER_REJECTED", "CONFIRMATION_WITHDRAWN", "SUPERSEDED"]

describe("invariants of random command sequences", () => {
  it(
    "Events form a hash chain with monotonic timestamps.",
    forEachWalk(({ world: { project } }) => {
      let previous = project.agreementDigest
      let earliest = ""
      for (const [index, { hash, ...event }] of project.events.entries()) {
        assert.deepStrictEqual([event.previous, event.sequence], [previous, index + 1])
        assert.isTrue(event.occurredAt >= earliest)
        previous = hash
        earliest = event.occurredAt
      }
      assert.strictEqual(project.head, previous)
      const last = project.events.at(-1)!
      const { hash, ...payload } = last
      assert.strictEqual(hash, chainHash(payload))
    })
  )

  it(
    "A project equals the fold of its events.",
    forEachWalk(({ world: { project } }) => {
      assert.deepStrictEqual(projectFrom(project.agreement, project.agreementDigest, project.events), project)
    })
  )

  it(
    "A refusal changes nothing, and a terminal state is final.",
    forEachWalk(({ trail }) => {
      for (const { before, after, outcome } of trail) {
        if (outcome !== "ACCEPTED") assert.strictEqual(after, before)
        if (terminal.includes(before.project.state)) assert.strictEqual(after.project, before.project)
      }
    })
  )

  it(
    "A submission is accepted at most once, and a confirmation has at most one record.",
    forEachWalk(({ world: { project } }) => {
      const accepted = project.events.flatMap((event) =>
        event.kind === "REVIEW" && event.payload.action === "ACCEPT" ? [event.payload.submissionId] : []
      )
      assert.strictEqual(new Set(accepted).size, accepted.length)
      const issued = project.events.flatMap((event) => (event.kind === "ISSUE" ? [event.payload.confirmationId] : []))
      assert.strictEqual(new Set(issued).size, issued.length)
    })
  )

  it(
    "A credit balance is never negative and is debited at most once for each confirmation.",
    forEachWalk(({ credits, world: { project } }) => {
      let balance = 0
      for (const { change } of credits) {
        balance += change
        assert.isAtLeast(balance, 0)
      }
      const debited = credits.flatMap(({ confirmationId }) => confirmationId ?? [])
      assert.strictEqual(new Set(debited).size, debited.length)
      assert.strictEqual(
        debited.length > 0,
        project.events.some(({ kind }) => kind === "ISSUE")
      )
    })
  )

  it(
    "A history has at most 100 events, and the last two are reserved for issuance and ending events.",
    forEachWalk(({ world: { project } }) => {
      const { events } = project
      assert.isAtMost(events.length, 100)
      const ends = ["SUPERSEDE", "WITHDRAW_CONFIRMATION", "RESOLVE_CONCERN"]
      for (const { kind } of events.slice(98)) assert.include([...ends, "ISSUE"], kind)
      for (const { kind } of events.slice(99)) assert.include(ends, kind)
    })
  )
})

const commandOf = (move: MoveName): CommandName => {
  if (move === "REPLACE_TERMS" || move === "OFFER_REVISION") return "REVISE"
  return move === "ACCEPT_INVITATION" || move === "SUPERSEDE" ? assert.fail(`no act makes ${move}`) : move
}

/** The outcome of a move for a client with valid input. */
const codeOf = (world: ProjectWithFacts, caller: Caller, move: MoveName, now: Instant): string => {
  const judged = decideRequest(world, caller, requestBy(caller, commandFor[commandOf(move)](world.project), world), now)
  return Result.isFailure(judged) ? judged.failure.code : "ACCEPTED"
}

const checkHints = (world: ProjectWithFacts, caller: Caller, now: Instant) => {
  const { project, pauses, isIssuanceRequested, relatedFacts } = world
  const situation: HintContext = {
    project,
    pausedBy: pauses,
    isIssuanceRequested,
    isCovered: false,
    relatedFacts,
    now,
    humanUrl: ""
  }
  const viewer = { by: caller.by, mayAct: (act: Parameters<typeof mayAct>[1]) => mayAct(caller, act, project) }
  const hints = hintsFor(situation, viewer)
  const own = possibilities.filter(
    ({ move }) =>
      partyGuard(project, move, caller.by) === undefined &&
      (move !== "SIGN_AGREEMENT" || project.agreement.terms.signing !== undefined)
  )
  const blocked = new Map(hints.blockedActions.map(({ action, code }) => [action, code]))
  for (const act of new Set(possibilities.map((one) => one.act))) {
    const possible = own.filter((one) => one.act === act && viewer.mayAct(act))
    // A move of the other party is no act of this one.
    const codes = possible.map(({ move }) => codeOf(world, caller, move, now)).filter((code) => code !== "FORBIDDEN")
    const shown = { act, state: project.state, codes, by: caller.by }
    const isOffered = hints.availableActions.includes(act)
    assert.strictEqual(isOffered, codes.includes("ACCEPTED"), JSON.stringify(shown))
    assert.strictEqual(blocked.has(act), codes.length > 0 && !isOffered, JSON.stringify(shown))
    const expected = codes.find((code) => code !== "STATE_CONFLICT") ?? "STATE_CONFLICT"
    if (blocked.has(act)) assert.strictEqual(blocked.get(act) as string, expected, JSON.stringify(shown))
  }
  for (const { action, decision, allowed, code: shown } of hints.decisionActions) {
    const { move } = own.find((one) => one.act === action && one.decision === decision)!
    const code = viewer.mayAct(action) ? codeOf(world, caller, move, now) : "NOT_GRANTED"
    assert.deepStrictEqual([allowed, shown as string | null], [code === "ACCEPTED", code === "ACCEPTED" ? null : code])
  }
}

it("Hints offer exactly the acts whose commands are accepted and explain the others with the command's refusal.", () => {
  for (const [index, { world, now, trail }] of walks.slice(0, 200).entries()) {
    const { before } = trail[Math.floor(trail.length / 2)] ?? { before: world }
    for (const caller of [callerAt(index), callerAt(index + 3)]) {
      checkHints(world, caller, now)
      checkHints(before, caller, now)
    }
  }
})

const honest = allCallers.filter(({ recordedSide }) => recordedSide === undefined)
const callerAt = (index: number): Caller => honest[index % honest.length]!

/** The refusal codes of commands on a project. */
const refusals = [
  "FORBIDDEN",
  "FORBIDDEN_AGENT_ACTION",
  "RECENT_SIGN_IN_REQUIRED",
  "AGENT_PAUSED",
  "AGENT_CHANGED_REFRESH_REQUIRED",
  "STALE_EVENT_HEAD",
  "DELIVERY_HISTORY_LIMIT_REACHED",
  "AGREEMENT_DIGEST_MISMATCH",
  "STATE_CONFLICT",
  "DATE_REVISION_PENDING",
  "DELIVERY_DEADLINE_PASSED",
  "REVIEW_DEADLINE_PASSED",
  "SIGNATURE_DATE_PASSED",
  "SUBMISSION_MISMATCH",
  "CRITERIA_INCOMPLETE",
  "CHECKED_FILES_MISMATCH",
  "CONFIRMATION_MISMATCH",
  "WAIT_FOR_HUMAN",
  "HUMAN_DECISION_REQUIRED",
  "CONFIRMATION_DIGEST_STALE",
  "UNKNOWN_SIGNER",
  "UNKNOWN_SUPPLIER",
  "SAME_PARTY",
  "INVALID_REQUEST"
]

const tally = (values: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> =>
  [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const)

it("The random command sequences reach every state, command and refusal of the table.", () => {
  const steps = walks.flatMap(({ trail }) => trail)
  const reached = {
    states: tally(steps.map(({ after }) => after.project.state)),
    commands: tally(steps.filter(({ outcome }) => outcome === "ACCEPTED").map(({ name }) => name)),
    refusals: tally(steps.filter(({ outcome }) => outcome !== "ACCEPTED").map(({ outcome }) => outcome))
  }
  for (const [what, counts] of Object.entries(reached)) {
    console.log(`${what}: ${counts.map(([name, count]) => `${name} ${count}`).join(", ")}`)
  }
  const missing = (wanted: ReadonlyArray<string>, counts: ReadonlyArray<readonly [string, number]>) =>
    wanted.filter((one) => !counts.some(([name]) => name === one))
  const commands = new Set(rowNames.map((name) => (name.startsWith("DISMISS_CONCERN") ? "DISMISS_CONCERN" : name)))
  assert.deepStrictEqual(missing(states, reached.states), [])
  assert.deepStrictEqual(missing([...commands, "ISSUE_NOW"], reached.commands), [])
  assert.deepStrictEqual(missing(refusals, reached.refusals), [])
})
