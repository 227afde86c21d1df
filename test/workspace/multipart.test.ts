/** Forms with a file, as browsers send them: what is read, and what no browser would send. */
import { assert, describe, it } from "@effect/vitest"
import { fieldsOf } from "../../src/workspace/kit/urlencoded.ts"
import { readMultipart } from "../../src/workspace/kit/multipart.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const boundary = "----boundary"
const contentType = `multipart/form-data; boundary=${boundary}`
const field = (name: string, text: string) => part(`name="${name}"`, text)
const file = (name: string, text: string) =>
  part(`name="${name}"; filename="passport.json"\r\nContent-Type: application/json`, text)
const part = (disposition: string, text: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`
const end = `--${boundary}--\r\n`

const read = (body: string | Uint8Array, type = contentType) =>
  readMultipart(typeof body === "string" ? new TextEncoder().encode(body) : body, type)

/** The bytes of a body in which `text` stands for these bytes. */
const withBytes = (body: string, text: string, bytes: ReadonlyArray<number>): Uint8Array => {
  const [before, after] = body.split(text)
  return Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)])
}

describe("forms with a file", () => {
  it("Fields and files are texts by their names, a repeated name is a list, and a file keeps its line breaks.", () => {
    const body = [field("a", "one\r\ntwo"), field("b", "1"), field("b", "2"), file("c", "{\r\n}"), end].join("")
    assert.deepStrictEqual(
      read(body),
      fieldsOf([
        ["a", "one\ntwo"],
        ["b", "1"],
        ["b", "2"],
        ["c", "{\r\n}"]
      ])
    )
  })

  it("Text before the first part is ignored, and a file that was not chosen is empty.", () => {
    const unchosen = part('name="c"; filename=""\r\nContent-Type: application/octet-stream', "")
    assert.deepStrictEqual(read(`preamble\r\n${unchosen}${end}`), fieldsOf([["c", ""]]))
  })

  it("A file may hold any bytes: those that are not UTF-8 are replaced, for its reader to refuse.", () => {
    const body = withBytes(file("c", "BYTES") + end, "BYTES", [0x50, 0x4b, 0x00, 0xff])
    assert.deepStrictEqual(read(body), fieldsOf([["c", "PK\0\ufffd"]]))
  })

  it("A field named like an inherited member is a field like others.", () => {
    assert.deepStrictEqual(read(field("__proto__", "x") + end), fieldsOf([["__proto__", "x"]]))
  })

  it.each([
    ["no boundary", field("a", "1") + end, "multipart/form-data"],
    ["another boundary", field("a", "1") + end, "multipart/form-data; boundary=other"],
    ["no end", field("a", "1"), contentType],
    ["a part without a name", part("nothing=1", "1") + end, contentType],
    ["a part with an empty name", field("", "1") + end, contentType],
    ["a part without headers", `--${boundary}\r\n\r\n1\r\n${end}`, contentType],
    ["NUL in a field", field("a", "\0") + end, contentType],
    ["more parts than the limit", field("a", "1").repeat(limits.formFields + 1) + end, contentType],
    ["nothing", "", contentType]
  ])("A body with %s is refused.", (_, body, type) => assert.isUndefined(read(body, type)))

  it("A field that is not UTF-8 is refused.", () => {
    assert.isUndefined(read(withBytes(field("a", "BYTES") + end, "BYTES", [0xff])))
  })
})
