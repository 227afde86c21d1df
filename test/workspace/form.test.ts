/** What a form may send, and what a person reads where it does not fit. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { HttpClientRequest, HttpServerRequest } from "effect/http"
import { decodeForm, readForm, readSignedInForm } from "../../src/workspace/form.ts"
import {
  anyOf,
  line,
  lines,
  mustBeTicked,
  oneOf,
  optionalLine,
  password,
  ticked
} from "../../src/workspace/form-values.ts"
import { readUrlEncoded } from "../../src/workspace/urlencoded.ts"
import { load } from "../../src/http/load.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const urlEncoded = "application/x-www-form-urlencoded"
const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => {
  const fields = readUrlEncoded(bytesOf(text))
  return fields === undefined ? undefined : { ...fields }
}

describe("the body of a form", () => {
  it.each([
    ["nothing", "", {}],
    ["an empty field", "a=", { a: "" }],
    ["spaces and escapes", "a+b=c%20d+e%2B", { "a b": "c d e+" }],
    ["a name twice", "a=1&a=2&a=3&b=4", { a: ["1", "2", "3"], b: "4" }],
    ["characters of several bytes", "a=%C3%A9%F0%9F%98%80", { a: "é😀" }],
    ["an equals sign in a value", "a=b%3Dc", { a: "b=c" }],
    ["line breaks", "a=b%0D%0Ac%0Ad", { a: "b\nc\nd" }],
    ["a byte order mark, which is kept", "a=%EF%BB%BFb", { a: "\ufeffb" }],
    [
      "names of an object's own",
      "__proto__=1&constructor=2&toString=3",
      JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}')
    ]
  ])("may have %s", (_, text, fields) => {
    const found = readUrlEncoded(bytesOf(text))
    assert.deepStrictEqual(Object.entries(found ?? {}), Object.entries(fields))
  })

  it.each([
    ["no equals sign", "a"],
    ["an empty name", "=a"],
    ["an empty pair", "a=1&&b=2"],
    ["a pair at the end", "a=1&"],
    ["a broken escape", "a=%zz"],
    ["an escape cut short", "a=%4"],
    ["half a character", "a=%C3"],
    ["an overlong slash", "a=%C0%AF"],
    ["half a surrogate pair", "a=%ED%A0%80"],
    ["a NUL", "a=b%00c"],
    ["a raw space", "a=b c"],
    ["a raw line break", "a=b\nc"],
    ["raw characters beyond ASCII", "a=é"],
    ["JSON", '{"a":1}'],
    ["a field too many", Array.from({ length: limits.formFields + 1 }, (_, index) => `f${index}=`).join("&")]
  ])("may not have %s", (_, text) => assert.isUndefined(read(text)))

  it("has as many fields as it may", () => {
    assert.isDefined(read(Array.from({ length: limits.formFields }, (_, index) => `f${index}=`).join("&")))
  })
})

const arriving = (body: Uint8Array, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerRequest.fromClientRequest(
    HttpClientRequest.post("http://in.process/").pipe(
      HttpClientRequest.bodyUint8Array(body, contentType),
      HttpClientRequest.setHeaders(headers)
    )
  )

const readFrom = (
  body: string,
  contentType = urlEncoded,
  headers: Readonly<Record<string, string>> = {},
  read = readForm
) =>
  read.pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, arriving(bytesOf(body), contentType, headers)),
    Effect.provide(load),
    Effect.match({ onFailure: ({ code }) => code, onSuccess: (sent) => ({ ...sent, fields: { ...sent.fields } }) })
  )

describe("reading a form", () => {
  it.effect("takes the token out of the fields", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readFrom("a=1&formToken=t"), { fields: { a: "1" }, formToken: "t" })
      assert.deepStrictEqual(yield* readFrom("a=1"), { fields: { a: "1" }, formToken: undefined })
      assert.deepStrictEqual(yield* readFrom("formToken=t&formToken=u"), { fields: {}, formToken: undefined })
    })
  )

  it.effect.each([
    ["JSON", "{}", "application/json"],
    ["text", "a=1", "text/plain"],
    ["parts", "a=1", "multipart/form-data; boundary=x"],
    ["another encoding", "a=1", `${urlEncoded}; charset=latin1`],
    ["no type", "a=1", ""]
  ])("refuses %s", ([, body, contentType]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readFrom(body!, contentType), "INVALID_REQUEST")
    })
  )

  it.effect("takes the encoding where a browser names it", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* readFrom("a=1", `${urlEncoded};charset=UTF-8`), { fields: { a: "1" } })
    })
  )

  it.effect.each([
    ["of anyone", readForm, limits.formBytes],
    ["of a person who is signed in", readSignedInForm, limits.signedInFormBytes]
  ] as const)("refuses one %s that is too large by what it says and by what it has", ([, form, most]) =>
    Effect.gen(function* () {
      const value = "a".repeat(most)
      const outcome = (body: string, headers?: Readonly<Record<string, string>>) =>
        Effect.map(readFrom(body, urlEncoded, headers, form), (read) => (typeof read === "string" ? read : "read"))
      assert.strictEqual(yield* outcome(`a=${value.slice(2)}`), "read")
      assert.strictEqual(yield* outcome(`a=${value}`), "REQUEST_TOO_LARGE")
      assert.strictEqual(yield* outcome("a=1", { "content-length": String(most + 1) }), "REQUEST_TOO_LARGE")
      assert.strictEqual(yield* outcome(`a=${value}`, { "content-length": "3" }), "REQUEST_TOO_LARGE")
    })
  )
})

const schema = Schema.Struct({
  name: line("The name", 5),
  note: optionalLine("The note", 5),
  about: lines("The text", 9),
  password: password("The password", 9),
  role: oneOf("the role", ["BUYER", "SUPPLIER"]),
  actions: anyOf("the actions", ["READ", "WRITE"]),
  isFresh: ticked,
  agreed: mustBeTicked("Tick the box."),
  bare: Schema.optionalKey(Schema.String),
  bareBox: Schema.optionalKey(Schema.Literals(["on"]))
})

const fine = { name: " Ada ", note: "", about: "a\nb", password: " p ", role: "BUYER", agreed: "on" }
const decode = (fields: object) => decodeForm(schema, { fields: { ...fields }, formToken: undefined })

describe("the fields of a form", () => {
  it.effect("mean what the schema says", () =>
    Effect.gen(function* () {
      const meant = {
        name: "Ada",
        note: "",
        about: "a\nb",
        password: " p ",
        role: "BUYER",
        actions: [],
        isFresh: false,
        agreed: "on"
      }
      const decoded = (fields: object) => Effect.map(decode(fields), (result): object => Result.getOrThrow(result))
      assert.deepStrictEqual(yield* decoded(fine), meant)
      assert.deepStrictEqual(yield* decoded({ ...fine, actions: "READ", isFresh: "on" }), {
        ...meant,
        actions: ["READ"],
        isFresh: true
      })
      assert.deepStrictEqual(yield* decoded({ ...fine, actions: ["READ", "WRITE"] }), {
        ...meant,
        actions: ["READ", "WRITE"]
      })
    })
  )

  it.effect.each([
    ["an empty line", { name: "  " }, "name", "The name is needed."],
    ["a long line", { name: "abcdef" }, "name", "The name has at most 5 characters."],
    ["a line break in a line", { name: "a\nb" }, "name", "The name is one line."],
    ["a missing line", { name: undefined }, "name", "The name: fill this in, once."],
    ["a line twice", { name: ["a", "b"] }, "name", "The name: fill this in, once."],
    ["an empty text", { about: "" }, "about", "The text is needed."],
    ["an empty password", { password: "" }, "password", "The password is needed."],
    ["no choice", { role: undefined }, "role", "Choose one: the role."],
    ["another choice", { role: "OWNER" }, "role", "Choose one: the role."],
    ["another box", { actions: ["READ", "ALL"] }, "actions", "Choose again: the actions."],
    ["a box ticked by itself with another value", { isFresh: "yes" }, "isFresh", "Tick this box once, or leave it."],
    ["a box ticked by itself twice", { isFresh: ["on", "on"] }, "isFresh", "Tick this box once, or leave it."],
    ["a box that must be ticked twice", { agreed: ["on", "on"] }, "agreed", "Tick the box."],
    [
      "a text without words of its own twice",
      { bare: ["a", "b"] },
      "bare",
      "Answer this once, as the page asks for it."
    ],
    [
      "a box without words of its own twice",
      { bareBox: ["on", "on"] },
      "bareBox",
      "Answer this once, as the page asks for it."
    ],
    ["another value of such a box", { bareBox: "yes" }, "bareBox", "Answer this once, as the page asks for it."],
    ["a box not ticked", { agreed: undefined }, "agreed", "Tick the box."]
  ] as const)("tell a person about %s", ([, change, field, message]) =>
    Effect.gen(function* () {
      const fields = Object.fromEntries(
        Object.entries({ ...fine, ...change }).filter(([, value]) => value !== undefined)
      )
      const state = Result.merge(yield* decode(fields))
      assert.deepStrictEqual(state, { sent: fields, problems: [{ field, message }] })
    })
  )

  it.effect("are told about all at once", () =>
    Effect.gen(function* () {
      const state = Result.merge(yield* decode({ name: "", about: "" }))
      const problems = "problems" in state ? state.problems.map(({ field }) => field) : []
      assert.deepStrictEqual(problems.toSorted(), ["about", "agreed", "name", "note", "password", "role"])
    })
  )

  it.effect("are refused with one that the form does not have", () =>
    Effect.gen(function* () {
      for (const name of ["other", "__proto__", "toString"]) {
        const fields = Object.assign(Object.create(null), fine, { [name]: "1" })
        assert.strictEqual(
          (yield* Effect.flip(decodeForm(schema, { fields, formToken: undefined }))).code,
          "INVALID_REQUEST"
        )
      }
    })
  )
})
