/** The three routes by which a person downloads the signed package: authorization and verification. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import type { ResultPackage } from "../../src/records/package.ts"
import type { HttpApp } from "../../src/service.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { assertRefusal } from "../support/errors.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  answerOf,
  concernOf,
  personCommandBody,
  readProjectAsPerson,
  termsOf
} from "../support/person-commands.ts"
import { everyRow } from "../support/rows.ts"
import { send, type Answer, type SendOptions } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, options, outcome, post } from "../support/workspace.ts"
import { accept, makeDelivery, grantTestCredits, makeBuyer, recordService, SignerFaults } from "./record-service.ts"

const paths = {
  buyer: (id: string) => `/api/acceptance/tasks/${id}/result/package`,
  supplier: (id: string) => `/api/acceptance/provider-tasks/${id}/result/package`,
  either: (id: string) => `/api/transactions/${id}/result/package`
}

type Route = keyof typeof paths
const routes: ReadonlyArray<Route> = ["buyer", "supplier", "either"]

const download = (by: Pick<SignedInPerson, "token">, route: Route, id: string, more: SendOptions = {}) =>
  send("GET", paths[route](id), options(by, more))

const makeParties = Effect.gen(function* () {
  const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  return { ...pair, projectId: yield* agreementWithRecord(pair) }
})

const bytes = (text: string) => new TextEncoder().encode(text)

/** Verifies the file with the published keys and the current time. */
const verified = Effect.fnUntraced(function* ({ text }: Answer) {
  const keys = yield* send("GET", "/.well-known/service-issuer-keys.json")
  return verifyResultFiles({ artifact: bytes(text), trust: bytes(keys.text), checkedAt: yield* now })
})

/** The payload of the package. */
const packageIn = (jws: string): ResultPackage =>
  JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString("utf8"))

const enclosed = (jws: string) => {
  const { issuedAt: _, ...payload } = packageIn(jws)
  return payload
}

layer(recordService, { excludeTestServices: true })("the download of the signed package", (it) => {
  it.effect("The download is the same verifiable result for both sides and writes nothing.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* makeParties
      const before = yield* everyRow
      const answers = [
        yield* download(buyer, "buyer", projectId),
        yield* download(supplier, "supplier", projectId),
        yield* download(buyer, "either", projectId),
        yield* download(supplier, "either", projectId)
      ]
      assert.deepStrictEqual(yield* everyRow, before)
      for (const answer of answers) {
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(answer.headers, {
          "content-type": "application/jose",
          "content-disposition": `attachment; filename="result-package-${projectId}.jws"`,
          "cache-control": "no-store"
        })
        const report = yield* verified(answer)
        assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0, historicalValidity: "VERIFIED" })
        assert.strictEqual(report.artifact?.kind, "result-package")
        assert.strictEqual(report.currentStatus.outcome, "UNKNOWN")
        assert.deepStrictEqual(enclosed(answer.text), enclosed(answers[0]!.text))
      }
      const [first] = answers
      const at = first!.text.indexOf(".") + 10
      const changed = `${first!.text.slice(0, at)}${first!.text[at] === "A" ? "B" : "A"}${first!.text.slice(at + 1)}`
      assert.strictEqual((yield* verified({ ...first!, text: changed })).exit, 1)
    })
  )

  it.effect("The download has the same content as the export by agents, including their authority chains.", () =>
    Effect.gen(function* () {
      const owner = yield* makeBuyer
      yield* grantTestCredits(owner, 1)
      const project = yield* makeDelivery(owner)
      const { projectId, supplier } = project
      const view = yield* accept(project, owner.agent.token)
      const body = {
        expectedAgreementDigest: view.project.agreement.digest,
        expectedEventHash: view.project.headEventHash,
        nonce: uuid()
      }
      const address = `/api/agents/v1/projects/${projectId}/exports/result-package`
      const { record } = createdBody(yield* send("POST", address, { token: owner.agent.token, body }))
      const answer = yield* download(supplier, "supplier", projectId)
      assert.deepStrictEqual(enclosed(answer.text), enclosed(record))
      assert.lengthOf((yield* verified(answer)).recordedAuthority.grants, 2)
    })
  )

  it.effect("The download stays available through pause, concern and withdrawal, with the full history.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* makeParties
      const holds = Effect.fnUntraced(function* (events: number) {
        const answer = yield* download(supplier, "supplier", projectId)
        assert.lengthOf(packageIn(answer.text).events, events)
        assert.strictEqual((yield* verified(answer)).exit, 0)
      })
      yield* holds(5)
      createdBody(yield* post(buyer, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "To look at it." }))
      yield* holds(5)
      createdBody(
        yield* commandAsPerson(buyer, projectId, "concern", concernOf(yield* readProjectAsPerson(buyer, projectId)))
      )
      yield* holds(6)
      const upheld = confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), { resolution: "UPHELD" })
      createdBody(yield* commandAsPerson(buyer, projectId, "resolve-concern", upheld))
      yield* holds(7)
    })
  )

  it.effect("The package of a superseded agreement stays available, and its successor has none.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* makeParties
      const terms = yield* termsOf(supplier)
      const offer = personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "Other dates.", terms })
      const revision = createdBody(yield* commandAsPerson(buyer, projectId, "revise", offer)).project.taskId
      createdBody(
        yield* commandAsPerson(
          supplier,
          revision,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, revision), supplier)
        )
      )
      assert.strictEqual((yield* verified(yield* download(buyer, "buyer", projectId))).exit, 0)
      assert.deepStrictEqual(outcome(yield* download(buyer, "buyer", revision)), [409, "RESULT_NOT_ISSUED"])
    })
  )
})

