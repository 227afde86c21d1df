import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { assertRefusal } from "../support/errors.ts"
import type { ValidRequest } from "../support/valid-request.ts"
import { publicRequests, validRequests } from "../support/requests.ts"
import { freshTestService, send, type SendOptions } from "../support/service.ts"

/** Refused requests change nothing, so tests of refusals share one service. */
class Requests extends Context.Service<Requests, ReadonlyArray<ValidRequest>>()("test/Requests") {}
const everyRequest = Effect.map(Effect.all([validRequests, publicRequests]), (requests) => requests.flat())
const sharedRequests = Layer.effect(Requests, everyRequest).pipe(Layer.provideMerge(freshTestService))

const post = ({ path, token }: ValidRequest, options: SendOptions) =>
  send("POST", path, { ...(token === undefined ? {} : { token }), ...options })

const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)
const encode = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(parts.flatMap((part) => [...part]))

type Damage = (text: string) => string | Uint8Array

const firstValue = /:(?:"[^"]*"|true)/
const inText = (damaged: string) => (text: string) => text.replace(firstValue, `:"a${damaged}"`)
const inBytes = (...values: ReadonlyArray<number>): Damage => {
  return (text) => joined(encode(text.slice(0, -1)), encode(',"x":"'), bytes(...values), encode('"}'))
}
const nested = (levels: number) => (text: string) =>
  `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)},${text.slice(1)}`

/**
 * Ways to damage any valid body: each must be 400 for every operation. The message proves that it was refused for this
 * defect, and not for another one.
 */
const damages: { readonly [name: string]: readonly [Damage, RegExp] } = {
  "nothing at all": [() => "", /ends where a value is expected/],
  "white space": [() => " \n", /ends where a value is expected/],
  "an array": [() => "[]", /^Expected/],
  "an array around it": [(text) => `[${text}]`, /^Expected/],
  null: [() => "null", /^Expected/],
  "a number": [() => "1", /^Expected/],
  "a text": [() => '"{}"', /^Expected/],
  "an empty object": [() => "{}", /^(Missing|Expected)/],
  "two documents": [(text) => text + text, /text after the end/],
  "half of it": [(text) => text.slice(0, text.length / 2), /expected|unterminated|an escape/],
  "a trailing comma": [(text) => `${text.slice(0, -1)},}`, /member name in quotes/],
  "a comment": [(text) => `/* */${text}`, /a value is expected/],
  "a byte order mark": [(text) => joined(bytes(0xef, 0xbb, 0xbf), encode(text)), /byte order mark/],
  "UTF-16": [(text) => new Uint8Array(Buffer.from(text, "utf16le")), /expected|not UTF-8/],
  "invalid UTF-8": [inBytes(0xc3, 0x28), /not UTF-8/],
  "an overlong encoding": [inBytes(0xc0, 0xaf), /not UTF-8/],
  "a surrogate in UTF-8": [inBytes(0xed, 0xa0, 0x80), /not UTF-8/],
  "a member twice": [(text) => `{${firstMember(text)},${text.slice(1)}`, /member twice/],
  "a member twice, once escaped": [
    (text) => `{${firstMember(text).replace(/^"(.)/, escaped)},${text.slice(1)}`,
    /member twice/
  ],
  "an unknown member": [(text) => `{"unknown":1,${text.slice(1)}`, /no excess property/],
  "a __proto__ member": [(text) => `{"__proto__":{"unknown":1},${text.slice(1)}`, /no excess property/],
  "a constructor member": [(text) => `{"constructor":{"prototype":{}},${text.slice(1)}`, /no excess property/],
  "NUL in a text": [inText("\\u0000"), /U\+0000/],
  "a raw NUL": [inText("\u0000"), /raw control character/],
  "a high surrogate alone": [inText("\\ud800"), /lone surrogate/],
  "a low surrogate alone": [inText("\\udc00"), /lone surrogate/],
  "surrogates the wrong way round": [inText("\\udc00\\ud800"), /lone surrogate/],
  "NaN in the place of a value": [(text) => text.replace(firstValue, ":NaN"), /a value is expected/],
  "32 levels, which are read": [nested(32), /^Expected no excess property$/],
  "33 levels": [nested(33), /nested too deeply/],
  "1,500 levels": [nested(1_500), /nested too deeply/]
}

