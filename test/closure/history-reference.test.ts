/** History references: who records one, of what, and once. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { recordHistoryReference, type ReferenceInput } from "../../src/closure/refer.ts"
import { authorities } from "../../src/people/membership.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { Signer } from "../../src/ports/signer.ts"
import { fingerprint } from "../../src/replay/idempotency.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { bothStores } from "../support/both-stores.ts"
import { beforeTransaction, commitFaults, withCommitFault } from "../support/commit-faults.ts"
import { assertRefusal } from "../support/errors.ts"
import { joinOrganization } from "../support/issued-records.ts"
import {
  nextAgreement,
  paidAndPublished,
  passportOf,
  refer,
  referenceBody,
  storedReference,
  supersedeByRevision,
  type PaidAndPublished
} from "../support/lineage.ts"
import { withoutKey } from "../support/missing-key.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  answerOf,
  commandAsPerson,
  createAgreementAsPerson,
  decisionOf,
  readProjectAsPerson,
  runToDelivered
} from "../support/person-commands.ts"
import { contest, dismissConcern, issuedResult, publish, withdraw } from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"
import { signPayload } from "../verifier/signing.ts"

/** Sends a reference, which is refused with this one issue and stores nothing. */
const assertInvalid = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, body: object, fault: string) {
  const rows = yield* everyRow
  const answer = yield* refer(by, projectId, body)
  assert.deepStrictEqual(outcome(answer), [409, "HISTORY_REFERENCE_INVALID"], fault)
  const issues: ReadonlyArray<{ readonly message: string }> = answer.body.issues
  assert.deepStrictEqual(
    issues.map(({ message }) => message),
    [fault]
  )
  assertRefusal(answer)
  assert.deepStrictEqual(yield* everyRow, rows)
})

/** The operation itself, as a request with this id makes it. */
const record = (by: SignedInPerson, input: ReferenceInput, requestId = uuid()) =>
  recordHistoryReference(
    by,
    { owner: by.personId, requestId, fingerprint: fingerprint("recordHistoryReference", [], input.resultId) },
    input
  )

const inputOf = ({ passport, resultId }: PaidAndPublished, projectId: string): ReferenceInput => ({
  projectId,
  passport,
  resultId,
  reason: "Good work."
})

