/** The order of checks: a request with every fault is fixed fault by fault, in the documented order of refusals. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { Grants } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { HttpApp } from "../../src/service.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeParty, uuid } from "../support/parties.ts"
import {
  alterProposal,
  answerOf,
  authorActions,
  commandProposal,
  createProposal,
  createDraftProposal,
  handOffOf,
  addContactFor,
  makeHolder,
  makePair,
  proposalFor,
  proposalRow,
  createPublishedProposal,
  readProposal,
  recipientActions,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { legalDocument, type Answer } from "../support/service.ts"
import { specificationOf } from "../support/specifications.ts"
import { at } from "../support/time.ts"

/** A request with its token, body and time (default: now). */
interface Attempt {
  readonly token: string
  readonly body: any
  readonly time?: Instant
}

/** The expected refusal and its fix: a changed request, or an effect on the store. */
type Step = readonly [
  code: string,
  fix: ((sent: Attempt) => Attempt) | Effect.Effect<unknown, unknown, Storage | SecureRandom.SecureRandom>
]

const as = (token: string) => (sent: Attempt) => ({ ...sent, token })
const withEnvelope = (changes: object) => (sent: Attempt) => ({ ...sent, body: { ...sent.body, ...changes } })
const withInput = (changes: object) => (sent: Attempt) =>
  withEnvelope({ input: { ...sent.body.input, ...changes } })(sent)
const withTerms = (changes: object) => (sent: Attempt) =>
  sent.body.input === undefined
    ? withEnvelope({ terms: { ...sent.body.terms, ...changes } })(sent)
    : withInput({ terms: { ...sent.body.input.terms, ...changes } })(sent)

/** Fixes one fault after another: each refusal is that of the first remaining fault and changes nothing. */
const fixInOrder = Effect.fnUntraced(function* (
  send: (sent: Attempt) => Effect.Effect<Answer, never, HttpApp>,
  worst: Attempt,
  steps: ReadonlyArray<Step>
) {
  let sent = worst
  const answerTo = (sent: Attempt) => (sent.time === undefined ? send(sent) : at(sent.time)(send(sent)))
  for (const [code, fix] of steps) {
    const answer = yield* answerTo(sent)
    assert.strictEqual(answer.body.error, code, answer.text)
    if (typeof fix === "function") sent = fix(sent)
    else yield* Effect.orDie(fix)
  }
  const last = yield* answerTo(sent)
  assert.include([200, 201], last.status, last.text)
  return last
})

const noDigest = "0".repeat(64)
const stop = (side: "BUYER" | "SUPPLIER") => ({ side, by: "person_x", at: "2026-01-01T00:00:00.000Z", reason: "Stop." })

/** Breaks the stored state, and returns the effects that restore each part. */
const breakState = (proposalId: string, state: "DECLINED" | "DRAFT") =>
  Effect.map(
    Effect.tap(proposalRow(proposalId), () =>
      alterProposal(proposalId, { state, eventCount: 100, pauses: [stop("BUYER")] })
    ),
    (row) => ({
      resumed: alterProposal(proposalId, { pauses: [] }),
      emptied: alterProposal(proposalId, { eventCount: row.eventCount }),
      restored: alterProposal(proposalId, { state: row.state })
    })
  )

/** A command's envelope with every precondition wrong. */
const stale = { expectedProposalHead: noDigest, automationRevision: 7 }