const firstMember = (text: string) => /^\{("[^"]+":(?:"[^"]*"|\d+|true|\{.*?\}\]?\}?))/.exec(text)?.[1] ?? '"a":1,"a":1'
const escaped = (_: string, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Paths to every object and every integer in a value. */
const placesIn = (
  value: unknown,
  isPlace: (value: unknown) => boolean,
  path: ReadonlyArray<string> = []
): Array<ReadonlyArray<string>> => {
  const here = isPlace(value) ? [path] : []
  if (typeof value !== "object" || value === null) return here
  return [...here, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, isPlace, [...path, name]))]
}

const changedAt = (value: any, [name, ...rest]: ReadonlyArray<string>, change: (value: any) => unknown): any => {
  if (name === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === name ? changedAt(one, rest, change) : one))
  return { ...value, [name]: changedAt(value[name], rest, change) }
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)

layer(sharedRequests, { excludeTestServices: true })("invalid bodies", (it) => {
  it.effect("A damaged body is 400 at every operation", () =>
    Effect.gen(function* () {
      for (const request of yield* Requests) {
        for (const [what, [damage, message]] of Object.entries(damages)) {
          const answer = yield* post(request, { raw: damage(JSON.stringify(request.body)) })
          assert.deepStrictEqual([request.operation, what, answer.status], [request.operation, what, 400])
          assertRefusal(answer)
          assert.match(answer.body.issues[0].message, message, `${request.operation}: ${what}`)
        }
      }
    })
  )

  it.effect("A body with an unknown member at any level is 400 with its path", () =>
    Effect.gen(function* () {
      for (const request of yield* Requests) {
        for (const place of placesIn(request.body, isObject)) {
          const body = changedAt(request.body, place, (value) => ({ ...value, surplus: 1 }))
          const answer = yield* post(request, { body })
          assert.strictEqual(answer.status, 400, place.join("."))
          const path = [...place, "surplus"].join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")
          assert.deepInclude(answer.body.issues, { path, message: "Expected no excess property" })
        }
      }
    })
  )

  it.effect("A number in another notation, or too large, is 400", () =>
    Effect.gen(function* () {
      const isNumber = (value: unknown) => typeof value === "number"
      for (const request of yield* Requests) {
        for (const place of placesIn(request.body, isNumber)) {
          const marked = JSON.stringify(changedAt(request.body, place, () => "NUMBER"))
          for (const number of [
            "1.5",
            "1e400",
            "-0",
            "1.0",
            "1e0",
            "9007199254740992",
            "-1",
            "01",
            "+1",
            "0x1",
            '"1"'
          ]) {
            const answer = yield* post(request, { raw: marked.replace('"NUMBER"', number) })
            assert.deepStrictEqual([place.join("."), number, answer.status], [place.join("."), number, 400])
            assertRefusal(answer)
          }
        }
      }
    })
  )

  it.effect("A body with another content type is 400", () =>
    Effect.gen(function* () {
      for (const request of yield* Requests) {
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json"]) {
          const answer = yield* post(request, { body: request.body, headers: { "content-type": type } })
          assert.strictEqual(answer.status, 400, type)
          assertRefusal(answer)
        }
      }
    })
  )

  it.effect("A wrong literal is reported with the path of its member", () =>
    Effect.gen(function* () {
      const requests = yield* Requests
      const wrong: ReadonlyArray<readonly [string, string]> = [
        ["confirmationPreview", "operation"],
        ["createProject", "materialPolicy"],
        ["respond", "input.authorityAttested"],
        ["issueRecord", "input.maxCredits"]
      ]
      for (const [operation, path] of wrong) {
        const request = requests.find((one) => one.operation === operation)!
        const answer = yield* post(request, { body: changedAt(request.body, path.split("."), () => "other") })
        assert.deepStrictEqual(pathsOf(answer), [path])
      }
    })
  )

  it.effect("Only the first issues of a body are listed, so that the response stays small", () =>
    Effect.gen(function* () {
      const request = (yield* Requests).find(({ operation }) => operation === "createProject")!
      const many = yield* post(request, {
        body: { ...request.body, criteria: Array.from({ length: 20_000 }, () => 0) }
      })
      assert.deepStrictEqual([many.status, many.body.issues.length], [400, 50])
      const long = yield* post(request, { body: { ...request.body, ["x".repeat(500_000)]: 1 } })
      assert.strictEqual(long.status, 400)
      assert.isBelow(long.text.length, 1_000)
    })
  )
})

