import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { unzipSync } from "fflate"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { passportReadme } from "../../src/publications/readme.ts"
import { exportPassport as exportFile } from "../../src/publications/public-operations.ts"
import { ExportBytes } from "../../src/records/portable-export.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { assertRefusal } from "../support/errors.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import {
  contest,
  dismissConcern,
  exportPassport,
  listDisclosed,
  propose,
  publish,
  publishedResult,
  readStatus,
  selectionOf,
  withdraw
} from "../support/publications.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** Two published results of one supplier. */
const twoResults = Effect.gen(function* () {
  const first = yield* publishedResult
  const { buyer, supplier } = first
  const projectId = yield* agreementWithRecord({ buyer, supplier })
  const second = { ...first, projectId, publication: yield* publish({ buyer, supplier, projectId }) }
  const [one, two] = [selectionOf(first.publication), selectionOf(second.publication)]
  return { first, second, subjectId: first.subjectId, one, two }
})

const statusesIn = (jws: ReadonlyArray<string>) =>
  jws.map((status) => {
    const { publicationId, status: word } = payloadOf(status)
    return [publicationId, word]
  })

const assertRefused = (answer: Answer, code: RefusalCode) => {
  assertRefusal(answer)
  assert.strictEqual(answer.body.error, code)
}

const unavailable = (answer: Answer, ...indexes: ReadonlyArray<number>) => {
  assert.deepStrictEqual(outcome(answer), [409, "PASSPORT_SELECTION_UNAVAILABLE"])
  assert.deepStrictEqual(
    answer.body.issues,
    indexes.map((index) => ({ path: `selections[${index}]`, message: "NOT_CURRENTLY_PUBLIC" }))
  )
}

