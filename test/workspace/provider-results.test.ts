/** The page of a supplier's public results, whose form answers with a file. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ExportBytes } from "../../src/records/portable-export.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { selectionValue } from "../../src/workspace/providers/selection.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { post, type CookieJar, type Fields } from "../support/forms.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { formOn, formsOn, problemsOn, readPage } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { textOn } from "../support/project-pages.ts"
import { contest, listDisclosed, publish, publishedResult, withdraw } from "../support/publications.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { freshTestService, send, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { copyPublication } from "../support/stored-publications.ts"

const pathOf = (subjectId: string) => `/workspace/providers/${subjectId}`

/** Two results of one supplier that are public. */
const twoResults = Effect.gen(function* () {
  const first = yield* publishedResult
  const { buyer, supplier, subjectId } = first
  const projectId = yield* agreementWithRecord({ buyer, supplier })
  const second = yield* publish({ buyer, supplier, projectId }, { title: "A second logo" })
  return { buyer, supplier, path: pathOf(subjectId), subjectId, first: first.publication, second }
})

const submitAt = (path: string, fields: Fields, jar: CookieJar = {}, headers = {}) => post(path, fields, jar, headers)

/** The values of the boxes on a page, and those of the ticked ones. */
const boxesOn = ({ text }: Answer) => {
  const boxes = [...text.matchAll(/<input type="checkbox" name="selection"[^>]*>/g)].map(([box]) => box)
  const valueOf = (box: string) => / value="([^"]*)"/.exec(box)![1]!
  return { values: boxes.map(valueOf), ticked: boxes.filter((box) => box.includes(" checked")).map(valueOf) }
}

const pageHeaders = [
  "content-security-policy",
  "x-frame-options",
  "x-content-type-options",
  "referrer-policy",
  "permissions-policy"
]