layer(recordService, { excludeTestServices: true })("a copy signed by a slower clock", (it) => {
  it.effect("A copy signed by a clock behind the last event is dated at that event and verifies.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* makeParties
      const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "concern",
          concernOf(yield* readProjectAsPerson(supplier, projectId))
        )
      )
      const path = `/api/agents/v1/projects/${projectId}`
      const { project } = createdBody(yield* send("GET", path, { token }))
      const expected = { expectedAgreementDigest: project.agreement.digest, expectedEventHash: project.headEventHash }
      const body = { ...expected, nonce: uuid() }
      const last = project.events.at(-1).occurredAt
      const behind = at(addMilliseconds(last, -1))
      const review = createdBody(yield* behind(send("POST", `${path}/exports/result-package`, { token, body })))
      const { status } = createdBody(yield* behind(send("POST", `${path}/status`, { token, body: { nonce: uuid() } })))
      const own = yield* behind(download(supplier, "supplier", projectId))
      const copies = [review.record, review.status, status, own.text]
      assert.deepStrictEqual(
        copies.map((jws) => packageIn(jws).issuedAt),
        copies.map(() => last)
      )
      for (const text of [JSON.stringify(review), own.text, status]) {
        const report = yield* verified({ ...own, text })
        assert.strictEqual(report.exit, 0)
        const outcome = text === own.text ? "UNKNOWN" : "PROVEN"
        assert.strictEqual(report.currentStatus.outcome, outcome)
      }
      // A clock ahead of the last event dates the copy.
      const ahead = at(addMilliseconds(last, 1_000))
      const after = yield* ahead(download(buyer, "buyer", projectId))
      assert.strictEqual(packageIn(after.text).issuedAt, addMilliseconds(last, 1_000))
    })
  )
})

