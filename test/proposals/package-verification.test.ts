/** The package of an accepted proposal's agreement verifies, and only under an authority to accept. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { readProject, sendCommand, respondTo, reviewOf, submissionFor, uuid } from "../support/parties.ts"
import {
  answerOf,
  authorActions,
  commandProposal,
  createProposal,
  addContactFor,
  makeHolder,
  withoutRevision,
  personProposal,
  proposalFor,
  recipientActions,
  versionOf
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"
import { editAuthority, editEvent, failures, hex, verify } from "../verifier/forgeries.ts"
import { composeForgeries } from "../verifier/sample-steps.ts"

/** A published proposal, and an agent of its recipient. */
const offered = Effect.gen(function* () {
  const supplier = yield* signInNewPerson("Sam")
  const buyer = yield* signInNewPerson("Dana")
  yield* addContactFor(supplier, buyer)
  yield* grantCredits({ organizationId: buyer.organizationId, credits: 3, reference: "test" })
  const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
  const draft = createdBody(yield* createProposal(author.token, yield* proposalFor({ supplier, buyer })))
  const proposalId = draft.proposal.id as string
  const view = createdBody(yield* commandProposal(author.token, proposalId, "publish", versionOf(draft)))
  const actions = [...recipientActions, "ISSUE_RESULT_RECORD"] as const
  const recipient = yield* makeHolder(buyer, "BUYER", actions, { proposalIds: [proposalId] })
  return { supplier, buyer, author, recipient, proposalId, view }
})

type Offered = Effect.Success<typeof offered>

/** Both agents carry out the agreement until its record is issued; returns the verifier's report on its package. */
const verified = Effect.fnUntraced(function* ({ supplier, author, recipient }: Offered, projectId: string) {
  const opened = yield* readProject(author.token, projectId)
  const agreed = createdBody(yield* sendCommand(author.token, projectId, "respond", respondTo(opened, { supplier })))
  createdBody(yield* sendCommand(author.token, projectId, "submit", submissionFor(agreed)))
  const delivered = yield* readProject(recipient.token, projectId)
  const { project } = createdBody(
    yield* sendCommand(recipient.token, projectId, "review", reviewOf(delivered, "ACCEPT"))
  )
  assert.strictEqual(project.recordIssuance.status, "ISSUED")
  const exported = yield* send("POST", `/api/agents/v1/projects/${projectId}/exports/result-package`, {
    token: recipient.token,
    body: {
      expectedAgreementDigest: project.agreement.digest,
      expectedEventHash: project.headEventHash,
      nonce: uuid()
    }
  })
  const { keys } = yield* Signer
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const artifact = bytesOf(createdBody(exported))
  const checkedAt = addMilliseconds(yield* now, 1000)
  return { project, report: verifyResultFiles({ artifact, trust: bytesOf(keys), checkedAt }) }
})

layer(freshTestService, { excludeTestServices: true })("the package of an accepted proposal's agreement", (it) => {
  it.effect("The package of a proposal accepted by an agent verifies.", () =>
    Effect.gen(function* () {
      const started = yield* offered
      const { recipient, proposalId, view } = started
      const body = yield* answerOf(view, "ACCEPT")
      const { projectId } = createdBody(yield* commandProposal(recipient.token, proposalId, "respond", body)).proposal
      const { project, report } = yield* verified(started, projectId)
      assert.deepStrictEqual(failures(report), [])
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
      assert.strictEqual(report.recordedAuthority.grants.length, 2)
      const [first] = project.events
      assert.deepInclude(first, { kind: "CREATE" })
    })
  )

  it.effect("The package of a proposal accepted by a person verifies.", () =>
    Effect.gen(function* () {
      const started = yield* offered
      const { buyer, view } = started
      const body = withoutRevision(yield* answerOf(view, "ACCEPT"))
      const { projectId } = createdBody(yield* personProposal(buyer, view, "respond", body)).proposal
      const { report } = yield* verified(started, projectId)
      assert.deepStrictEqual(failures(report), [])
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    })
  )
})

describe("the CREATE event of an accepted proposal", () => {
  const proposed = editEvent("CREATE", ({ payload }) => void (payload.proposalDigest = hex("1")))
  const granting = (instead: string) =>
    editAuthority(0, ({ change }) => {
      change.actions = change.actions.map((action: string) => (action === "CREATE_PROJECT" ? instead : action))
    })

  it("A CREATE event with a proposal needs RESPOND_PROPOSAL and not CREATE_PROJECT.", () => {
    assert.deepStrictEqual(failures(verify(composeForgeries(proposed, granting("RESPOND_PROPOSAL")))), [])
  })

  it.each([
    ["names a proposal under a grant that may only create", proposed],
    ["names a proposal under a grant that may neither", composeForgeries(proposed, granting("CREATE_DRAFT"))],
    ["names none under a grant that may only accept proposals", granting("RESPOND_PROPOSAL")]
  ])("A CREATE event that %s is refused.", (_, forgery) => {
    assert.deepStrictEqual([...new Set(failures(verify(forgery)))], ["event-authority AUTHORITY_ACTION"])
  })

  it("A CREATE event names its proposal only by digest.", () => {
    const wrong = editEvent("CREATE", ({ payload }) => void (payload.proposalDigest = "proposal"))
    assert.deepStrictEqual(
      [...new Set(failures(verify(wrong)))].map((one) => one.split(" ")[0]),
      ["event-form"]
    )
  })
})