describe.each(bothStores)("history references %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A reference and its link name the result, both agreements and the supplier that confirmed.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const answer = yield* refer(buyer, projectId, referenceBody(original))
        const made = createdBody(answer)
        assert.strictEqual(answer.status, 201)
        assert.deepStrictEqual(Object.keys(made).toSorted(), ["digest", "madeAt", "referenceId"])
        const stored = (yield* storedReference(projectId))!
        const reference = parseSigned<any>(stored.reference)
        const link = parseSigned<any>(stored.link)
        const { project } = yield* readProjectAsPerson(buyer, projectId)
        const first = (yield* readProjectAsPerson(original.buyer, original.projectId)).project
        const [entry] = parseSigned<any>(original.passport.manifest).entries
        assert.strictEqual(made.digest, digestOf(reference))
        assert.deepStrictEqual(reference.project, {
          id: projectId,
          version: 1,
          agreementDigest: project.agreement.digest
        })
        assert.deepStrictEqual(reference.passport, {
          digest: digestOf(parseSigned<object>(original.passport.manifest)),
          subjectId: original.subjectId
        })
        const { completionTime: __, ...named } = entry
        assert.deepStrictEqual(reference.references, [{ relation: "COOPERATE", ...named }])
        assert.deepStrictEqual(reference.madeBy, { organizationId: buyer.organizationId, personId: buyer.personId })
        assert.deepStrictEqual(link.reference, { id: made.referenceId, digest: made.digest })
        const { recordDigest, ...originalIds } = link.original
        assert.deepStrictEqual(originalIds, {
          projectId: original.projectId,
          version: 1,
          agreementDigest: first.agreement.digest,
          recordId: original.resultId
        })
        assert.strictEqual(recordDigest, original.publication.projection.resultDigest)
        assert.deepStrictEqual(link.next, {
          projectId,
          version: 1,
          agreementDigest: project.agreement.digest,
          confirmedEventHash: project.headEventHash
        })
        assert.strictEqual(link.supplierOrganizationId, original.supplier.organizationId)
        assert.deepStrictEqual([reference.issuedAt, link.issuedAt], [made.madeAt, made.madeAt])
      })
    )

    it.effect("No view of the next agreement names the earlier one, and a reference changes neither history.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, supplier, projectId } = yield* nextAgreement(original)
        const rows = yield* everyRow
        const made = yield* refer(buyer, projectId, referenceBody(original))
        const answers = [made]
        for (const person of [buyer, supplier]) {
          for (const path of ["", "/events", "/publications", "/result-orders"]) {
            answers.push(yield* read(person, `/projects/${projectId}${path}`))
          }
        }
        answers.push(yield* read(buyer, "/projects"))
        const { link } = (yield* storedReference(projectId))!
        const { linkId } = parseSigned<any>(link)
        for (const { body } of answers) {
          const text = JSON.stringify(body)
          for (const hidden of [original.projectId, linkId, link]) assert.notInclude(text, hidden)
        }
        const { projects, project_events } = yield* everyRow
        assert.deepStrictEqual([projects, project_events], [rows["projects"], rows["project_events"]])
      })
    )

    it.effect("The same request repeats its answer after a withdrawal, and its id belongs to it.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const body = referenceBody(original)
        const made = createdBody(yield* refer(buyer, projectId, body))
        createdBody(yield* withdraw(original.buyer, original.publication))
        const replayed = yield* refer(buyer, projectId, body)
        assert.deepStrictEqual([replayed.status, replayed.body], [201, { ...made, replayed: true }])
        const other = yield* refer(buyer, projectId, { ...body, reason: "Another one." })
        assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
        const second = yield* refer(buyer, projectId, referenceBody(original))
        assert.deepStrictEqual(outcome(second), [409, "ALREADY_EXISTS"])
        assertRefusal(second)
      })
    )

    it.effect("Of two references at once, one is recorded.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const colleague = yield* joinOrganization(buyer, "Cleo", ["AGREEMENT_CREATE"])
        const answers = yield* Effect.all(
          [buyer, colleague].map((by) => refer(by, projectId, referenceBody(original))),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
      })
    )

    it.effect("A passport that is not this service's own, or is changed in any part, is invalid.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const another = yield* publish(yield* issuedResult)
        const foreign = yield* passportOf((another.projection as any).subject.id, [another])
        const { passport } = original
        const manifest = parseSigned<any>(passport.manifest)
        const { sign } = yield* Signer
        const [header, , signature] = passport.manifest.split(".")
        const editedEntry = { ...manifest, entries: [{ ...manifest.entries[0], summaryDigest: "0".repeat(64) }] }
        const unknownPublication = {
          ...manifest,
          entries: [{ ...manifest.entries[0], publicationId: `pub_${uuid()}` }]
        }
        const changed: ReadonlyArray<object> = [
          { manifest: signPayload("PUBLICATION", manifest) },
          { manifest: signPayload("PUBLICATION", manifest, "stranger") },
          { manifest: `${header}.${Buffer.from(JSON.stringify(editedEntry)).toString("base64url")}.${signature}` },
          { manifest: yield* sign("PUBLICATION", editedEntry) },
          { manifest: yield* sign("PUBLICATION", unknownPublication) },
          { manifest: yield* sign("PUBLICATION", { ...manifest, subject: { id: `provider_${uuid()}` } }) },
          {
            manifest: yield* sign("PUBLICATION", { ...manifest, entries: [...manifest.entries, manifest.entries[0]] })
          },
          { manifest: passport.summaries[0] },
          { manifest: passport.statuses[0] },
          { manifest: foreign.manifest },
          { summaries: foreign.summaries },
          { summaries: [...passport.summaries, ...foreign.summaries] },
          { summaries: [yield* sign("PUBLICATION", { ...original.publication.projection, title: "Another" })] }
        ]
        for (const change of changed) {
          const body = referenceBody({ ...original, passport: { ...passport, ...change } })
          yield* assertInvalid(buyer, projectId, body, "PASSPORT_INVALID")
        }
        // Its statements on publications are not read.
        createdBody(
          yield* refer(buyer, projectId, referenceBody({ ...original, passport: { ...passport, statuses: [] } }))
        )
      })
    )

    it.effect("A body that is no passport, or exceeds a limit, is refused before anything is read.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const { passport } = original
        const bodies = [
          { passport: null },
          { passport: [] },
          { passport: { ...passport, schema: "service.commerce-record/v1" } },
          { passport: { ...passport, more: 1 } },
          { passport: { ...passport, summaries: [] } },
          { passport: { ...passport, manifest: "a.b" } },
          { passport: { ...passport, statuses: Array.from({ length: 10_000 }, () => "a.b.c") } },
          { passport: { ...passport, statuses: Array.from({ length: 21 }, () => passport.statuses[0]) } },
          { resultId: "record_1" },
          { reason: "" },
          { requestId: "1" }
        ]
        for (const change of bodies) {
          const answer = yield* refer(buyer, projectId, referenceBody(original, change))
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"])
          assertRefusal(answer)
        }
        const large = referenceBody(original, { reason: "x".repeat(limits.bodyBytes) })
        assert.deepStrictEqual(outcome(yield* refer(buyer, projectId, large)), [413, "REQUEST_TOO_LARGE"])
        assert.isUndefined(yield* storedReference(projectId))
      })
    )

    it.effect("The result must be in the passport, of another agreement, and of the supplier that confirmed.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const absent = referenceBody(original, { resultId: `record_${uuid()}` })
        yield* assertInvalid(buyer, projectId, absent, "RESULT_NOT_IN_PASSPORT")
        yield* assertInvalid(original.buyer, original.projectId, referenceBody(original), "SELF_REFERENCE")
        const another = yield* nextAgreement({ supplier: yield* signInNewPerson("Otto") })
        yield* assertInvalid(another.buyer, another.projectId, referenceBody(original), "NOT_THIS_SUPPLIER")
      })
    )

    it.effect(
      "The result must be public now: a withdrawn one is not, and a contested one only once that is dismissed.",
      () =>
        Effect.gen(function* () {
          const original = yield* paidAndPublished
          const { buyer, projectId } = yield* nextAgreement(original)
          yield* contest(original)
          yield* assertInvalid(buyer, projectId, referenceBody(original), "NOT_CURRENTLY_PUBLIC")
          yield* dismissConcern(original)
          const withdrawn = withdraw(original.supplier, original.publication)
          const beside = yield* Effect.flip(beforeTransaction(withdrawn, record(buyer, inputOf(original, projectId))))
          assert.deepStrictEqual(beside.facts.issues, [{ path: "resultId", message: "NOT_CURRENTLY_PUBLIC" }])
          yield* assertInvalid(buyer, projectId, referenceBody(original), "NOT_CURRENTLY_PUBLIC")
        })
    )

    it.effect("An agreement that is not confirmed, or has ended, takes no reference.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { supplier } = original
        const buyer = yield* signInNewPerson("Nora")
        const offered = yield* createAgreementAsPerson(buyer, supplier)
        yield* assertInvalid(buyer, offered, referenceBody(original), "NEXT_NOT_CONFIRMED")
        const decline = answerOf(yield* readProjectAsPerson(supplier, offered), supplier, { action: "DECLINE" })
        createdBody(yield* commandAsPerson(supplier, offered, "respond", decline))
        yield* assertInvalid(buyer, offered, referenceBody(original), "NEXT_NOT_CONFIRMED")
        const delivered = yield* runToDelivered({ buyer, supplier })
        const reject = decisionOf(yield* readProjectAsPerson(buyer, delivered), "REJECT")
        createdBody(yield* commandAsPerson(buyer, delivered, "review", reject))
        yield* assertInvalid(buyer, delivered, referenceBody(original), "NEXT_NOT_CONFIRMED")
        const { projectId, buyer: other } = yield* nextAgreement(original)
        const superseded = supersedeByRevision(other, supplier, projectId)
        const beside = yield* Effect.flip(beforeTransaction(superseded, record(other, inputOf(original, projectId))))
        assert.deepStrictEqual(beside.facts.issues, [{ path: "id", message: "NEXT_NOT_CONFIRMED" }])
        yield* assertInvalid(other, projectId, referenceBody(original), "NEXT_NOT_CONFIRMED")
      })
    )

    it.effect("An unknown agreement is refused as a foreign one, and without a transaction.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { projectId } = yield* nextAgreement(original)
        const stranger = yield* signInNewPerson("Una")
        const [foreign, unknown] = [
          yield* refer(stranger, projectId, referenceBody(original)),
          yield* refer(stranger, `delivery_${uuid()}`, referenceBody(original))
        ]
        assert.deepStrictEqual(outcome(foreign), [403, "FORBIDDEN"])
        assert.deepStrictEqual({ ...unknown.body, requestId: "" }, { ...foreign.body, requestId: "" })
        for (const id of [projectId, `delivery_${uuid()}`]) {
          const locking = beforeTransaction(Effect.die("a transaction"), record(stranger, inputOf(original, id)))
          assert.strictEqual((yield* Effect.flip(locking)).code, "FORBIDDEN")
        }
        const malformed = yield* refer(stranger, "delivery_1", referenceBody(original))
        assert.deepStrictEqual(outcome(malformed), [404, "NOT_FOUND"])
      })
    )

    it.effect(
      "A member of the buyer needs AGREEMENT_CREATE; the supplier, agents and persons without a session record none.",
      () =>
        Effect.gen(function* () {
          const original = yield* paidAndPublished
          const { buyer, supplier, projectId } = yield* nextAgreement(original)
          const others = authorities.filter((authority) => authority !== "AGREEMENT_CREATE")
          const without = yield* joinOrganization(buyer, "Mia", others)
          for (const person of [without, supplier]) {
            const answer = yield* refer(person, projectId, referenceBody(original))
            assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
            assert.include(answer.body.detail, "AGREEMENT_CREATE")
          }
          const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
          const path = `/api/workspace/projects/${projectId}/history-reference`
          for (const sent of [{ token }, {}]) {
            const answer = yield* send("POST", path, { ...sent, body: referenceBody(original) })
            assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
          }
          const alone = yield* joinOrganization(buyer, "Cleo", ["AGREEMENT_CREATE"])
          const end = endMembership("OPERATOR", alone)
          const ended = beforeTransaction(end, record(alone, inputOf(original, projectId)))
          assert.strictEqual((yield* Effect.flip(ended)).code, "FORBIDDEN")
          const member = yield* joinOrganization(buyer, "Cleo", ["AGREEMENT_CREATE"])
          createdBody(yield* refer(member, projectId, referenceBody(original)))
        })
    )

    it.effect("Without a key for closures nothing is recorded.", () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const rows = yield* everyRow
        const refused = record(buyer, inputOf(original, projectId)).pipe(withoutKey("CLOSURE"))
        assert.strictEqual((yield* Effect.flip(refused)).code, "ISSUER_NOT_CONFIGURED")
        assert.deepStrictEqual(yield* everyRow, rows)
      })
    )

    it.effect.each(commitFaults)(
      "After a crash around the commit (%s) the same request records one reference.",
      (fault) =>
        Effect.gen(function* () {
          const original = yield* paidAndPublished
          const { buyer, projectId } = yield* nextAgreement(original)
          const input = inputOf(original, projectId)
          const requestId = uuid()
          const exit = yield* Effect.exit(withCommitFault(1, fault, record(buyer, input, requestId)))
          assert.isTrue(Exit.isFailure(exit))
          const stored = yield* storedReference(projectId)
          assert.strictEqual(stored !== undefined, fault === "COMMITTED")
          const { reference, replayed } = yield* record(buyer, input, requestId)
          assert.strictEqual(replayed, fault === "COMMITTED")
          assert.deepStrictEqual(yield* storedReference(projectId), reference)
          if (stored !== undefined) assert.deepStrictEqual(stored, reference)
        })
    )
  })
})
