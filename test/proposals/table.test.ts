/** Every move of a proposal in every state by every kind of caller, compared with a table written by hand. */
import { assert, describe, it } from "@effect/vitest"
import type { SubjectRequirement } from "../../src/access/actions.ts"
import { actionOfCommand, commandGuard, type ProposalCommand } from "../../src/proposals/decide.ts"
import type { PartyActor } from "../../src/projects/guard-context.ts"
import { pauseGuard, personGuard, historyLimitGuard, partyGuard, stateGuard } from "../../src/proposals/guards.ts"
import {
  acceptanceHolders,
  proposalMoves,
  proposalStates,
  sideOfProposal,
  type ProposalState
} from "../../src/proposals/proposal.ts"
import { moves, ofAuthor, ofRecipient, states, table, type Move, type State } from "../support/proposal-table.ts"
import { carefulCommand, people, storedIn } from "../support/stored-proposal.ts"

const { sam, mia, dana, eve } = people

interface Caller {
  readonly member: { readonly personId: string; readonly organizationId: string }
  readonly isPerson: boolean
  /** The moves that the caller has the authority for, of either side. */
  readonly holds: ReadonlyArray<Move>
  /** The moves of the caller's side. */
  readonly own: ReadonlyArray<Move>
}

const callers: { readonly [name: string]: Caller } = {
  "the author's agent": { member: sam, isPerson: false, holds: moves, own: ofAuthor },
  "an agent of the author's colleague": { member: mia, isPerson: false, holds: moves, own: ofAuthor },
  "the author's agent without the action": { member: sam, isPerson: false, holds: [], own: [] },
  "the recipient's agent": { member: dana, isPerson: false, holds: moves, own: ofRecipient },
  "the recipient's agent without the action": { member: dana, isPerson: false, holds: [], own: [] },
  "the author": { member: sam, isPerson: true, holds: moves, own: ofAuthor },
  "the recipient": { member: dana, isPerson: true, holds: moves, own: ofRecipient },
  "a person of another organization": { member: eve, isPerson: true, holds: moves, own: [] }
}

/** A draft has a published version, so that it has a recipient whose moves the state refuses. */
const inState = (state: ProposalState) =>
  storedIn(state, state === "DRAFT" ? { version: 2, publishedVersion: 1, recipientActorId: dana.personId } : {})

/** The result of the guards, in the order of the pipeline after scope, replays, pauses and heads. */
const outcomeOf = (state: State, move: Move, { member, isPerson, holds }: Caller): string => {
  const stored = inState(state)
  const forbidden = isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION"
  const side = sideOfProposal(stored.row, member, undefined)
  if (side === undefined) return forbidden
  const by: PartyActor = { personId: member.personId, side, isPerson }
  const others = partyGuard(move, by)
  if (others !== undefined) return others.code
  if (!holds.includes(move)) return forbidden
  return commandGuard(stored, carefulCommand(stored, move), by)?.code ?? proposalMoves[move].to
}

const expected = (state: State, move: Move, { isPerson, own }: Caller): string => {
  if (!own.includes(move)) return isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION"
  const to = table[state][move]
  return to === "no" ? "STATE_CONFLICT" : to
}

describe("the moves of a proposal", () => {
  it("A proposal has exactly the six moves and six states of the table.", () => {
    assert.sameMembers(Object.keys(proposalMoves), [...moves])
    assert.deepStrictEqual([...proposalStates], [...states])
  })

  for (const [name, caller] of Object.entries(callers)) {
    it.each(states)(`The moves by ${name} in %s match the table.`, (state) => {
      for (const move of moves) {
        assert.strictEqual(outcomeOf(state, move, caller), expected(state, move, caller), move)
      }
    })
  }

  it("A refused move names the state and REREAD_PROPOSAL.", () => {
    const conflict = stateGuard({ state: "WITHDRAWN" }, "PUBLISH")
    assert.deepStrictEqual(
      [conflict?.code, conflict?.facts],
      ["STATE_CONFLICT", { detail: "A proposal in WITHDRAWN does not allow this.", nextAction: "REREAD_PROPOSAL" }]
    )
  })
})

