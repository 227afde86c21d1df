/** Decoding of form bodies and fields, and the problems shown to people. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { HttpClientRequest, HttpServerRequest } from "effect/http"
import { decodeForm, readForm, readFormWithFile, readSignedInForm } from "../../src/workspace/kit/form.ts"
import {
  anyOf,
  line,
  lines,
  requiredCheckbox,
  oneOf,
  optionalLine,
  password,
  checkboxValue
} from "../../src/workspace/kit/form-values.ts"
import { readUrlEncoded } from "../../src/workspace/kit/urlencoded.ts"
import { load } from "../../src/http/load.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const urlEncoded = "application/x-www-form-urlencoded"
const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => {
  const fields = readUrlEncoded(bytesOf(text))
  return fields === undefined ? undefined : { ...fields }
}

describe("form bodies", () => {
  it.each([
    ["nothing", "", {}],
    ["an empty field", "a=", { a: "" }],
    ["spaces and escapes", "a+b=c%20d+e%2B", { "a b": "c d e+" }],
    ["a repeated name", "a=1&a=2&a=3&b=4", { a: ["1", "2", "3"], b: "4" }],
    ["characters of several bytes", "a=%C3%A9%F0%9F%98%80", { a: "é😀" }],
    ["an equals sign in a value", "a=b%3Dc", { a: "b=c" }],
    ["line breaks", "a=b%0D%0Ac%0Ad", { a: "b\nc\nd" }],
    ["a byte order mark, which is kept", "a=%EF%BB%BFb", { a: "\ufeffb" }],
    [
      "names of built-in object members",
      "__proto__=1&constructor=2&toString=3",
      JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}')
    ]
  ])("A form body can contain %s.", (_, text, fields) => {
    const found = readUrlEncoded(bytesOf(text))
    assert.deepStrictEqual(Object.entries(found ?? {}), Object.entries(fields))
  })

  it.each([
    ["no equals sign", "a"],
    ["an empty name", "=a"],
    ["an empty pair of name and value", "a=1&&b=2"],
    ["an empty pair at the end", "a=1&"],
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
    ["more fields than the limit", Array.from({ length: limits.formFields + 1 }, (_, index) => `f${index}=`).join("&")]
  ])("A form body cannot contain %s.", (_, text) => assert.isUndefined(read(text)))

  it("A form body can contain the maximum number of fields.", () => {
    assert.isDefined(read(Array.from({ length: limits.formFields }, (_, index) => `f${index}=`).join("&")))
  })
})

const bodyStream = (body: Uint8Array, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
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
    Effect.provideService(HttpServerRequest.HttpServerRequest, bodyStream(bytesOf(body), contentType, headers)),
    Effect.provide(load),
    Effect.match({ onFailure: ({ code }) => code, onSuccess: (sent) => ({ ...sent, fields: { ...sent.fields } }) })
  )

describe("reading of forms", () => {
  it.effect("The form token is removed from the fields.", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readFrom("a=1&formToken=t"), { fields: { a: "1" }, formToken: "t" })
      assert.deepStrictEqual(yield* readFrom("a=1"), { fields: { a: "1" }, formToken: undefined })
      assert.deepStrictEqual(yield* readFrom("formToken=t&formToken=u"), { fields: {}, formToken: undefined })
    })
  )

  it.effect.each([
    ["JSON", "{}", "application/json"],
    ["plain text", "a=1", "text/plain"],
    ["multipart data", "a=1", "multipart/form-data; boundary=x"],
    ["URL-encoded data in another encoding", "a=1", `${urlEncoded}; charset=latin1`],
    ["no content type", "a=1", ""]
  ])("A form body of %s is refused.", ([, body, contentType]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readFrom(body!, contentType), "INVALID_REQUEST")
    })
  )

  it.effect("A form with a file is read from multipart data alone, within the limit of signed-in persons.", () =>
    Effect.gen(function* () {
      const part = (text: string) => `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--x--\r\n`
      const multipart = "multipart/form-data; boundary=x"
      const readFile = (body: string, type: string) => readFrom(body, type, {}, readFormWithFile)
      assert.deepInclude(yield* readFile(part("1"), multipart), { fields: { a: "1" } })
      assert.strictEqual(yield* readFile("a=1", urlEncoded), "INVALID_REQUEST")
      assert.strictEqual(yield* readFile(part("1"), "multipart/mixed; boundary=x"), "INVALID_REQUEST")
      assert.strictEqual(yield* readFile(part("1").slice(0, -4), multipart), "INVALID_REQUEST")
      assert.strictEqual(yield* readFile(part("a".repeat(limits.signedInFormBytes)), multipart), "REQUEST_TOO_LARGE")
    })
  )

  it.effect("A content type with the encoding UTF-8 is accepted.", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* readFrom("a=1", `${urlEncoded};charset=UTF-8`), { fields: { a: "1" } })
    })
  )

  it.effect.each([
    ["without a session", readForm, limits.formBytes],
    ["of a signed-in person", readSignedInForm, limits.signedInFormBytes]
  ] as const)("A form %s is refused when its declared or its actual length exceeds the limit.", ([, form, most]) =>
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
  isFresh: checkboxValue,
  agreed: requiredCheckbox("Tick the box."),
  bare: Schema.optionalKey(Schema.String),
  bareBox: Schema.optionalKey(Schema.Literals(["on"]))
})

const fine = { name: " Ada ", note: "", about: "a\nb", password: " p ", role: "BUYER", agreed: "on" }
const decode = (fields: object) => decodeForm(schema, { fields: { ...fields }, formToken: undefined })

describe("fields of a form", () => {
  it.effect("Fields are decoded as their schema defines.", () =>
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
    ["a missing line", { name: undefined }, "name", "The name: fill in this field once."],
    ["a line sent twice", { name: ["a", "b"] }, "name", "The name: fill in this field once."],
    ["an empty text", { about: "" }, "about", "The text is needed."],
    ["an empty password", { password: "" }, "password", "The password is needed."],
    ["no choice", { role: undefined }, "role", "Choose one: the role."],
    ["an unknown choice", { role: "OWNER" }, "role", "Choose one: the role."],
    ["an unknown box", { actions: ["READ", "ALL"] }, "actions", "Choose again: the actions."],
    ["a single box with another value", { isFresh: "yes" }, "isFresh", "Tick this box or leave it empty."],
    ["a single box sent twice", { isFresh: ["on", "on"] }, "isFresh", "Tick this box or leave it empty."],
    ["a required box sent twice", { agreed: ["on", "on"] }, "agreed", "Tick the box."],
    [
      "a text without a message of its own sent twice",
      { bare: ["a", "b"] },
      "bare",
      "Fill in this field once, with a value that the page offers."
    ],
    [
      "a box without a message of its own sent twice",
      { bareBox: ["on", "on"] },
      "bareBox",
      "Fill in this field once, with a value that the page offers."
    ],
    [
      "another value of a box without a message of its own",
      { bareBox: "yes" },
      "bareBox",
      "Fill in this field once, with a value that the page offers."
    ],
    ["a required box that is not ticked", { agreed: undefined }, "agreed", "Tick the box."]
  ] as const)("The problem of %s is reported at its field.", ([, change, field, message]) =>
    Effect.gen(function* () {
      const fields = Object.fromEntries(
        Object.entries({ ...fine, ...change }).filter(([, value]) => value !== undefined)
      )
      const state = Result.merge(yield* decode(fields))
      assert.deepStrictEqual(state, { sent: fields, problems: [{ field, message }] })
    })
  )

  it.effect("All problems of a form are reported together.", () =>
    Effect.gen(function* () {
      const state = Result.merge(yield* decode({ name: "", about: "" }))
      const problems = "problems" in state ? state.problems.map(({ field }) => field) : []
      assert.deepStrictEqual(problems.toSorted(), ["about", "agreed", "name", "note", "password", "role"])
    })
  )

  it.effect("An unknown field is refused.", () =>
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