layer(freshTestService, { excludeTestServices: true })("public results of a supplier", (it) => {
  it.effect("A visitor without a session gets the ticked results as JSON or as a ZIP file.", () =>
    Effect.gen(function* () {
      const { path, first, second, subjectId } = yield* twoResults
      const shown = yield* send("GET", path)
      assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text), shown.cookies], [200, [], []])
      for (const text of ["Sam", "A logo", "A second logo", "The supplier may have other results."]) {
        assert.include(textOn(shown), text)
      }
      const form = formOn(shown, path)
      assert.deepStrictEqual([form.hidden, form.names], [{}, ["selection", "format"]])
      const { values, ticked } = boxesOn(shown)
      assert.sameMembers([...values], [selectionValue(first), selectionValue(second)])
      assert.deepStrictEqual(ticked, [])

      const chosen = [first, second].map(selectionValue)
      const json = yield* submitAt(path, { selection: chosen, format: "json" })
      assert.deepStrictEqual([json.status, json.cookies], [200, []])
      const manifest = payloadOf(json.body.manifest)
      assert.deepStrictEqual(
        manifest.entries.map(({ publicationId }: any) => publicationId),
        [first, second].map(({ publicationId }) => publicationId)
      )
      assert.deepStrictEqual([manifest.subject.id, json.body.statuses.length], [subjectId, 2])
      const zip = yield* submitAt(path, { selection: chosen[0]!, format: "zip" })
      assert.deepStrictEqual(
        [zip.status, zip.headers["content-type"], zip.text.slice(0, 2)],
        [200, "application/zip", "PK"]
      )
      for (const [answer, name] of [
        [json, "passport.json"],
        [zip, "passport.zip"]
      ] as const) {
        assert.strictEqual(answer.headers["content-disposition"], `attachment; filename="${name}"`)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        for (const header of pageHeaders) assert.strictEqual(answer.headers[header], shown.headers[header], header)
      }
    })
  )

  it.effect("A selection that gives no file is shown again with its problem and its ticks.", () =>
    Effect.gen(function* () {
      const { path, first, second, supplier } = yield* twoResults
      const known = [first, second].map(selectionValue)
      const unknown = () => `pub_${uuid()}.${"0".repeat(64)}`
      const unavailable =
        "At least one of the selected results is no longer public as it was shown. The results below are current: read the selection again, then send it again."
      const cases: ReadonlyArray<readonly [Fields, number, string, string]> = [
        [{ format: "json" }, 400, "selection", "Select at least one result."],
        [{ selection: [...known, ...Array.from({ length: 19 }, unknown)], format: "json" }, 400, "selection", "Select at most 20 results: a file takes no more."],
        [{ selection: [known[0]!, known[0]!], format: "json" }, 400, "selection", "Select each result once."],
        [{ selection: known }, 400, "format", "Choose one: the file."],
        [{ selection: known, format: "pdf" }, 400, "format", "Choose one: the file."],
        [{ selection: [known[0]!, unknown()], format: "zip" }, 409, "selection", unavailable],
        [{ selection: `${first.publicationId}.${"0".repeat(64)}`, format: "zip" }, 409, "selection", unavailable]
      ] // prettier-ignore
      for (const [fields, status, field, message] of cases) {
        const refused = yield* submitAt(path, fields)
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [status, [[field, message]]])
        assert.deepStrictEqual(accessibilityFaults(refused.text), [])
        const sent = [fields["selection"] ?? []].flat()
        assert.sameMembers(
          [...boxesOn(refused).ticked],
          known.filter((value) => sent.includes(value))
        )
      }
      for (const selection of ["on", "pub_1", `${known[0]}.${"0".repeat(64)}`, known[0]!.toUpperCase()]) {
        const refused = yield* submitAt(path, { selection, format: "json" })
        assert.deepStrictEqual([refused.status, problemsOn(refused).length], [400, 1])
      }
      assert.strictEqual((yield* submitAt(path, { selection: known, format: "json", other: "1" })).status, 400)
      yield* withdraw(supplier, first)
      const withdrawn = yield* submitAt(path, { selection: known, format: "json" })
      assert.deepStrictEqual([withdrawn.status, problemsOn(withdrawn)], [409, [["selection", unavailable]]])
      assert.deepStrictEqual(boxesOn(withdrawn), { values: [known[1]!], ticked: [known[1]!] })
      assert.strictEqual((yield* submitAt(path, { selection: known[1]!, format: "json" })).status, 200)
    })
  )

  it.effect("A file that would be too large is refused on the page, with its limit.", () =>
    Effect.gen(function* () {
      const { path, first } = yield* twoResults
      const refused = yield* Effect.provideService(
        submitAt(path, { selection: selectionValue(first), format: "json" }),
        ExportBytes,
        100
      )
      assert.strictEqual(refused.status, 413)
      assert.deepStrictEqual(problemsOn(refused), [
        ["selection", "The file would be larger than 2,097,152 bytes. Select fewer results."]
      ])
    })
  )

  it.effect("The results of an unknown supplier, of another address or of another list are answered with a page.", () =>
    Effect.gen(function* () {
      const { path, first } = yield* twoResults
      const fields = { selection: selectionValue(first), format: "json" }
      for (const id of [`provider_${uuid()}`, `organization_${uuid()}`, "x", "%00", "..%2F..", "a".repeat(5_000)]) {
        for (const answer of [yield* send("GET", pathOf(id)), yield* submitAt(pathOf(id), fields)]) {
          assert.deepStrictEqual([answer.status, accessibilityFaults(answer.text)], [404, []], id)
        }
      }
      for (const after of ["x", "", "%00", "a".repeat(2_000)]) {
        const answer = yield* send("GET", `${path}?after=${after}`)
        assert.deepStrictEqual([answer.status, accessibilityFaults(answer.text)], [400, []], after)
      }
    })
  )

  it.effect(
    "The form of public results needs no session, requires the token of one, and is refused from other sites.",
    () =>
      Effect.gen(function* () {
        const { path, first, buyer } = yield* twoResults
        const fields = { selection: selectionValue(first), format: "json" }
        const jar = { session: buyer.token }
        const shown = yield* readPage(buyer, path)
        const { formToken } = formOn(shown, path).hidden
        assert.strictEqual((yield* submitAt(path, { ...fields, formToken: formToken! }, jar)).status, 200)
        assert.strictEqual((yield* submitAt(path, fields, jar)).status, 403)
        assert.strictEqual((yield* submitAt(path, { ...fields, formToken: "a" }, jar)).status, 403)
        for (const headers of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }]) {
          assert.strictEqual((yield* submitAt(path, fields, {}, headers)).status, 403)
        }
        assert.strictEqual((yield* submitAt(path, fields)).status, 200)
      })
  )

  it.effect("More than 50 results are on several pages, each result once, and each page has its own form.", () =>
    Effect.gen(function* () {
      const { publication, subjectId } = yield* publishedResult
      yield* copyPublication(publication, 104)
      const seen: Array<ReadonlyArray<string>> = []
      let path: string | undefined = pathOf(subjectId)
      while (path !== undefined) {
        const shown: Answer = yield* send("GET", path)
        assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []])
        assert.strictEqual(shown.text.includes("Latest results"), seen.length > 0)
        const { values } = boxesOn(shown)
        seen.push(values)
        const selection = values.slice(0, limits.passportSelectionMax)
        const [form] = formsOn(shown.text)
        assert.strictEqual((yield* submitAt(form!.action, { selection, format: "zip" })).status, 200)
        const all = yield* submitAt(form!.action, { selection: values, format: "zip" })
        const isTooMany = values.length > limits.passportSelectionMax
        assert.strictEqual(all.status, isTooMany ? 400 : 200)
        if (isTooMany) assert.deepStrictEqual(boxesOn(all), { values, ticked: values })
        path = /<a href="([^"]*)">Earlier results<\/a>/.exec(shown.text)?.[1]
      }
      assert.deepStrictEqual(
        seen.map(({ length }) => length),
        [50, 50, 5]
      )
      assert.strictEqual(new Set(seen.flat()).size, 105)
      const listed = yield* listDisclosed(subjectId)
      assert.deepStrictEqual(seen[0], listed.body.publications.map(selectionValue))
    })
  )

  it.effect("A supplier whose results are all hidden has a page that says so, with no form.", () =>
    Effect.gen(function* () {
      const { publication, subjectId, supplier } = yield* publishedResult
      yield* withdraw(supplier, publication)
      const shown = yield* send("GET", pathOf(subjectId))
      assert.deepStrictEqual([shown.status, formsOn(shown.text)], [200, []])
      assert.include(textOn(shown), "No result is public now.")
    })
  )

  it.effect("A page whose results are all hidden says so, and continues with the earlier ones.", () =>
    Effect.gen(function* () {
      const result = yield* publishedResult
      yield* copyPublication(result.publication, limits.publicationsOnPage)
      yield* contest(result)
      const first = yield* send("GET", pathOf(result.subjectId))
      assert.include(textOn(first), "No result on this page is public now.")
      const earlier = first.text.match(/href="([^"]*\?after=[^"]*)"/)![1]!
      assert.include(textOn(yield* send("GET", earlier)), "There are no earlier results.")
    })
  )

  it.effect("Titles and names are shown as inert text.", () =>
    Effect.gen(function* () {
      const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>\u202e\u200b`
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson(hostile)
      const projectId = yield* agreementWithRecord({ buyer, supplier })
      const { projection } = yield* publish({ buyer, supplier, projectId }, { title: hostile, summary: hostile })
      const path = pathOf(projection.subject.id)
      const shown = yield* send("GET", path)
      const problem = yield* submitAt(path, { format: "<script>" })
      for (const page of [shown, problem]) {
        // In the heading, in the facts and at the box.
        assert.lengthOf(textOn(page).match(/‹U\+202E›‹U\+200B›/g)!, 4)
        assert.notMatch(page.text, /<script>|<img|[\u202e\u200b]/)
        assert.deepStrictEqual(accessibilityFaults(page.text), [])
      }
    })
  )
})