describe.each(stores)("the public operations on publications %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A passport holds the stored summaries in the requester's order, a manifest and statements.", () =>
      Effect.gen(function* () {
        const { first, second, subjectId, one, two } = yield* twoResults
        const answer = yield* exportPassport(subjectId, { selections: [two, one] })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.strictEqual(answer.headers["content-disposition"], 'attachment; filename="passport.json"')
        assert.match(answer.headers["content-type"]!, /^application\/json/)
        assert.strictEqual(answer.text, canonicalText(answer.body))
        const { schema, manifest, summaries, statuses } = answer.body
        assert.strictEqual(schema, "service.result-passport/v1")
        const published = [second.publication, first.publication]
        assert.deepStrictEqual(
          summaries.map(payloadOf),
          published.map(({ projection }) => projection)
        )
        const { issuedAt, ...payload } = payloadOf(manifest)
        assert.deepStrictEqual(payload, {
          schema,
          issuer: "countersign-test",
          environment: "test",
          subject: { id: subjectId },
          coverage: "SELECTED_RESULTS_NOT_COMPLETE_HISTORY",
          selectedBy: "REQUESTER",
          verificationScope: "SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS",
          entries: published.map(({ publicationId, publicationDigest, projection }, index) => ({
            resultId: projection.resultId,
            publicationId,
            publicationDigest,
            completionTime: projection.completionTime,
            summaryDigest: digestOf(summaries[index])
          }))
        })
        assert.deepStrictEqual(
          statuses.map(payloadOf),
          [two, one].map((selection) => ({
            schema: "service.publication-status/v1",
            issuedAt,
            expiresAt: addMilliseconds(issuedAt, 300_000),
            ...selection,
            status: "AVAILABLE"
          }))
        )
      })
    )

    it.effect("A passport as ZIP holds the JSON of the passport and the instructions.", () =>
      Effect.gen(function* () {
        const { subjectId, publication } = yield* publishedResult
        const body = { selections: [selectionOf(publication)] }
        const zip = yield* exportFile({ subjectId, ...body }, "zip")
        const entries = unzipSync(zip.file as Uint8Array)
        assert.deepStrictEqual(Object.keys(entries), ["passport.json", "README.txt"])
        const text = new TextDecoder().decode(entries["passport.json"])
        assert.strictEqual(text, canonicalText(JSON.parse(text)))
        assert.strictEqual(JSON.parse(text).summaries.length, 1)
        assert.strictEqual(new TextDecoder().decode(entries["README.txt"]), passportReadme)
        const answer = yield* exportPassport(subjectId, body, "?format=zip")
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers["content-type"], "application/zip")
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.strictEqual(answer.headers["content-disposition"], 'attachment; filename="passport.zip"')
        assert.strictEqual(
          (yield* exportPassport(subjectId, body, "?format=json")).body.schema,
          JSON.parse(text).schema
        )
      })
    )

    it.effect("A selection of 0, of 21 and of one publication twice is refused, before the subject is read.", () =>
      Effect.gen(function* () {
        const { subjectId, publication } = yield* publishedResult
        const one = selectionOf(publication)
        const many = (count: number) =>
          Array.from({ length: count }, () => ({ ...one, publicationId: `pub_${uuid()}` }))
        const changed = { ...one, publicationDigest: "0".repeat(64) }
        for (const selections of [[], many(21), [one, one], [one, changed]]) {
          for (const subject of [subjectId, `provider_${uuid()}`]) {
            for (const ask of [exportPassport, readStatus]) {
              assertRefused(yield* ask(subject, { selections }), "PASSPORT_SELECTION_INVALID")
            }
          }
        }
        unavailable(yield* exportPassport(subjectId, { selections: many(20) }), ...Array.from({ length: 20 }).keys())
      })
    )

    it.effect("A selection that is not public is refused with one message, whatever the cause.", () =>
      Effect.gen(function* () {
        const { first, second, subjectId, one, two } = yield* twoResults
        const foreign = yield* publishedResult
        const projectId = yield* agreementWithRecord(first)
        const proposed = createdBody(yield* propose(first.supplier, projectId))
        const changed = { ...one, publicationDigest: "0".repeat(64) }
        const reasons = [
          changed,
          { publicationId: `pub_${uuid()}`, publicationDigest: one.publicationDigest },
          selectionOf(foreign.publication),
          selectionOf(proposed)
        ]
        for (const reason of reasons) unavailable(yield* exportPassport(subjectId, { selections: [two, reason] }), 1)
        yield* contest(second)
        unavailable(yield* exportPassport(subjectId, { selections: [two, one] }), 0)
        yield* dismissConcern(second)
        assert.strictEqual((yield* exportPassport(subjectId, { selections: [two, one] })).status, 200)
        createdBody(yield* withdraw(first.buyer, first.publication))
        unavailable(yield* exportPassport(subjectId, { selections: [changed, two, selectionOf(proposed)] }), 0, 2)
      })
    )

    it.effect("A statement is made about publications of the subject only, in the requester's order.", () =>
      Effect.gen(function* () {
        const { first, second, subjectId, one, two } = yield* twoResults
        const foreign = selectionOf((yield* publishedResult).publication)
        const unknown = { ...one, publicationId: `pub_${uuid()}` }
        const changed = { ...one, publicationDigest: "0".repeat(64) }
        const ask = (...selections: ReadonlyArray<typeof one>) =>
          Effect.map(readStatus(subjectId, { selections }), (answer) => {
            assert.strictEqual(answer.headers["cache-control"], "no-store")
            return statusesIn(createdBody(answer))
          })
        assert.deepStrictEqual(yield* ask(two, foreign, one, unknown), [
          [two.publicationId, "AVAILABLE"],
          [one.publicationId, "AVAILABLE"]
        ])
        assert.deepStrictEqual(yield* ask(foreign, unknown), [])
        assert.deepStrictEqual(yield* ask(changed), [[one.publicationId, "UNAVAILABLE"]])
        yield* contest(second)
        createdBody(yield* withdraw(first.supplier, first.publication))
        assert.deepStrictEqual(yield* ask(one, two), [
          [one.publicationId, "UNAVAILABLE"],
          [two.publicationId, "UNAVAILABLE"]
        ])
        const [statement] = createdBody(yield* readStatus(subjectId, { selections: [changed] }))
        assert.strictEqual(payloadOf(statement).publicationDigest, changed.publicationDigest)
      })
    )

    it.effect("The refusals of a passport come in one order: address, body, format, selection, subject.", () =>
      Effect.gen(function* () {
        const { publication } = yield* publishedResult
        const unknown = `provider_${uuid()}`
        const selections = [selectionOf(publication)]
        const invalid = { selections, more: true }
        for (const subject of ["provider_1", uuid(), publication.publicationId, `provider_${uuid().toUpperCase()}`]) {
          assertRefused(yield* exportPassport(subject, invalid, "?format=pdf"), "NOT_FOUND")
          assertRefused(yield* readStatus(subject, invalid), "NOT_FOUND")
          assertRefused(yield* listDisclosed(subject), "NOT_FOUND")
        }
        assertRefused(yield* exportPassport(unknown, invalid, "?format=pdf"), "INVALID_REQUEST")
        for (const format of ["pdf", "", "ZIP", "json%20"]) {
          const answer = yield* exportPassport(unknown, { selections: [] }, `?format=${format}`)
          assertRefused(answer, "EXPORT_FORMAT_UNKNOWN")
        }
        assertRefused(yield* exportPassport(unknown, { selections: [] }), "PASSPORT_SELECTION_INVALID")
        assertRefused(yield* exportPassport(unknown, { selections }), "PASSPORT_SUBJECT_UNKNOWN")
        assertRefused(yield* readStatus(unknown, { selections }), "PASSPORT_SUBJECT_UNKNOWN")
        assertRefused(yield* listDisclosed(unknown), "PASSPORT_SUBJECT_UNKNOWN")
      })
    )

    it.effect("A passport request is decoded strictly and has at most 8,192 bytes.", () =>
      Effect.gen(function* () {
        const { subjectId, publication } = yield* publishedResult
        const one = selectionOf(publication)
        const valid = JSON.stringify({ selections: [one] })
        const ask = (text: string, query = "") => exportPassport(subjectId, undefined, query, { raw: text })
        const padded = (bytes: number) => valid + " ".repeat(bytes - valid.length)
        assert.strictEqual((yield* ask(padded(limits.passportRequestBytes))).status, 200)
        const tooLarge = yield* ask(padded(limits.passportRequestBytes + 1))
        assertRefused(tooLarge, "REQUEST_TOO_LARGE")
        assert.include(tooLarge.body.detail, "8192")
        const invalid = [
          `{"selections":[],${valid.slice(1)}`,
          valid.replace("{", '{"subjectId":"provider_1",'),
          valid.replace('"publicationId"', '"publicationId":"pub_1","publicationId"'),
          valid.replace(one.publicationId, "pub_1"),
          valid.replace(one.publicationDigest, one.publicationDigest.toUpperCase()),
          "{}",
          "[]",
          ""
        ]
        for (const text of invalid) assertRefused(yield* ask(text), "INVALID_REQUEST")
        assertRefused(yield* ask(valid, "?format=json&format=zip"), "INVALID_REQUEST")
        assertRefused(yield* ask(valid, "?form=zip"), "INVALID_REQUEST")
      })
    )

    it.effect("An export over its bound of canonical bytes is refused, in either format.", () =>
      Effect.gen(function* () {
        const { subjectId, publication } = yield* publishedResult
        const request = { subjectId, selections: [selectionOf(publication)] }
        const { file } = yield* exportFile(request)
        const bytes = Buffer.byteLength(file as string)
        const bounded = (format: string, bound: number) =>
          Effect.provideService(exportFile(request, format), ExportBytes, bound)
        // Signatures, ids and instants have one length, so that another export has as many bytes.
        assert.strictEqual(Buffer.byteLength((yield* bounded("json", bytes)).file as string), bytes)
        for (const format of ["json", "zip"]) {
          assert.strictEqual((yield* Effect.flip(bounded(format, bytes - 1))).code, "EXPORT_TOO_LARGE")
        }
      })
    )

    it.effect("A passport of 20 summaries of the longest texts stays under 2 MiB.", () =>
      Effect.gen(function* () {
        const pair = yield* publishedResult
        const longest = {
          title: "😀".repeat(limits.titleCharacters / 2),
          summary: "😀".repeat(limits.textCharacters / 2)
        }
        const selections = []
        for (let count = 0; count < limits.passportSelectionMax; count++) {
          const projectId = yield* agreementWithRecord(pair)
          selections.push(selectionOf(yield* publish({ ...pair, projectId }, longest)))
        }
        const answer = yield* exportPassport(pair.subjectId, { selections })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.lengthOf(answer.body.summaries, 20)
        assert.isBelow(Buffer.byteLength(answer.text), limits.canonicalExportBytes / 4)
      })
    )

    it.effect("The list shows what is disclosed now, and nothing of what is not.", () =>
      Effect.gen(function* () {
        const { first, second, subjectId, one, two } = yield* twoResults
        const listed = Effect.map(listDisclosed(subjectId), createdBody)
        const entryOf = ({ publication: { publicationId, publicationDigest, projection } }: typeof first) => ({
          publicationId,
          publicationDigest,
          resultId: projection.resultId,
          title: "A logo",
          completionTime: projection.completionTime
        })
        const { subject } = first.publication.projection
        assert.deepStrictEqual(yield* listed, {
          subject,
          coverage: "DISCLOSED_RESULTS_ONLY",
          publications: [entryOf(second), entryOf(first)],
          next: null
        })
        yield* contest(second)
        assert.deepStrictEqual((yield* listed).publications, [entryOf(first)])
        createdBody(yield* withdraw(first.buyer, first.publication))
        assert.deepStrictEqual(yield* listed, {
          subject,
          coverage: "DISCLOSED_RESULTS_ONLY",
          publications: [],
          next: null
        })
        yield* dismissConcern(second)
        assert.deepStrictEqual((yield* listed).publications, [entryOf(second)])
        assert.notDeepEqual(one, two)
      })
    )

    it.effect("A cursor that the list did not return is refused with 400.", () =>
      Effect.gen(function* () {
        const { subjectId, publication } = yield* publishedResult
        const place = `${publication.projection.completionTime} ${publication.publicationId}`
        const after = (text: string) => listDisclosed(subjectId, `?after=${encodeURIComponent(text)}`)
        const encode = (text: string) => Buffer.from(text).toString("base64url")
        for (const text of ["", "x", "x.y.z", encode("x"), encode(place), `00000000.${encode(place)}`]) {
          assertRefused(yield* after(text), "INVALID_REQUEST")
        }
      })
    )
  })
})
