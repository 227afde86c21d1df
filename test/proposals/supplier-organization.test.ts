/** The organization that proposed is the supplier's organization of the agreement from its first event. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { makeAgent, readProject, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  answerOf,
  personCommandBody,
  decisionOf,
  issuanceOf,
  materialsOf,
  readProjectAsPerson,
  termsOf
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import {
  acceptProposalBy,
  addToOrganization,
  peoplePair,
  createPublishedBy,
  type PeoplePair
} from "../support/person-proposals.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

const does = Effect.fnUntraced(function* (
  by: SignedInPerson,
  projectId: string,
  operation: string,
  body: (view: any) => object
) {
  return createdBody(yield* commandAsPerson(by, projectId, operation, body(yield* readProjectAsPerson(by, projectId))))
})

const firstEvent = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  const row = yield* storage.view((reader) => reader.get(ProjectEvents, [projectId, 1]))
  return JSON.parse(Buffer.from(row!.jws.split(".")[1]!, "base64url").toString("utf8"))
})

const organizationOf = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  const row = yield* storage.view((reader) => reader.get(Projects, [projectId]))
  return row?.supplierOrganizationId
})

/** The verifier's report on the exported result. */
const reportOn = Effect.fnUntraced(function* (buyer: SignedInPerson, projectId: string) {
  const { token } = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const { project } = yield* readProject(token, projectId)
  const body = {
    expectedAgreementDigest: project.agreement.digest,
    expectedEventHash: project.headEventHash,
    nonce: uuid()
  }
  const path = `/api/agents/v1/projects/${projectId}/exports/result-package`
  const exported = createdBody(yield* send("POST", path, { token, body }))
  const { keys } = yield* Signer
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const checkedAt = addMilliseconds(yield* now, 1000)
  return verifyResultFiles({ artifact: bytesOf(exported), trust: bytesOf(keys), checkedAt })
})

/** Replaces the unanswered terms by a revision. */
const replaced = Effect.fnUntraced(function* ({ buyer }: PeoplePair, projectId: string, supplier: SignedInPerson) {
  const terms = yield* termsOf(supplier, { title: "Logo, revised" })
  const view = yield* does(buyer, projectId, "revise", (old) =>
    personCommandBody(old, { reason: "Other dates.", terms })
  )
  return view.project.taskId as string
})

const projectsOf = (by: SignedInPerson) =>
  Effect.map(read(by, "/projects"), ({ body }) => body.projects.map((one: any) => one.projectId ?? one.taskId))

layer(freshTestService, { excludeTestServices: true })("the supplier's organization of an agreement", (it) => {
  it.effect(
    "The supplier's organization can change its representative before the response, and the final record verifies.",
    () =>
      Effect.gen(function* () {
        const pair = yield* peoplePair
        const { supplier, buyer } = pair
        yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
        const mia = yield* joinOrganization(supplier, "Mia")
        const view = yield* createPublishedBy(pair)
        const projectId = yield* acceptProposalBy(buyer, view)
        const { payload } = yield* firstEvent(projectId)
        assert.strictEqual(payload.proposalDigest, view.proposal.digest)
        assert.strictEqual(payload.supplierOrganizationId, supplier.organizationId)
        yield* does(supplier, projectId, "change-representative", (seen) =>
          personCommandBody(seen, { supplierActorId: mia.personId, reason: "She takes over." })
        )
        yield* does(mia, projectId, "respond", (seen) => answerOf(seen, mia))
        yield* does(mia, projectId, "submit", materialsOf)
        yield* does(buyer, projectId, "review", (seen) => decisionOf(seen, "ACCEPT"))
        yield* does(buyer, projectId, "issue-record", issuanceOf)
        const report = yield* reportOn(buyer, projectId)
        assert.deepStrictEqual(
          report.checks.filter((check) => check.outcome === "fail"),
          []
        )
        assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
        assert.strictEqual(report.record?.parties.supplier.actorId, mia.personId)
      })
  )

  it.effect(
    "A revision of unanswered terms keeps the supplier's organization, and a response for another one is refused.",
    () =>
      Effect.gen(function* () {
        const pair = yield* peoplePair
        const { supplier, buyer } = pair
        const mia = yield* joinOrganization(supplier, "Mia")
        const elsewhere = yield* signInNewPerson("Olga")
        yield* addToOrganization(supplier, elsewhere)
        const projectId = yield* replaced(
          pair,
          yield* acceptProposalBy(buyer, yield* createPublishedBy(pair)),
          supplier
        )
        assert.strictEqual(yield* organizationOf(projectId), supplier.organizationId)
        assert.include(yield* projectsOf(mia), projectId)
        assert.notInclude(yield* projectsOf(elsewhere), projectId)
        const body = answerOf(yield* readProjectAsPerson(supplier, projectId), supplier)
        const { organizationId } = elsewhere
        const foreign = yield* commandAsPerson(supplier, projectId, "respond", { ...body, organizationId })
        assert.strictEqual(foreign.status, 403, foreign.text)
        assert.strictEqual((yield* commandAsPerson(supplier, projectId, "respond", body)).status, 200)
      })
  )

  it.effect("A revision that names another supplier does not keep the supplier's organization.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const other = yield* signInNewPerson("Olga")
      const mia = yield* joinOrganization(pair.supplier, "Mia")
      const projectId = yield* replaced(
        pair,
        yield* acceptProposalBy(pair.buyer, yield* createPublishedBy(pair)),
        other
      )
      assert.isNull(yield* organizationOf(projectId))
      assert.notInclude(yield* projectsOf(mia), projectId)
      assert.deepStrictEqual(outcome(yield* read(mia, `/projects/${projectId}`)), [403, "FORBIDDEN"])
      yield* does(other, projectId, "respond", (seen) => answerOf(seen, other))
      assert.strictEqual(yield* organizationOf(projectId), other.organizationId)
    })
  )
})