/** The operations with another limit than 1,000,000 bytes. */
const largest: { readonly [operation: string]: number } = {
  exportResultPackage: 4_096,
  exportPassport: 8_192,
  readPublicationStatus: 8_192
}

layer(freshTestService, { excludeTestServices: true })("size of a body", (it) => {
  it.effect("A body is limited to 1,000,000 bytes, to 4,096 for an export, and to 8,192 for a passport", () =>
    Effect.gen(function* () {
      for (const request of yield* everyRequest) {
        const most = largest[request.operation] ?? 1_000_000
        const text = JSON.stringify(request.body)
        const over = yield* post(request, { raw: text + " ".repeat(most + 1 - text.length) })
        assert.deepStrictEqual([over.status, over.body.error], [413, "REQUEST_TOO_LARGE"])
        assertRefusal(over)
        const within = yield* post(request, { raw: text + " ".repeat(most - text.length) })
        assert.deepStrictEqual([request.operation, within.status], [request.operation, request.status])
      }
    })
  )

  it.effect("Texts in a body are limited to the characters of the specification", () =>
    Effect.gen(function* () {
      const requests = yield* validRequests
      const bounds: ReadonlyArray<readonly [operation: string, path: string, most: number]> = [
        ["createProject", "title", 200],
        ["createProject", "buyerName", 200],
        ["createProject", "scope", 20_000],
        ["createProject", "baselineStatement", 20_000],
        ["createProject", "supplierReference", 4_000],
        ["createProject", "criteria.0.requirement", 4_000],
        ["respond", "input.reason", 4_000],
        ["submit", "input.summary", 4_000],
        ["submit", "input.items.0.files.0.name", 200],
        ["review", "input.nextAction", 2_000]
      ]
      for (const [operation, path, most] of bounds) {
        const request = requests.find((one) => one.operation === operation)!
        const ofLength = (length: number) => {
          const body = changedAt(request.body, path.split("."), () => "x".repeat(length))
          return post(request, {
            body: changedAt(body, operation === "createProject" ? ["retainUntil"] : ["automationRevision"], () => "bad")
          })
        }
        const written = path.replace(/\.(\d+)/g, "[$1]")
        assert.notInclude(pathsOf(yield* ofLength(most)), written)
        assert.include(pathsOf(yield* ofLength(most + 1)), written)
      }
    })
  )

  it.effect("Lists in a body are limited", () =>
    Effect.gen(function* () {
      const requests = yield* validRequests
      const projects = requests.find(({ operation }) => operation === "createProject")!
      const criteria = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ id: `c${index}`, title: "One", requirement: "One." }))
      const withCriteria = (count: number) => post(projects, { body: { ...projects.body, criteria: criteria(count) } })
      assert.strictEqual((yield* withCriteria(0)).status, 400)
      assert.strictEqual((yield* withCriteria(51)).status, 400)
      const twice = [...criteria(1), ...criteria(1)]
      assert.strictEqual((yield* post(projects, { body: { ...projects.body, criteria: twice } })).status, 400)
      assert.strictEqual((yield* withCriteria(50)).status, 201)
      const submit = requests.find(({ operation }) => operation === "submit")!
      const [file] = submit.body.input.items[0].files
      const withFiles = (files: ReadonlyArray<object>) =>
        post(submit, { body: changedAt(submit.body, ["input", "items", "0", "files"], () => files) })
      const files = (count: number) => Array.from({ length: count }, (_, index) => ({ ...file, name: `f${index}` }))
      assert.strictEqual((yield* withFiles(files(101))).status, 400)
      assert.strictEqual((yield* withFiles([file, file])).status, 400)
      assert.strictEqual((yield* withFiles(files(100))).status, 200)
    })
  )
})

/** The paths of the issues in an answer. */
const pathsOf = ({ body }: { readonly body: any }): ReadonlyArray<string> => body.issues.map(({ path }: any) => path)

/** Replacement values of the fuzzer. */
const replacements: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  2 ** 53 - 1,
  "",
  " ",
  "x".repeat(5_000),
  "\u0001",
  "\u{1f600}",
  "'; drop table projects; --",
  "2026-02-30T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "0".repeat(64),
  [],
  {},
  [[]],
  { "": {} },
  { toString: 1 }
]

