/** Readiness by viewer: the missing preconditions of an acceptance, as far as that viewer can know them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { uuid } from "../support/parties.ts"
import { signatureBy } from "../support/person-commands.ts"
import {
  answerOf,
  authorActions,
  commandProposal,
  makeHolder,
  withoutRevision,
  personProposal,
  readProposal,
  recipientActions,
  updateOf
} from "../support/proposals.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  answerBy,
  setAutomation,
  draftBy,
  addToOrganization,
  peoplePair,
  publishBy,
  createPublishedBy
} from "../support/person-proposals.ts"
import { createdBody, read } from "../support/workspace.ts"

const own = { id: "own", statement: "A person issues.", humanDecisions: ["ISSUE"] } as const
const carried = { id: "kept", statement: "A person reviews.", humanDecisions: ["ACCEPT"] } as const
const reservedForPeople = { id: "answer", statement: "A person answers.", humanDecisions: ["RESPOND"] } as const

const offered = Effect.fnUntraced(function* (terms: object = {}) {
  const pair = yield* peoplePair
  return { ...pair, view: yield* createPublishedBy(pair, terms), bindings: [] as ReadonlyArray<any> }
})

const signedBy = (principal: "buyer" | "outsider", method: "NATIVE" | "EXTERNAL") =>
  Effect.gen(function* () {
    const pair = yield* peoplePair
    const person = principal === "buyer" ? pair.buyer : yield* signInNewPerson("Eve")
    const { counterparty: _, ...signing } = signatureBy(person, pair.supplier, method, yield* now)
    return { ...pair, view: yield* createPublishedBy(pair, { signing }), bindings: [] as ReadonlyArray<any> }
  })

/** The buyer's signer has written for the supplier. */
const writtenByPrincipal = Effect.gen(function* () {
  const pair = yield* peoplePair
  const mia = yield* signInNewPerson("Mia")
  yield* addToOrganization(mia, pair.supplier)
  yield* addToOrganization(mia, pair.buyer)
  const { counterparty: _, ...signing } = signatureBy(mia, pair.supplier, "EXTERNAL", yield* now)
  const draft = yield* draftBy(pair, { signing })
  const rewritten = withoutRevision(yield* updateOf(draft, pair, { terms: draft.proposal.terms }))
  const updated = createdBody(yield* personProposal(mia, draft, "update", rewritten))
  return { ...pair, view: yield* publishBy(pair, updated), bindings: [] as ReadonlyArray<any> }
})

/** The setup, and the missing codes for the buyer's agent, the buyer and the author. */
const situations = {
  "nothing missing": [offered(), [], [], []],
  "a signer of the buyer's organization": [signedBy("buyer", "EXTERNAL"), [], [], []],
  "a signer who signs in the service": [signedBy("buyer", "NATIVE"), [], [], []],
  "a signer outside the buyer's organization": [
    signedBy("outsider", "EXTERNAL"),
    ["UNKNOWN_SIGNER"],
    ["UNKNOWN_SIGNER"],
    []
  ],
  "a signer who has written for the supplier": [writtenByPrincipal, ["SAME_PARTY"], ["SAME_PARTY"], ["SAME_PARTY"]],
  "a missing requirement of the buyer's grant": [
    Effect.map(offered({ subjectRequirements: [carried] }), (made) => ({ ...made, bindings: [own] })),
    ["SUBJECT_REQUIREMENTS_NOT_PRESERVED"],
    [],
    []
  ],
  "the requirement of the buyer's grant among others": [
    Effect.map(offered({ subjectRequirements: [carried, own] }), (made) => ({ ...made, bindings: [own] })),
    [],
    [],
    []
  ],
  "an answer reserved for people": [
    offered({ subjectRequirements: [reservedForPeople] }),
    ["HUMAN_DECISION_REQUIRED"],
    [],
    []
  ],
  "a pause": [
    Effect.tap(offered(), ({ supplier, view }) => setAutomation(supplier, view, "pause")),
    ["AGENT_PAUSED"],
    [],
    []
  ],
  "a supplier who has left": [
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const mia = yield* signInNewPerson("Mia")
      const { membershipId } = yield* addToOrganization(mia, pair.supplier)
      const view = yield* createPublishedBy(pair, { supplierActorId: mia.personId })
      yield* endMembership("OPERATOR", { membershipId })
      return { ...pair, view, bindings: [] as ReadonlyArray<any> }
    }),
    ["UNKNOWN_SUPPLIER"],
    ["UNKNOWN_SUPPLIER"],
    ["UNKNOWN_SUPPLIER"]
  ]
} as const