/** The steps from the credential to the state, common to all commands. */
const common = (
  { headEventHash, automationRevision }: { readonly headEventHash: string; readonly automationRevision: number },
  { resumed, emptied, restored }: Effect.Success<ReturnType<typeof breakState>>,
  tokens: { readonly outside: string; readonly unable: string; readonly able: string },
  named: readonly [code: string, fix: (sent: Attempt) => Attempt]
): ReadonlyArray<Step> => [
  ["AUTH_INVALID", as(tokens.outside)],
  ["FORBIDDEN_AGENT_PROJECT_SCOPE", as(tokens.unable)],
  ["FORBIDDEN_AGENT_ACTION", as(tokens.able)],
  ["REQUEST_ID_CONFLICT", (sent) => withInput({ requestId: uuid() })(sent)],
  ["AGENT_PAUSED", resumed],
  ["AGENT_CHANGED_REFRESH_REQUIRED", withEnvelope({ automationRevision })],
  ["STALE_PROPOSAL_HEAD", withEnvelope({ expectedProposalHead: headEventHash })],
  ["DELIVERY_HISTORY_LIMIT_REACHED", emptied],
  named,
  ["STATE_CONFLICT", restored]
]

const requirement = { id: "people", statement: "A person looks.", humanDecisions: ["ISSUE"] as const }
const keeping = { subjectRequirements: [requirement] }

