/** The public operations through their routes: no credential, strict input, and caching of immutable versions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { pathOfVersion } from "../../src/discovery/specification.ts"
import { assertRefusal } from "../support/errors.ts"
import { documentedResponse, readDocument } from "../support/openapi.ts"
import { freshTestService, send, type SendOptions } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { specificationOf } from "../support/specifications.ts"
import { cookieOf } from "../support/workspace.ts"

const discover = "/api/discover"
const version = "/api/discover/specifications/{id}/versions/{version}"

const search = (q: string, after?: string) =>
  send("GET", `${discover}?${new URLSearchParams(after === undefined ? { q } : { q, after })}`)

layer(freshTestService, { excludeTestServices: true })("public discovery", (it) => {
  it.effect("A version is returned as the hashed document with its digest.", () =>
    Effect.gen(function* () {
      const content = specificationOf("hashed", {
        title: `<b onclick="x">\u202e`,
        baselineStatement: "Nothing yet.",
        references: ["ISO 1"]
      })
      const { digest } = yield* publishSpecification(content)
      const answer = yield* send("GET", pathOfVersion("hashed", 1))
      assert.strictEqual(answer.status, 200)
      const { digest: returnedDigest, ...document } = answer.body
      assert.deepStrictEqual(document, { schema: "service.specification/v1", ...content, version: 1 })
      assert.strictEqual(returnedDigest, digest)
      assert.strictEqual(sha256Hex(canonicalText(document)), digest)
    })
  )

  it.effect("Only versions are cacheable as immutable, and a matching entity tag gets 304.", () =>
    Effect.gen(function* () {
      const { digest } = yield* publishSpecification(specificationOf("kept"))
      const path = pathOfVersion("kept", 1)
      const { headers } = yield* send("GET", path)
      const kept = { etag: `"${digest}"`, "cache-control": "public, max-age=31536000, immutable" }
      assert.deepInclude(headers, kept)
      for (const tags of [`"${digest}"`, `W/"${digest}"`, `"other", "${digest}"`, "*"]) {
        const cached = yield* send("GET", path, { headers: { "if-none-match": tags } })
        assert.deepStrictEqual([cached.status, cached.text], [304, ""])
        assert.deepInclude(cached.headers, kept)
      }
      const other = yield* send("GET", path, { headers: { "if-none-match": `"${"0".repeat(64)}"` } })
      assert.strictEqual(other.status, 200)
      for (const uncached of [yield* search("kept"), yield* send("GET", pathOfVersion("kept", 2))]) {
        assert.strictEqual(uncached.headers["cache-control"], "no-store")
        assert.isUndefined(uncached.headers["etag"])
      }
    })
  )

  it.effect("A version has one address, and any other or unknown one is 404.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("one-address"))
      const wrong = [
        ["one-address", "2"],
        ["one-address", "0"],
        ["one-address", "01"],
        ["one-address", "+1"],
        ["one-address", "1.0"],
        ["one-address", "1e0"],
        ["one-address", "-1"],
        ["one-address", "latest"],
        ["one-address", "%31%00"],
        ["one-address", "9007199254740993"],
        ["one-address", "9".repeat(400)],
        ["One-Address", "1"],
        ["one_address", "1"],
        ["one-address%00", "1"],
        ["%F0%9F%98%80", "1"],
        ["%ED%A0%80", "1"],
        ["-one", "1"],
        ["a".repeat(101), "1"],
        ["nothing", "1"]
      ] as const
      for (const [id, number] of wrong) {
        const answer = yield* send("GET", `${discover}/specifications/${id}/versions/${number}`)
        assert.deepStrictEqual([answer.status, answer.body?.error], [404, "NOT_FOUND"], `${id} ${number}`)
        assertRefusal(answer)
      }
    })
  )

  it.effect("An invalid search is refused with the path of the invalid parameter.", () =>
    Effect.gen(function* () {
      const refused = [
        ["", "q"],
        ["?", "q"],
        ["?q=", "q"],
        [`?q=${"a".repeat(201)}`, "q"],
        ["?q=a&q=b", "q"],
        ["?q=a&after=", "after"],
        ["?q=a&after=x", "after"],
        ["?q=a&after=%00", "after"],
        [`?q=a&after=${"a".repeat(201)}`, "after"],
        [`?q=a&after=${Buffer.from("0000000000000000.1.a").toString("base64url")}`, "after"],
        ["?q=a&limit=3", "limit"],
        ["?Q=a", "q"]
      ] as const
      for (const [query, path] of refused) {
        const answer = yield* send("GET", `${discover}${query}`)
        assert.strictEqual(answer.status, 400, query)
        assertRefusal(answer)
        const paths = answer.body.issues.map((issue: { readonly path: string }) => issue.path)
        assert.include(paths, path, query)
      }
    })
  )

  it.effect("A search never fails, whatever its query text.", () =>
    Effect.gen(function* () {
      const odd = [
        "%",
        "%zz",
        "%00",
        "%ED%A0%80",
        "%FF",
        "%F0%90%90%80",
        "*",
        "\\",
        "'",
        "%27%3B--",
        "__proto__",
        "a%00b"
      ]
      for (const q of [...odd, "_", "%25", "%5C", encodeURIComponent("ﷺ".repeat(200)), "1".repeat(200)]) {
        const answer = yield* send("GET", `${discover}?q=${q}`)
        assert.strictEqual(answer.status, 200, `${q} ${answer.text}`)
        assert.strictEqual(answer.body.next, null)
      }
      const longest = yield* search("𐐀".repeat(100))
      assert.deepStrictEqual(longest.body, { specifications: [], next: null })
    })
  )

  it.effect("A search returns the newest version of each match, in pages.", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 21; index++) {
        const id = `paged-${String(index).padStart(2, "0")}`
        yield* publishSpecification(specificationOf(id, { title: "Marmalade" }))
      }
      const { version, digest } = yield* publishSpecification(
        specificationOf("paged-00", { title: "Orange marmalade", summary: "Bitter." })
      )
      const first = yield* search("marma")
      assert.lengthOf(first.body.specifications, 20)
      assert.deepStrictEqual(first.body.specifications[0], {
        id: "paged-00",
        version,
        title: "Orange marmalade",
        summary: "Bitter.",
        digest
      })
      assert.strictEqual(version, 2)
      const second = yield* search("MARMA", first.body.next)
      assert.deepStrictEqual(
        second.body.specifications.map(({ id }: { readonly id: string }) => id),
        ["paged-20"]
      )
      assert.strictEqual(second.body.next, null)
      assert.strictEqual((yield* search("orange", first.body.next)).status, 400)
    })
  )

  it.effect("Public operations ignore credentials, valid or not.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("for-all"))
      const dana = yield* signInNewPerson("Dana")
      const plain = yield* send("GET", `${discover}?q=all`)
      const credentials: ReadonlyArray<SendOptions> = [
        { token: "dda_nonsense" },
        { headers: { cookie: cookieOf(dana.token) } },
        { headers: { cookie: cookieOf("nonsense") } },
        { headers: { authorization: "Basic eA==" } },
        { headers: { origin: "https://elsewhere.test", "sec-fetch-site": "cross-site" } }
      ]
      for (const credential of credentials) {
        const answer = yield* send("GET", `${discover}?q=all`, credential)
        assert.deepStrictEqual([answer.status, answer.body], [200, plain.body])
        assert.deepStrictEqual(answer.cookies, [])
        assert.strictEqual((yield* send("GET", pathOfVersion("for-all", 1), credential)).status, 200)
      }
      assert.strictEqual(plain.headers["service-api-version"], "1.8.0")
    })
  )

  it.effect("The responses of public discovery match the OpenAPI document.", () =>
    Effect.gen(function* () {
      const { digest } = yield* publishSpecification(specificationOf("documented", { references: [] }))
      const assertDocumented = documentedResponse(yield* readDocument("/api/public"))
      const path = pathOfVersion("documented", 1)
      assertDocumented(version, "get", yield* send("GET", path))
      assertDocumented(version, "get", yield* send("GET", path, { headers: { "if-none-match": `"${digest}"` } }))
      assertDocumented(version, "get", yield* send("GET", pathOfVersion("documented", 2)))
      assertDocumented(discover, "get", yield* search("documented"))
      assertDocumented(discover, "get", yield* search("?"))
      assertDocumented(discover, "get", yield* send("GET", discover))
      const large = yield* send("GET", `${discover}?q=a`, { headers: { "content-length": "1000001" } })
      assert.strictEqual(large.status, 413)
      assertDocumented(discover, "get", large)
      for (const method of ["POST", "PUT", "DELETE"] as const) {
        assert.strictEqual((yield* send(method, path)).status, 404)
      }
    })
  )
})