layer(recordService, { excludeTestServices: true })("the authorization of downloads", (it) => {
  it.effect(
    "A member of the buyer who decides on deliveries can download; unrelated persons learn of no project.",
    () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* makeParties
        const mia = yield* joinOrganization(buyer, "Mia", ["DELIVERY_REVIEW"])
        const eve = yield* signInNewPerson("Eve")
        const other = yield* agreementWithRecord({ buyer: eve, supplier: yield* signInNewPerson("Max") })
        for (const route of ["buyer", "either"] as const) {
          assert.strictEqual((yield* download(mia, route, projectId)).status, 200)
        }
        const nowhere = yield* download(buyer, "buyer", `delivery_${uuid()}`)
        assert.deepStrictEqual(outcome(nowhere), [403, "FORBIDDEN"])
        assertRefusal(nowhere)
        const refused = [
          yield* download(supplier, "buyer", projectId),
          yield* download(buyer, "supplier", projectId),
          yield* download(mia, "supplier", projectId),
          ...(yield* Effect.forEach(routes, (route) => download(eve, route, projectId))),
          ...(yield* Effect.forEach(routes, (route) => download(buyer, route, other)))
        ]
        for (const answer of refused) assert.deepStrictEqual(answer.body, nowhere.body)
      })
  )

  it.effect(
    "A member who only reads or manages payments gets the package by no route, as a person or by an agent.",
    () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* makeParties
        for (const financial of ["FINANCIAL_READ", "FINANCIAL_MANAGE"] as const) {
          const ofBuyer = yield* joinOrganization(buyer, "Fin", [financial, "DELEGATE", "MEMBERS_MANAGE"])
          const ofSupplier = yield* joinOrganization(supplier, "Fay", [financial, "DELEGATE", "MEMBERS_MANAGE"])
          const refused = [
            yield* download(ofBuyer, "buyer", projectId),
            yield* download(ofBuyer, "either", projectId),
            yield* download(ofSupplier, "supplier", projectId),
            yield* download(ofSupplier, "either", projectId)
          ]
          for (const answer of refused) {
            assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
            assert.include(answer.body.detail, "The delivery material of a result is for")
          }
          const { token } = yield* makeAgent(ofBuyer, "BUYER", [], [projectId])
          const { project } = createdBody(yield* send("GET", `/api/agents/v1/projects/${projectId}`, { token }))
          const body = {
            expectedAgreementDigest: project.agreement.digest,
            expectedEventHash: project.headEventHash,
            nonce: uuid()
          }
          const path = `/api/agents/v1/projects/${projectId}/exports/result-package`
          const byAgent = yield* send("POST", path, { token, body })
          assert.deepStrictEqual(outcome(byAgent), [403, "FORBIDDEN_AGENT_ACTION"])
        }
      })
  )

  it.effect("For the supplier only its current representative can download.", () =>
    Effect.gen(function* () {
      const { supplier, projectId } = yield* makeParties
      const mia = yield* joinOrganization(supplier, "Mia")
      const isFor = Effect.fnUntraced(function* (representative: SignedInPerson, colleague: SignedInPerson) {
        for (const route of ["supplier", "either"] as const) {
          assert.strictEqual((yield* download(representative, route, projectId)).status, 200)
          assert.deepStrictEqual(outcome(yield* download(colleague, route, projectId)), [403, "FORBIDDEN"])
        }
      })
      yield* isFor(supplier, mia)
      const body = personCommandBody(yield* readProjectAsPerson(mia, projectId), {
        reason: "Mia goes on.",
        supplierActorId: mia.personId
      })
      createdBody(yield* commandAsPerson(mia, projectId, "change-representative", body))
      yield* isFor(mia, supplier)
    })
  )

  it.effect("A person whose membership or session has ended cannot download.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* makeParties
      const mia = yield* joinOrganization(buyer, "Mia")
      for (const [person, route] of [
        [mia, "buyer"],
        [supplier, "supplier"]
      ] as const) {
        for (const each of [route, "either"] as const) {
          assert.strictEqual((yield* download(person, each, projectId)).status, 200)
        }
        yield* endMembership("OPERATOR", person)
        for (const each of [route, "either"] as const) {
          assert.deepStrictEqual(outcome(yield* download(person, each, projectId)), [403, "FORBIDDEN"])
        }
      }
      yield* post(buyer, "/session/sign-out")
      for (const route of routes) {
        assert.deepStrictEqual(outcome(yield* download(buyer, route, projectId)), [401, "SIGN_IN_REQUIRED"])
      }
    })
  )

  it.effect("An agent's credential cannot download the package through the routes of people.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* makeParties
      const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
      for (const route of routes) {
        for (const sent of [{ token }, {}]) {
          const answer = yield* send("GET", paths[route](projectId), sent)
          assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
        }
      }
    })
  )

  it.effect("Downloads follow the common order of checks.", () =>
    Effect.gen(function* () {
      const { failNext } = yield* SignerFaults
      const { buyer, supplier, projectId } = yield* makeParties
      const early = yield* runToAccepted({ buyer, supplier })
      const anonymous = { token: "none" }
      for (const route of routes) {
        const own = route === "supplier" ? supplier : buyer
        const steps: ReadonlyArray<readonly [ReadonlyArray<unknown>, Effect.Effect<Answer, never, HttpApp>]> = [
          [[404, "NOT_FOUND"], send("GET", `${paths[route]("delivery_1")}s`, options(anonymous, {}))],
          [[404, "NOT_FOUND"], send("POST", paths[route]("delivery_1"), options(anonymous, {}))],
          [[401, "SIGN_IN_REQUIRED"], download(anonymous, route, "delivery_1")],
          [[404, "NOT_FOUND"], download(own, route, "delivery_1", { raw: "{}" })],
          [[400, "INVALID_REQUEST"], download(own, route, `delivery_${uuid()}`, { raw: "{}" })],
          [[403, "FORBIDDEN"], download(yield* signInNewPerson("Eve"), route, early)],
          [[409, "RESULT_NOT_ISSUED"], download(own, route, early)]
        ]
        for (const [expected, sending] of steps) {
          const answer = yield* sending
          assert.deepStrictEqual(outcome(answer), expected, route)
          assertRefusal(answer)
        }
        yield* failNext("PACKAGE", "NO_KEY")
        assert.deepStrictEqual(outcome(yield* download(own, route, projectId)), [503, "ISSUER_NOT_CONFIGURED"])
        assert.strictEqual((yield* download(own, route, projectId)).status, 200)
        const surplus = yield* send("GET", `${paths[route](projectId)}?more=1`, options(own, {}))
        assert.deepStrictEqual(outcome(surplus), [400, "INVALID_REQUEST"], "an unknown member of the query")
      }
    })
  )
})