layer(memoryTestService, { excludeTestServices: true })("the order of checks on proposals", (it) => {
  it.effect("An update is checked in the documented order, from the credential to the legal documents.", () =>
    Effect.gen(function* () {
      const made = yield* createDraftProposal()
      const { supplier, buyer, proposalId } = made
      const proposalIds = [proposalId]
      const outside = yield* makeHolder(supplier, "SUPPLIER", authorActions)
      const unable = yield* makeHolder(supplier, "SUPPLIER", ["PUBLISH_PROPOSAL"], { proposalIds })
      const able = yield* makeHolder(supplier, "SUPPLIER", ["UPDATE_PROPOSAL"], { proposalIds, ...keeping })
      const specification = yield* publishSpecification(specificationOf("order"))
      const first = yield* updateOf((yield* readProposal(able.token, proposalId)).body, made, {})
      const requestId = uuid()
      const used = withInput({ requestId })(withTerms(keeping)({ token: "", body: first })).body
      assert.strictEqual((yield* commandProposal(able.token, proposalId, "update", used)).status, 200)
      const row = yield* proposalRow(proposalId)
      const fixes = yield* breakState(proposalId, "DECLINED")
      const { requestId: _, ...offered } = yield* proposalFor(made)
      const { deadline, reviewDeadline, legalContext } = offered.terms
      const wrongTerms = {
        deadline: "2020-01-01T00:00:00.000Z",
        supplierActorId: `person_${uuid()}`,
        specification: { id: "order", version: 9, digest: noDigest },
        legalContext: undefined
      }
      const input = { ...offered, requestId, expectedVersion: 1, recipientActorId: supplier.personId }
      const worst = withTerms(wrongTerms)({ token: "none", body: { ...stale, input } })
      const { id, version, digest } = specification
      yield* fixInOrder((sent) => commandProposal(sent.token, proposalId, "update", sent.body), worst, [
        ...common(row, fixes, { outside: outside.token, unable: unable.token, able: able.token }, [
          "PROPOSAL_VERSION_STALE",
          withInput({ expectedVersion: 2 })
        ]),
        ["DEADLINE_NOT_FUTURE", withTerms({ deadline, reviewDeadline })],
        ["SAME_PARTY", withInput({ recipientActorId: buyer.personId })],
        ["UNKNOWN_SUPPLIER", withTerms({ supplierActorId: supplier.personId })],
        ["SUBJECT_REQUIREMENTS_NOT_PRESERVED", withTerms(keeping)],
        ["UNKNOWN_SPECIFICATION", withTerms({ specification: { id, version, digest: noDigest } })],
        ["SPECIFICATION_DIGEST_MISMATCH", withTerms({ specification: { id, version, digest } })],
        [
          "REVIEW_CREATION_REQUIREMENTS",
          withTerms({ legalContext: { documents: [{ ...legalDocument, version: "0" }] } })
        ],
        ["LEGAL_DOCUMENTS_CHANGED", withTerms({ legalContext })]
      ])
    })
  )

  it.effect("A creation is checked in the documented order, from the credential to the proposal limit.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      const { supplier, buyer } = pair
      const unable = yield* makeHolder(supplier, "SUPPLIER", ["UPDATE_PROPOSAL"])
      const able = yield* makeHolder(supplier, "SUPPLIER", ["CREATE_PROPOSAL"], keeping)
      const { id, version, digest } = yield* publishSpecification(specificationOf("creation"))
      const offered = yield* proposalFor(pair)
      const used = withTerms(keeping)({ token: "", body: offered }).body
      for (let count = 0; count < 50; count++) {
        const body = { ...used, requestId: count === 0 ? used.requestId : uuid() }
        assert.strictEqual((yield* createProposal(able.token, body)).status, 201)
      }
      const { deadline, reviewDeadline, legalContext } = offered.terms
      const worst = withTerms({
        deadline: "2020-01-01T00:00:00.000Z",
        supplierActorId: buyer.personId,
        specification: { id, version: 9, digest: noDigest },
        legalContext: undefined
      })({ token: "none", body: { ...offered, recipientActorId: supplier.personId } })
      const last = yield* makeHolder(supplier, "SUPPLIER", ["CREATE_PROPOSAL"], keeping)
      const { personId } = yield* makeParty("Eve")
      yield* fixInOrder((sent) => createProposal(sent.token, sent.body), worst, [
        ["AUTH_INVALID", as(unable.token)],
        ["FORBIDDEN_AGENT_ACTION", as(able.token)],
        ["REQUEST_ID_CONFLICT", (sent) => withEnvelope({ requestId: uuid() })(sent)],
        ["DEADLINE_NOT_FUTURE", withTerms({ deadline, reviewDeadline })],
        ["SAME_PARTY", withEnvelope({ recipientActorId: buyer.personId })],
        // Recipient and supplier are the same person.
        ["SAME_PARTY", withTerms({ supplierActorId: personId })],
        ["UNKNOWN_SUPPLIER", withTerms({ supplierActorId: supplier.personId })],
        ["SUBJECT_REQUIREMENTS_NOT_PRESERVED", withTerms(keeping)],
        ["UNKNOWN_SPECIFICATION", withTerms({ specification: { id, version, digest: noDigest } })],
        ["SPECIFICATION_DIGEST_MISMATCH", withTerms({ specification: { id, version, digest } })],
        ["REVIEW_CREATION_REQUIREMENTS", withTerms({ legalContext: { documents: [] } })],
        ["LEGAL_DOCUMENTS_CHANGED", withTerms({ legalContext })],
        ["CREATED_PROPOSAL_LIMIT", as(last.token)]
      ])
    })
  )

  it.effect("A publication is checked in the documented order, from the credential to the recipient.", () =>
    Effect.gen(function* () {
      const made = yield* createDraftProposal({ recipientReference: "unknown" })
      const { supplier, buyer, proposalId, view } = made
      const proposalIds = [proposalId]
      const outside = yield* makeHolder(supplier, "SUPPLIER", authorActions)
      const unable = yield* makeHolder(supplier, "SUPPLIER", ["UPDATE_PROPOSAL"], { proposalIds })
      const able = yield* makeHolder(supplier, "SUPPLIER", ["UPDATE_PROPOSAL", "PUBLISH_PROPOSAL"], { proposalIds })
      const requestId = uuid()
      const update = yield* updateOf(view, made, { requestId, recipientReference: "unknown" })
      assert.strictEqual((yield* commandProposal(able.token, proposalId, "update", update)).status, 200)
      const row = yield* proposalRow(proposalId)
      const fixes = yield* breakState(proposalId, "DECLINED")
      const worst = { token: "none", body: { ...stale, input: { requestId, expectedVersion: 1 } } }
      const tokens = { outside: outside.token, unable: unable.token, able: able.token }
      yield* fixInOrder((sent) => commandProposal(sent.token, proposalId, "publish", sent.body), worst, [
        ...common(row, fixes, tokens, ["PROPOSAL_VERSION_STALE", withInput({ expectedVersion: 2 })]),
        ["RECIPIENT_MISMATCH", addContactFor(supplier, buyer, "unknown")]
      ])
    })
  )

  it.effect("A publication after the deadline is refused before the recipient is checked.", () =>
    Effect.gen(function* () {
      const { author, proposalId, view } = yield* createDraftProposal({ recipientReference: "unknown" })
      const send = commandProposal(author.token, proposalId, "publish", versionOf(view))
      const late = yield* at(view.proposal.terms.deadline)(send)
      assert.strictEqual(late.body.error, "DEADLINE_NOT_FUTURE")
      assert.strictEqual((yield* send).body.error, "RECIPIENT_MISMATCH")
    })
  )

  it.effect(
    "An acceptance is checked in the documented order, from the credential to the project limit of the grant.",
    () =>
      Effect.gen(function* () {
        const { buyer, recipient, proposalId, view } = yield* createPublishedProposal()
        const proposalIds = [proposalId]
        const outside = yield* makeHolder(buyer, "BUYER", recipientActions)
        const unable = yield* makeHolder(buyer, "BUYER", ["REVIEW_DELIVERY"], { proposalIds })
        const bound = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds, ...keeping })
        const requestId = uuid()
        const handOff = { ...handOffOf(view), input: { requestId, reason: "Look." } }
        assert.strictEqual((yield* commandProposal(bound.token, proposalId, "handoff", handOff)).status, 200)
        const row = yield* proposalRow(proposalId)
        const fixes = yield* breakState(proposalId, "DECLINED")
        yield* setProjectCount(recipient.grantId, 50)
        const { input } = yield* answerOf(view, "ACCEPT")
        const { proposalDigest, confirmationDigest } = input
        const wrong = { requestId, proposalDigest: noDigest, confirmationDigest: undefined }
        const worst = {
          token: "none",
          body: { ...stale, input: { ...input, ...wrong } },
          time: view.proposal.terms.deadline
        }
        const tokens = { outside: outside.token, unable: unable.token, able: bound.token }
        const accepted = yield* fixInOrder(
          (sent) => commandProposal(sent.token, proposalId, "respond", sent.body),
          worst,
          [
            ...common(row, fixes, tokens, ["PROPOSAL_DIGEST_MISMATCH", withInput({ proposalDigest })]),
            ["SUBJECT_REQUIREMENTS_NOT_PRESERVED", as(recipient.token)],
            ["DEADLINE_NOT_FUTURE", ({ token, body }) => ({ token, body })],
            ["REVIEW_CREATION_REQUIREMENTS", withInput({ confirmationDigest: noDigest })],
            ["CONFIRMATION_DIGEST_STALE", withInput({ confirmationDigest })],
            ["CREATED_PROJECT_LIMIT", setProjectCount(recipient.grantId, 49)]
          ]
        )
        assert.strictEqual(accepted.body.proposal.state, "ACCEPTED")
      })
  )

  it.effect("A decision reserved for people is checked after the state and before the dates.", () =>
    Effect.gen(function* () {
      const reserving = { ...requirement, humanDecisions: ["RESPOND"] as const }
      const { recipient, proposalId, view } = yield* createPublishedProposal({}, { subjectRequirements: [reserving] })
      const send = (sent: Attempt) => commandProposal(sent.token, proposalId, "respond", sent.body)
      yield* alterProposal(proposalId, { state: "WITHDRAWN" })
      const sent = { token: recipient.token, body: yield* answerOf(view, "ACCEPT", { confirmationDigest: noDigest }) }
      assert.strictEqual((yield* send(sent)).body.error, "STATE_CONFLICT")
      yield* alterProposal(proposalId, { state: "PUBLISHED" })
      const refused = (yield* at(view.proposal.terms.deadline)(send(sent))).body
      assert.deepStrictEqual(
        [refused.error, refused.requiredHumanAction],
        ["HUMAN_DECISION_REQUIRED", "A person looks."]
      )
    })
  )
})

const setProjectCount = (grantId: string, projectCount: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
      transaction.update(Grants, [grantId], { projectCount })
    )
  })
