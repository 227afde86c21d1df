import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../src/projects/decide.ts"
import { moves, states, type State } from "../../src/projects/project.ts"
import {
  after,
  commandFor,
  dayOne,
  deadline,
  givenAt,
  outcomeOf,
  projectIn,
  reviewDeadline,
  type CommandName
} from "../support/project.ts"

interface Row {
  readonly by: "BUYER" | "SUPPLIER"
  readonly from: ReadonlyArray<State>
  readonly to: State
  readonly emits: string
}

/** The table of decisions.md, copied here by hand, so that the two are held against each other. */
const table: { readonly [N in CommandName]: Row } = {
  RESPOND_ACCEPT: { by: "SUPPLIER", from: ["AWAITING_SUPPLIER"], to: "LOCKED", emits: "agreement.confirmed" },
  RESPOND_REQUEST_CHANGES: {
    by: "SUPPLIER",
    from: ["AWAITING_SUPPLIER"],
    to: "AGREEMENT_CHANGES_REQUESTED",
    emits: "record.changed"
  },
  RESPOND_DECLINE: {
    by: "SUPPLIER",
    from: ["AWAITING_SUPPLIER"],
    to: "SUPPLIER_DECLINED",
    emits: "record.changed"
  },
  SUBMIT: {
    by: "SUPPLIER",
    from: ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"],
    to: "SUBMITTED",
    emits: "delivery.submitted"
  },
  REVIEW_REQUEST_CHANGES: { by: "BUYER", from: ["SUBMITTED"], to: "CHANGES_REQUESTED", emits: "changes.requested" },
  REVIEW_REQUEST_EVIDENCE: { by: "BUYER", from: ["SUBMITTED"], to: "AWAITING_EVIDENCE", emits: "changes.requested" },
  REVIEW_ACCEPT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_CONFIRMED", emits: "acceptance.decided" },
  REVIEW_REJECT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_REJECTED", emits: "acceptance.decided" },
  ISSUE: { by: "BUYER", from: ["BUYER_CONFIRMED"], to: "BUYER_CONFIRMED", emits: "record.changed" }
}

const names = Object.keys(table) as ReadonlyArray<CommandName>
const pairs = names.flatMap((name) => states.map((state) => ({ name, state })))
const allowed = pairs.filter(({ name, state }) => table[name].from.includes(state))
const refused = pairs.filter(({ name, state }) => !table[name].from.includes(state))

describe("the table of moves", () => {
  it("has the twelve states of the specification", () => {
    assert.strictEqual(new Set(states).size, 12)
  })

  it.each(states)("the builder gives a project in %s", (state) => {
    assert.strictEqual(projectIn(state).state, state)
  })

  it.each(names)("%s belongs to the side and gives the event type of the table", (name) => {
    const { by, emits } = moves[name]
    assert.deepStrictEqual({ by, emits }, { by: table[name].by, emits: table[name].emits })
  })

  it.each(allowed)("$name is accepted in $state and leads where the table says", ({ name, state }) => {
    const project = projectIn(state)
    assert.strictEqual(after(project, commandFor[name](project)).state, table[name].to)
  })

  it.each(refused)("$name is refused in $state", ({ name, state }) => {
    const project = projectIn(state)
    const decided = decide(project, commandFor[name](project), givenAt(dayOne))
    assert.strictEqual(outcomeOf(decided), "STATE_CONFLICT")
  })

  it("a record is issued once", () => {
    const project = projectIn("BUYER_CONFIRMED")
    const recorded = after(project, commandFor.ISSUE(project))
    assert.strictEqual(outcomeOf(decide(recorded, commandFor.ISSUE(recorded), givenAt(dayOne))), "STATE_CONFLICT")
    // Nor is it asked for twice.
    const given = { ...givenAt(dayOne), isIssuanceAsked: true }
    const wish = commandFor.ISSUE(project)
    assert.strictEqual(outcomeOf(decide(project, wish, given)), "STATE_CONFLICT")
  })
})

const millisecondAfter = (date: string) => new Date(Date.parse(date) + 1).toISOString() as typeof dayOne

interface Due {
  readonly name: CommandName
  readonly state: State
  readonly date: typeof dayOne
  readonly code: string
}

const due: ReadonlyArray<Due> = [
  { name: "RESPOND_ACCEPT", state: "AWAITING_SUPPLIER", date: deadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SUBMIT", state: "LOCKED", date: deadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SUBMIT", state: "CHANGES_REQUESTED", date: reviewDeadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SUBMIT", state: "AWAITING_EVIDENCE", date: reviewDeadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "REVIEW_REQUEST_CHANGES", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_REQUEST_EVIDENCE", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_ACCEPT", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_REJECT", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" }
]

describe("a date includes its own millisecond", () => {
  it.each(due)("$name in $state is accepted at $date", ({ name, state, date }) => {
    const project = projectIn(state)
    assert.strictEqual(outcomeOf(decide(project, commandFor[name](project), givenAt(date))), "ACCEPTED")
  })

  it.each(due)("$name in $state is $code a millisecond after $date", ({ name, state, date, code }) => {
    const project = projectIn(state)
    const decided = decide(project, commandFor[name](project), givenAt(millisecondAfter(date)))
    assert.strictEqual(outcomeOf(decided), code)
  })

  it.each(["RESPOND_REQUEST_CHANGES", "RESPOND_DECLINE"] as const)("%s has no date", (name) => {
    const project = projectIn("AWAITING_SUPPLIER")
    const late = givenAt(millisecondAfter(reviewDeadline))
    assert.strictEqual(outcomeOf(decide(project, commandFor[name](project), late)), "ACCEPTED")
  })

  it("issuing a record has no date", () => {
    const project = projectIn("BUYER_CONFIRMED")
    const late = givenAt(millisecondAfter(reviewDeadline))
    assert.strictEqual(outcomeOf(decide(project, commandFor.ISSUE(project), late)), "ACCEPTED")
  })

  it("a passed date names itself and points to a date revision", () => {
    const project = projectIn("LOCKED")
    const decided = decide(project, commandFor.SUBMIT(project), givenAt(millisecondAfter(deadline)))
    assert.strictEqual("failure" in decided && decided.failure.facts.dueAt, deadline)
  })
})