describe("the side of a person on a proposal", () => {
  const published = {
    organizationId: sam.organizationId,
    recipientActorId: dana.personId,
    buyerOrganizationId: null
  }
  const unpublished = { ...published, recipientActorId: null }
  const accepted = { ...published, buyerOrganizationId: dana.organizationId }
  const danaInside = { ...dana, organizationId: sam.organizationId }
  const danaElsewhere = { ...dana, organizationId: eve.organizationId }
  const samElsewhere = { ...sam, organizationId: eve.organizationId }
  const none = undefined

  it.each([
    ["the author", published, sam, none, "SUPPLIER"],
    ["the author, again", published, sam, "SUPPLIER", "SUPPLIER"],
    ["the author before it is published", unpublished, sam, none, "SUPPLIER"],
    ["a colleague of the author", published, mia, none, "SUPPLIER"],
    ["a colleague who answered it elsewhere before", published, mia, "BUYER", none],
    ["the author with another organization", published, samElsewhere, "SUPPLIER", none],
    ["the recipient", published, dana, none, "BUYER"],
    ["the recipient, again", published, dana, "BUYER", "BUYER"],
    ["the recipient with another organization", published, danaElsewhere, "BUYER", "BUYER"],
    ["the recipient with the organization that accepted", accepted, dana, "BUYER", "BUYER"],
    ["the recipient with an organization that did not accept", accepted, danaElsewhere, "BUYER", none],
    ["a colleague of the author after the acceptance", accepted, mia, none, "SUPPLIER"],
    ["the recipient before it is published", unpublished, dana, none, none],
    ["the recipient of an earlier version", { ...published, recipientActorId: eve.personId }, dana, "BUYER", none],
    ["a recipient who once acted for the author", published, dana, "SUPPLIER", none],
    ["the recipient with the author's organization", published, danaInside, none, none],
    ["the recipient with the author's organization, who answered", published, danaInside, "BUYER", none],
    [
      "the recipient before the publication, as a member of the author's organization",
      unpublished,
      danaInside,
      none,
      "SUPPLIER"
    ],
    ["an unrelated person", published, eve, none, none],
    ["an unrelated person who once acted for the author", published, eve, "SUPPLIER", none]
  ] as const)(
    "The side of %s is computed from membership, recipient and recorded side.",
    (_, proposal, by, recordedSide, side) => {
      assert.strictEqual(sideOfProposal(proposal, by, recordedSide), side)
    }
  )
})

