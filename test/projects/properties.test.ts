import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { chainHash } from "../../src/canonical/chain.ts"
import { possibilities } from "../../src/projects/acts.ts"
import { projectFrom } from "../../src/projects/evolve.ts"
import { hintsFor } from "../../src/projects/hints.ts"
import { partyObstacle } from "../../src/projects/obstacles.ts"
import { states, type MoveName } from "../../src/projects/project.ts"
import { rowNames } from "../support/move-table.ts"
import { judge, mayAct, sentBy, type Caller, type World } from "../support/pipeline.ts"
import { commandFor, type CommandName } from "../support/project-commands.ts"
import { anyWalk, everybody, type Walk } from "../support/random-walk.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const walks = fc.sample(anyWalk, { numRuns: 900, seed: 20260101 })

/** The same walks for every property: they are seeded, so that a failure comes again. */
const forEachWalk = (property: (walked: Walk) => void) => () => {
  for (const walked of walks) property(walked)
}

const terminal: ReadonlyArray<string> = ["SUPPLIER_DECLINED", "BUYER_REJECTED", "CONFIRMATION_WITHDRAWN", "SUPERSEDED"]

describe("after any commands of anybody", () => {
  it(
    "the head chains, each event hashes what it says, and time never turns back",
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
    "the project is what its events tell",
    forEachWalk(({ world: { project } }) => {
      assert.deepStrictEqual(projectFrom(project.agreement, project.agreementDigest, project.events), project)
    })
  )

  it(
    "a refusal changes nothing, and nothing happens after a terminal state",
    forEachWalk(({ trail }) => {
      for (const { before, after, outcome } of trail) {
        if (outcome !== "ACCEPTED") assert.strictEqual(after, before)
        if (terminal.includes(before.project.state)) assert.strictEqual(after.project, before.project)
      }
    })
  )

  it(
    "a submission is accepted once at most, and a record issued once a confirmation",
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
    "credits are never below zero, and never debited twice for one confirmation",
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
    "no history passes its hundred places, and the last two hold only what they are kept for",
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

/** What a careful client gets for a move, given everything that the project says. */
const codeOf = (world: World, caller: Caller, move: MoveName, now: Instant): string => {
  const judged = judge(world, caller, sentBy(caller, commandFor[commandOf(move)](world.project), world), now)
  return Result.isFailure(judged) ? judged.failure.code : "ACCEPTED"
}

const checkHints = (world: World, caller: Caller, now: Instant) => {
  const { project, pauses, isIssuanceAsked, circumstances } = world
  const situation = { project, pausedBy: pauses, isIssuanceAsked, isCovered: false, circumstances, now, humanUrl: "" }
  const viewer = { by: caller.by, mayAct: (act: Parameters<typeof mayAct>[1]) => mayAct(caller, act, project) }
  const hints = hintsFor(situation, viewer)
  const theirs = possibilities.filter(
    ({ move }) =>
      partyObstacle(project, move, caller.by) === undefined &&
      (move !== "SIGN_AGREEMENT" || project.agreement.terms.signing !== undefined)
  )
  const blocked = new Map(hints.blockedActions.map(({ action, code }) => [action, code]))
  for (const act of new Set(possibilities.map((one) => one.act))) {
    const possible = theirs.filter((one) => one.act === act && viewer.mayAct(act))
    // What is another side's to do is no act of this one.
    const codes = possible.map(({ move }) => codeOf(world, caller, move, now)).filter((code) => code !== "FORBIDDEN")
    const shown = { act, state: project.state, codes, by: caller.by }
    const isOffered = hints.availableActions.includes(act)
    assert.strictEqual(isOffered, codes.includes("ACCEPTED"), JSON.stringify(shown))
    assert.strictEqual(blocked.has(act), codes.length > 0 && !isOffered, JSON.stringify(shown))
    const telling = codes.find((code) => code !== "STATE_CONFLICT") ?? "STATE_CONFLICT"
    if (blocked.has(act)) assert.strictEqual(blocked.get(act) as string, telling, JSON.stringify(shown))
  }
  for (const { action, decision, allowed, code: shown } of hints.decisionActions) {
    const { move } = theirs.find((one) => one.act === action && one.decision === decision)!
    const code = viewer.mayAct(action) ? codeOf(world, caller, move, now) : "NOT_GRANTED"
    assert.deepStrictEqual([allowed, shown as string | null], [code === "ACCEPTED", code === "ACCEPTED" ? null : code])
  }
}

it("hints offer exactly what is accepted, and explain the rest with the refusal that it would get", () => {
  for (const [index, { world, now, trail }] of walks.slice(0, 200).entries()) {
    const { before } = trail[Math.floor(trail.length / 2)] ?? { before: world }
    for (const caller of [callerAt(index), callerAt(index + 3)]) {
      checkHints(world, caller, now)
      checkHints(before, caller, now)
    }
  }
})

const honest = everybody.filter(({ takenSide }) => takenSide === undefined)
const callerAt = (index: number): Caller => honest[index % honest.length]!

/** What a command on a project can be refused with. */
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

it("the walks reach every state, every command and every refusal of the table", () => {
  const taken = walks.flatMap(({ trail }) => trail)
  const reached = {
    states: tally(taken.map(({ after }) => after.project.state)),
    commands: tally(taken.filter(({ outcome }) => outcome === "ACCEPTED").map(({ name }) => name)),
    refusals: tally(taken.filter(({ outcome }) => outcome !== "ACCEPTED").map(({ outcome }) => outcome))
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