const readinessOf = (missing: ReadonlyArray<string>) => ({ ready: missing.length === 0, missing })

layer(freshTestService, { excludeTestServices: true })("readiness by viewer", (it) => {
  it.effect.each(Object.keys(situations) as ReadonlyArray<keyof typeof situations>)(
    "With %s, readiness agrees with the outcome of an acceptance for each viewer.",
    (name) =>
      Effect.gen(function* () {
        const [prepare, forAgent, forBuyer, forAuthor] = situations[name]
        const { supplier, buyer, view, bindings } = yield* prepare
        const { id } = view.proposal
        const agent = yield* makeHolder(buyer, "BUYER", recipientActions, {
          proposalIds: [id],
          subjectRequirements: bindings
        })
        const seenByAgent = createdBody(yield* readProposal(agent.token, id))
        const seenByBuyer = createdBody(yield* read(buyer, `/proposals/${id}`))
        const seenByAuthor = createdBody(yield* read(supplier, `/proposals/${id}`))
        assert.deepStrictEqual(seenByAgent.decisionReadiness, readinessOf(forAgent))
        assert.deepStrictEqual(seenByBuyer.decisionReadiness, readinessOf(forBuyer))
        assert.deepStrictEqual(seenByAuthor.decisionReadiness, readinessOf(forAuthor))
        // Not ready: refused with the first missing code, and nothing is written.
        const before = yield* everyRow
        const refused: ReadonlyArray<string> = forAgent
        if (refused.length > 0) {
          const body = yield* answerOf(seenByAgent, "ACCEPT")
          const accepted = yield* commandProposal(agent.token, id, "respond", body)
          assert.deepStrictEqual([accepted.status, accepted.body.error], [409, refused[0]])
          assert.deepStrictEqual(yield* everyRow, before)
        }
        const inPerson: ReadonlyArray<string> = forBuyer
        if (inPerson.length > 0) {
          const answer = yield* answerBy(buyer, seenByBuyer, "ACCEPT")
          assert.deepStrictEqual([answer.status, answer.body.error], [409, inPerson[0]])
          assert.deepStrictEqual(yield* everyRow, before)
          return
        }
        // Ready: accepted.
        const accepted =
          refused.length === 0
            ? yield* commandProposal(agent.token, id, "respond", yield* answerOf(seenByAgent, "ACCEPT"))
            : yield* answerBy(buyer, seenByBuyer, "ACCEPT")
        assert.deepStrictEqual([accepted.status, accepted.body.proposal?.state], [200, "ACCEPTED"], accepted.text)
      })
  )

  it.effect("A pause makes a proposal unready for the agents of both sides, not for people.", () =>
    Effect.gen(function* () {
      const { supplier, buyer, view } = yield* offered()
      const { id } = view.proposal
      const author = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds: [id] })
      createdBody(yield* setAutomation(buyer, view, "pause"))
      const missing = createdBody(yield* readProposal(author.token, id)).decisionReadiness.missing
      assert.deepStrictEqual(missing, ["AGENT_PAUSED"])
      assert.deepStrictEqual(createdBody(yield* read(supplier, `/proposals/${id}`)).decisionReadiness.missing, [])
    })
  )

  it.effect("An update refuses an unknown supplier and a member of another organization alike.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const eve = yield* signInNewPerson("Eve")
      const draft = yield* draftBy(pair)
      const [elsewhere, unknown] = yield* Effect.forEach([eve.personId, `person_${uuid()}`], (supplierActorId) =>
        Effect.gen(function* () {
          const terms = { ...draft.proposal.terms, supplierActorId }
          const body = withoutRevision(yield* updateOf(draft, pair, { terms }))
          return yield* personProposal(pair.supplier, draft, "update", body)
        })
      )
      assert.deepStrictEqual([elsewhere!.status, elsewhere!.body.error], [409, "UNKNOWN_SUPPLIER"])
      assert.deepStrictEqual(elsewhere!.body, unknown!.body)
    })
  )
})