describe("the guards of the moves", () => {
  const author: PartyActor = { personId: sam.personId, side: "SUPPLIER", isPerson: false }
  const recipient: PartyActor = { personId: dana.personId, side: "BUYER", isPerson: false }
  const asPerson = (by: PartyActor): PartyActor => ({ ...by, isPerson: true })

  it("A pause stops the agents of both sides and no person.", () => {
    for (const by of [author, recipient]) {
      const paused = pauseGuard({ isPaused: true }, by)
      assert.deepStrictEqual([paused?.code, paused?.facts], ["AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }])
      assert.isUndefined(pauseGuard({ isPaused: true }, asPerson(by)))
      assert.isUndefined(pauseGuard({ isPaused: false }, by))
    }
  })

  it.each([
    [97, []],
    [98, ["UPDATE", "PUBLISH", "REQUEST_CHANGES"]],
    [99, ["UPDATE", "PUBLISH", "REQUEST_CHANGES"]],
    [100, moves]
  ] as const)("A history of %i events refuses the moves %s.", (eventCount, full) => {
    const refused = moves.filter((move) => historyLimitGuard({ eventCount }, move) !== undefined)
    assert.sameMembers(refused, [...full])
    for (const move of full) {
      const { code, facts } = historyLimitGuard({ eventCount }, move)!
      assert.strictEqual(code, "DELIVERY_HISTORY_LIMIT_REACHED")
      assert.strictEqual(facts.requiredHumanAction, "REVIEW_CONTINUATION")
      assert.match(
        facts.detail!,
        /^Limit reached: 100 events in the history of this proposal; the last 2 are reserved/u
      )
    }
  })

  it("An answer reserved for people is refused to agents with the requirement's statement.", () => {
    const other: SubjectRequirement = { id: "issue", statement: "A person issues.", humanDecisions: ["ISSUE"] }
    const reserving = { terms: { subjectRequirements: [other, responding] } }
    for (const move of ofRecipient) {
      const refused = personGuard(reserving, move, recipient)
      assert.deepStrictEqual(
        [refused?.code, refused?.facts],
        ["HUMAN_DECISION_REQUIRED", { requiredHumanAction: "A person decides." }]
      )
      assert.isUndefined(personGuard(reserving, move, asPerson(recipient)))
      assert.isUndefined(personGuard({ terms: { subjectRequirements: [other] } }, move, recipient))
    }
    for (const move of ofAuthor) assert.isUndefined(personGuard(reserving, move, author))
  })

  const responding: SubjectRequirement = {
    id: "answer",
    statement: "A person decides.",
    humanDecisions: ["RESPOND"]
  }
  const withInput = (command: ProposalCommand, input: object) =>
    ({ ...command, input: { ...command.input, ...input } }) as ProposalCommand

  it("The guards of an answer run in the order history limit, digest, state, reserved decision.", () => {
    const wrong = { proposalDigest: "0".repeat(64) }
    const reserving = { subjectRequirements: [responding], publishedVersion: 1 }
    const answered = (state: State, changes: object, input: object = {}) => {
      const stored = storedIn(state, { ...reserving, ...changes })
      return commandGuard(stored, withInput(carefulCommand(stored, "REQUEST_CHANGES"), input), recipient)
    }
    assert.strictEqual(answered("DECLINED", { eventCount: 98 }, wrong)?.code, "DELIVERY_HISTORY_LIMIT_REACHED")
    const mismatch = answered("DECLINED", {}, wrong)
    assert.deepStrictEqual(
      [mismatch?.code, mismatch?.facts],
      ["PROPOSAL_DIGEST_MISMATCH", { current: { proposalHead: "h".repeat(64), version: 1, automationRevision: 0 } }]
    )
    assert.strictEqual(answered("DECLINED", {})?.code, "STATE_CONFLICT")
    assert.strictEqual(answered("PUBLISHED", {})?.code, "HUMAN_DECISION_REQUIRED")
    assert.isUndefined(answered("PUBLISHED", { subjectRequirements: [] }))
  })

  it("The guards of an author's command run in the order history limit, version, state.", () => {
    const stale = (state: State, changes: object, input: object) => {
      const stored = storedIn(state, changes)
      return commandGuard(stored, withInput(carefulCommand(stored, "PUBLISH"), input), author)
    }
    const wrong = { expectedVersion: 7 }
    assert.strictEqual(stale("WITHDRAWN", { eventCount: 100 }, wrong)?.code, "DELIVERY_HISTORY_LIMIT_REACHED")
    const refused = stale("WITHDRAWN", { version: 3, automationRevision: 2 }, wrong)
    assert.deepStrictEqual(
      [refused?.code, refused?.facts],
      ["PROPOSAL_VERSION_STALE", { current: { proposalHead: "h".repeat(64), version: 3, automationRevision: 2 } }]
    )
    assert.strictEqual(stale("WITHDRAWN", {}, {})?.code, "STATE_CONFLICT")
    assert.isUndefined(stale("DRAFT", {}, {}))
  })

  it("An answer must name the published version, not a newer draft.", () => {
    const stored = storedIn("DRAFT", { version: 2, publishedVersion: 1, recipientActorId: dana.personId })
    const toCurrent = withInput(carefulCommand(stored, "ACCEPT"), { proposalDigest: stored.current.digest })
    assert.strictEqual(commandGuard(stored, toCurrent, recipient)?.code, "PROPOSAL_DIGEST_MISMATCH")
    assert.strictEqual(commandGuard(stored, carefulCommand(stored, "ACCEPT"), recipient)?.code, "STATE_CONFLICT")
  })

  it("A hand-off passes the guards in every state.", () => {
    const handOff: ProposalCommand = { kind: "HANDOFF", input: { requestId: "", reason: "Look." } }
    for (const state of states) {
      assert.isUndefined(commandGuard(storedIn(state, { eventCount: 100 }), handOff, author))
    }
  })
})

describe("the authority and digest of a command", () => {
  it("A command needs the action of its name, a hand-off any.", () => {
    const requestId = "00000000-0000-4000-8000-000000000000"
    const withdraw: ProposalCommand = { kind: "WITHDRAW", input: { requestId, expectedVersion: 1 } }
    const handoff: ProposalCommand = { kind: "HANDOFF", input: { requestId, reason: "Look." } }
    assert.deepStrictEqual([actionOfCommand(withdraw), actionOfCommand(handoff)], ["WITHDRAW_PROPOSAL", "HANDOFF"])
  })

  it("An answer to an unpublished version is refused with PROPOSAL_DIGEST_MISMATCH.", () => {
    const requestId = "00000000-0000-4000-8000-000000000000"
    const stored = storedIn("DRAFT", {})
    const { digest } = stored.current
    const answer: ProposalCommand = {
      kind: "RESPOND",
      input: { requestId, proposalDigest: digest, action: "DECLINE", reason: "No." }
    }
    const dana: PartyActor = { personId: people.dana.personId, side: "BUYER", isPerson: true }
    assert.strictEqual(stored.published, undefined)
    assert.strictEqual(commandGuard(stored, answer, dana)?.code, "PROPOSAL_DIGEST_MISMATCH")
  })
})

describe("the grants linked by an acceptance", () => {
  it("An acceptance considers all grants of the supplier and those of the current recipient.", () => {
    const holder = (grantId: string, role: "BUYER" | "SUPPLIER", personId: string) => ({ grantId, role, personId })
    const own = holder("grant_1", "SUPPLIER", sam.personId)
    const colleagues = holder("grant_2", "SUPPLIER", mia.personId)
    const recipients = holder("grant_3", "BUYER", dana.personId)
    const former = holder("grant_4", "BUYER", eve.personId)
    const holders = [own, colleagues, recipients, former]
    assert.deepStrictEqual(acceptanceHolders({ holders, recipientActorId: dana.personId }), [
      own,
      colleagues,
      recipients
    ])
    assert.deepStrictEqual(acceptanceHolders({ holders, recipientActorId: null }), [own, colleagues])
  })
})
