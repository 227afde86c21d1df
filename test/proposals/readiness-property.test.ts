/** Property: for random terms and states, an acceptance succeeds if and only if readiness is ready. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  alterProposal,
  answerOf,
  commandProposal,
  makeHolder,
  withoutRevision,
  personProposal,
  readProposal,
  recipientActions,
  updateOf
} from "../support/proposals.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  answerBy,
  setAutomation,
  draftBy,
  addToOrganization,
  peoplePair,
  publishBy
} from "../support/person-proposals.ts"
import { createdBody, read } from "../support/workspace.ts"

const requirement = (id: string, decision: string) => ({
  id,
  statement: `A person, ${id}.`,
  humanDecisions: [decision]
})
const own = { id: "own", statement: "A person issues.", humanDecisions: ["ISSUE"] } as const
const day = 86_400_000

interface Situation {
  readonly principal: "none" | "buyer" | "colleague" | "outsider" | "writer"
  readonly method: "NATIVE" | "EXTERNAL"
  readonly carried: ReadonlyArray<"own" | "other" | "respond">
  readonly isBound: boolean
  readonly paused: ReadonlyArray<"supplier" | "buyer">
  readonly hasLeft: boolean
  readonly eventCount: number | null
  readonly isRewritten: boolean
}

const rarely = fc.integer({ min: 0, max: 6 }).map((one) => one === 0)

const anySituation: fc.Arbitrary<Situation> = fc.record({
  principal: fc.constantFrom("none", "buyer", "colleague", "outsider", "writer"),
  method: fc.constantFrom("NATIVE", "EXTERNAL"),
  carried: fc.subarray(["own", "other", "respond"]),
  isBound: fc.boolean(),
  paused: fc
    .tuple(rarely, rarely)
    .map(([bySupplier, byBuyer]) => [
      ...(bySupplier ? (["supplier"] as const) : []),
      ...(byBuyer ? (["buyer"] as const) : [])
    ]),
  hasLeft: rarely,
  eventCount: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.constantFrom(98, 99, 100)),
  isRewritten: rarely
})

const requirements = { own, other: requirement("other", "ACCEPT"), respond: requirement("respond", "RESPOND") }

/** A published proposal in the given situation. */
const prepare = Effect.fnUntraced(function* (situation: Situation) {
  const pair = yield* peoplePair
  const { supplier, buyer } = pair
  const [mia, dan, eve] = [yield* signInNewPerson("Mia"), yield* signInNewPerson("Dan"), yield* signInNewPerson("Eve")]
  const membership = yield* addToOrganization(mia, supplier)
  yield* addToOrganization(mia, buyer)
  yield* addToOrganization(dan, buyer)
  const start = yield* now
  const principals = { buyer, colleague: dan, outsider: eve, writer: mia }
  const signing = (principal: Exclude<Situation["principal"], "none">) => ({
    enabled: true,
    method: situation.method,
    principal: principals[principal].personId,
    agreementSignBy: addMilliseconds(start, 6 * day),
    acceptanceSignBy: addMilliseconds(start, 14 * day)
  })
  const terms = {
    subjectRequirements: situation.carried.map((name) => requirements[name]),
    ...(situation.principal === "none" ? {} : { signing: signing(situation.principal) })
  }
  const draft = yield* draftBy(pair, terms)
  const supplierActorId = situation.hasLeft && situation.principal !== "writer" ? mia.personId : supplier.personId
  const again = { terms: { ...draft.proposal.terms, supplierActorId } }
  const rewritten = withoutRevision(yield* updateOf(draft, pair, again))
  const updated = createdBody(yield* personProposal(mia, draft, "update", rewritten))
  const view = yield* publishBy(pair, updated)
  for (const side of situation.paused) createdBody(yield* setAutomation(pair[side], view, "pause"))
  if (situation.isRewritten) {
    createdBody(yield* personProposal(supplier, view, "update", withoutRevision(yield* updateOf(view, pair))))
  }
  if (situation.eventCount !== null) yield* alterProposal(view.proposal.id, { eventCount: situation.eventCount })
  if (situation.hasLeft) yield* endMembership("OPERATOR", { membershipId: membership.membershipId })
  return { buyer, proposalId: view.proposal.id as string }
})

/** Reads, accepts, and asserts that readiness and outcome agree. */
const compareWithAcceptance = (situation: Situation, isPerson: boolean, outcomes: Map<string, number>) =>
  Effect.gen(function* () {
    const { buyer, proposalId } = yield* prepare(situation)
    const agent = yield* makeHolder(buyer, "BUYER", recipientActions, {
      proposalIds: [proposalId],
      subjectRequirements: situation.isBound ? [own] : []
    })
    const seen = createdBody(
      yield* isPerson ? read(buyer, `/proposals/${proposalId}`) : readProposal(agent.token, proposalId)
    )
    const { ready, missing } = seen.decisionReadiness
    const answer = isPerson
      ? yield* answerBy(buyer, seen, "ACCEPT")
      : yield* commandProposal(agent.token, proposalId, "respond", yield* answerOf(seen, "ACCEPT"))
    const code = answer.status === 200 ? "ACCEPTED" : answer.body.error
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1)
    assert.strictEqual(ready, code === "ACCEPTED", `${code} with ${JSON.stringify(missing)}`)
    if (!ready) assert.include(missing, code)
  })

layer(memoryTestService, { excludeTestServices: true })("readiness of random proposals", (it) => {
  it.effect("An acceptance by an agent or a person succeeds if and only if readiness is ready.", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof compareWithAcceptance>>>()
      const outcomes = new Map<string, number>()
      const property = fc.asyncProperty(anySituation, fc.boolean(), (situation, isPerson) =>
        Effect.runPromiseWith(context)(compareWithAcceptance(situation, isPerson, outcomes))
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: 150, seed: 3 }))
      console.log(JSON.stringify(Object.fromEntries(outcomes)))
      for (const code of [
        "ACCEPTED",
        "AGENT_PAUSED",
        "DELIVERY_HISTORY_LIMIT_REACHED",
        "HUMAN_DECISION_REQUIRED",
        "SAME_PARTY",
        "STATE_CONFLICT",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
        "UNKNOWN_SIGNER",
        "UNKNOWN_SUPPLIER"
      ]) {
        assert.isTrue(outcomes.has(code), code)
      }
    })
  )
})