const anyMutation = fc.record({
  request: fc.nat(100),
  place: fc.nat(10_000),
  kind: fc.constantFrom("replace", "replace", "remove", "add", "repeat", "byte"),
  value: fc.constantFrom(...replacements),
  byte: fc.nat(255)
})
type Mutation = typeof anyMutation extends fc.Arbitrary<infer M> ? M : never

const mutated = (body: unknown, { place, kind, value, byte }: Mutation): Uint8Array => {
  const places = placesIn(body, () => true)
  const chosen = places[place % places.length]!
  switch (kind) {
    case "replace":
      return encode(JSON.stringify(changedAt(body, chosen, () => value)))
    case "remove":
      return encode(JSON.stringify(changedAt(body, chosen, () => undefined)) ?? "")
    case "add":
      return encode(
        JSON.stringify(changedAt(body, chosen, (one) => (isObject(one) ? { ...one, more: value } : [one, value])))
      )
    case "repeat":
      return encode(
        JSON.stringify(changedAt(body, chosen, (one) => (Array.isArray(one) ? [...one, ...one, value] : [one, one])))
      )
    case "byte": {
      const text = encode(JSON.stringify(body))
      text[place % text.length] = byte
      return text
    }
  }
}

layer(freshTestService, { excludeTestServices: true })("mutations of valid bodies", (it) => {
  it.effect("A mutated body is accepted or refused as documented, without a defect", () =>
    Effect.gen(function* () {
      const requests = yield* validRequests
      const mutations = fc.sample(anyMutation, { numRuns: 400, seed: 20261121 })
      const seen = new Map<number, number>()
      for (const mutation of mutations) {
        const request = requests[mutation.request % requests.length]!
        const raw = mutated(request.body, mutation)
        const answer = yield* post(request, { raw })
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        if (answer.status === request.status) continue
        assert.include([400, 403, 409, 413], answer.status, new TextDecoder().decode(raw))
        assertRefusal(answer)
      }
      assert.isAbove(seen.get(400) ?? 0, 200)
      assert.isAbove(seen.get(409) ?? 0, 5)
    })
  )
})

layer(sharedRequests, { excludeTestServices: true })("paths", (it) => {
  const malformedIds = [
    "a",
    "a".repeat(4_000),
    "a".repeat(4_001),
    `delivery_${"a".repeat(3_991)}`,
    "delivery_",
    `DELIVERY_${"a".repeat(36)}`,
    `delivery_${"A".repeat(36)}`,
    `delivery_${"a".repeat(36)}%0A`,
    `delivery_${"a".repeat(36)}%00`,
    "%00",
    "%2F",
    "%ZZ",
    "%FF",
    "%E0%A4%A",
    "..",
    "%2e%2e",
    "\u00e9"
  ]

  it.effect("A path with an unknown or malformed id is 404", () =>
    Effect.gen(function* () {
      const { token = "", body } = (yield* Requests).find(({ operation }) => operation === "projectStatus")!
      for (const id of malformedIds) {
        const read = yield* send("GET", `/api/agents/v1/projects/${id}`, { token })
        assert.deepStrictEqual([id.slice(0, 60), read.status], [id.slice(0, 60), 404])
        assertRefusal(read)
        const status = yield* send("POST", `/api/agents/v1/projects/${id}/status`, { token, body })
        assert.strictEqual(status.status, 404)
      }
    })
  )

  it.effect("A path has one spelling, and an operation one method", () =>
    Effect.gen(function* () {
      const { token } = (yield* Requests).find(({ operation }) => operation === "projectStatus")!
      const base = "/api/agents/v1"
      for (const path of [`${base}/me/`, `${base}/ME`, `/${base}/me`, `${base}//me`, base, "/api", "/api/v2"]) {
        const answer = yield* send("GET", path, { token: token! })
        assert.deepStrictEqual([path, answer.status], [path, 404])
        assertRefusal(answer)
      }
      for (const method of ["POST", "PUT", "DELETE"] as const) {
        assertRefusal(yield* send(method, `${base}/me`, { token: token! }))
      }
      assert.strictEqual((yield* send("GET", `${base}/me?token=${token}`, {})).status, 401)
      assert.strictEqual((yield* send("GET", `${base}/me?unknown=1`, { token: token! })).status, 400)
    })
  )
})
