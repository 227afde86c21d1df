import { spawnSync } from "node:child_process"
import { join } from "node:path"
import fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { readJson } from "../../src/canonical/json.ts"
import { printPath } from "../../src/canonical/json-error-messages.ts"
import { corpusFile, corpusFiles } from "../corpora/external-files.ts"
import { describeCorpus } from "./corpora.ts"
import { isAcceptedByLibraries } from "./reference-reader.ts"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const codeOf = (input: string | Uint8Array, limits = {}): string => {
  const reading = readJson(typeof input === "string" ? utf8(input) : input, limits)
  return reading.ok ? "accepted" : reading.code
}

describe("strict JSON reader", () => {
  it.each([
    ["an empty file", "", "INPUT_NOT_JSON"],
    ["white space alone", " \n", "INPUT_NOT_JSON"],
    ["truncated JSON", '{"a":', "INPUT_NOT_JSON"],
    ["a text without an end", '{"a":"b', "INPUT_NOT_JSON"],
    ["trailing bytes", "{} x", "INPUT_NOT_JSON"],
    ["two documents", "{}{}", "INPUT_NOT_JSON"],
    ["lines of documents", "{}\n{}\n", "INPUT_NOT_JSON"],
    ["a raw control character", '"a\u0001"', "INPUT_NOT_JSON"],
    ["a raw NUL", '"a\u0000"', "INPUT_NOT_JSON"],
    ["an unknown escape", '"\\x41"', "INPUT_NOT_JSON"],
    ["a trailing comma", "[1,]", "INPUT_NOT_JSON"],
    ["a comment", "[1/**/]", "INPUT_NOT_JSON"],
    ["a byte order mark", "\ufeff{}", "INPUT_ENCODING"],
    ["a lone high surrogate", '"\\ud800"', "INPUT_ENCODING"],
    ["a lone low surrogate in a name", '{"\\udc00":1}', "INPUT_ENCODING"],
    ["surrogates in the wrong order", '"\\udc00\\ud800"', "INPUT_ENCODING"],
    ["2^53 + 1", "9007199254740993", "NUMBER_FORM"],
    ["2^53", "9007199254740992", "NUMBER_FORM"],
    ["1e400", "1e400", "NUMBER_FORM"],
    ["1.0", "1.0", "NUMBER_FORM"],
    ["minus zero", "-0", "NUMBER_FORM"],
    ["1e3", "1e3", "NUMBER_FORM"],
    ["a leading zero", "01", "NUMBER_FORM"],
    ["a plus sign", "+1", "NUMBER_FORM"],
    ["thirty digits", "1".repeat(30), "NUMBER_FORM"],
    ["an exponent alone", '{"a":e1}', "INPUT_NOT_JSON"]
  ])("The strict reader rejects %s", (_, input, code) => assert.strictEqual(codeOf(input), code))

  it("The strict reader limits the total of members and elements where configured", () => {
    const bytes = new TextEncoder().encode('{"a":[1,2],"b":{}}')
    assert.isTrue(readJson(bytes, { valuesMax: 4 }).ok)
    assert.strictEqual((readJson(bytes, { valuesMax: 3 }) as { code?: string }).code, "LIMIT_SIZE")
  })

  it.each(['"\\u0000"', '{"\\u0000":1}'])(
    "The strict reader rejects U+0000 in %s only for values to be stored",
    (input) => {
      const bytes = new TextEncoder().encode(input)
      assert.isTrue(readJson(bytes).ok)
      assert.strictEqual((readJson(bytes, { refusesNul: true }) as { code?: string }).code, "INPUT_ENCODING")
    }
  )

  it.each([
    ["UTF-16", [0xff, 0xfe, 0x7b, 0]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["an encoded surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a byte that UTF-8 never has", [0x22, 0xff, 0x22]],
    ["a character above U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ["a truncated character", [0x22, 0xe2, 0x82]]
  ])("The strict reader rejects %s", (_, bytes) => assert.strictEqual(codeOf(Uint8Array.from(bytes)), "INPUT_ENCODING"))

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '[[{"x":{"a":[],"a":[]}}]]',
    '{"a":1,"\\u0061":2}',
    '{"/":1,"\\/":2}',
    '{"😀":1,"\\ud83d\\ude00":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"__proto__":{},"\\u005f_proto__":{}}',
    '{"constructor":1,"constructor":2}',
    '{"toString":1,"toString":2}',
    '{"":1,"":2}',
    '{"1":1,"1":2}'
  ])("The strict reader rejects the duplicate member in %s", (input) =>
    assert.strictEqual(codeOf(input), "DUPLICATE_KEY")
  )

  it("The strict reader reads inherited names as own members and modifies no prototype", () => {
    const reading = readJson(utf8('{"__proto__":{"polluted":1},"constructor":2,"toString":3,"hasOwnProperty":4}'))
    assert.isTrue(reading.ok)
    if (!reading.ok) return
    expect(Object.keys(reading.value as object)).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"])
    assert.strictEqual(Object.getPrototypeOf(reading.value), Object.prototype)
    assert.strictEqual(Reflect.get({}, "polluted"), undefined)
  })

  it("The strict reader ignores a setter on Object.prototype", () => {
    let isCalled = false
    const setter = (): void => void (isCalled = true)
    Reflect.defineProperty(Object.prototype, "kid", { set: setter, configurable: true })
    try {
      const reading = readJson(utf8('{"kid":"a"}'))
      assert.isTrue(reading.ok && Object.hasOwn(reading.value as object, "kid"))
      assert.isFalse(isCalled)
    } finally {
      Reflect.deleteProperty(Object.prototype, "kid")
    }
  })

  it("The strict reader ignores descriptor members inherited from Object.prototype", () => {
    const reader = join(import.meta.dirname, "../../src/canonical/json.ts")
    const program = `
      const { readJson } = await import(${JSON.stringify(reader)})
      Object.assign(Object.prototype, { get: () => "inherited", set: () => undefined, writable: false })
      const reading = readJson(new TextEncoder().encode('{"toString":1,"__proto__":{"get":2},"get":3}'))
      // Node itself prints nothing while these members exist.
      for (const name of ["get", "set", "writable"]) delete Object.prototype[name]
      console.log(JSON.stringify([reading.ok, Object.entries(reading.value)]))`
    const words = ["--input-type=module", "--eval", program]
    const { stdout, stderr } = spawnSync(process.execPath, words, { timeout: 20_000, encoding: "utf8" })
    const members = [
      ["toString", 1],
      ["__proto__", { get: 2 }],
      ["get", 3]
    ]
    assert.strictEqual(stdout, `${JSON.stringify([true, members])}\n`, stderr)
  })

  it.each([
    ['{"input":{"items":[1,2,{"files":[{"name":1.5}]}]}}', "input.items[2].files[0].name"],
    ['{"a":[{"b":1,"b":2}]}', "a[0].b"],
    ['{"a b":{"c":1.5}}', '["a b"].c'],
    ['{"":[{"1":1.5}]}', '[""][0]["1"]'],
    ['{"a\\n\\"]":1.5}', '["a\\n\\"]"]'],
    [`{"${"n".repeat(64)}":1.5}`, "n".repeat(64)],
    [`{"${"n".repeat(65)}":1.5}`, `["${"n".repeat(64)}"]`],
    [`{"${"n".repeat(63)}\u{1f600}":1.5}`, `["${"n".repeat(63)}\ufffd"]`],
    ["1.5", ""]
  ])("The strict reader reports the path of the error in %s", (input, path) => {
    const reading = readJson(utf8(input))
    assert.strictEqual(reading.ok ? undefined : printPath(reading.path), path)
  })

  it("The strict reader enforces its limits to the byte and to the level", () => {
    assert.strictEqual(codeOf("[".repeat(32) + "]".repeat(32)), "accepted")
    assert.strictEqual(codeOf("[".repeat(33) + "]".repeat(33)), "LIMIT_DEPTH")
    assert.strictEqual(codeOf('{"a":'.repeat(33) + "1" + "}".repeat(33)), "LIMIT_DEPTH")
    assert.strictEqual(codeOf("[".repeat(100_000)), "LIMIT_DEPTH")
    assert.strictEqual(codeOf("[".repeat(400) + "]".repeat(400), { depthMax: 1e9 }), "accepted")
    assert.strictEqual(codeOf("[".repeat(100_000), { depthMax: 1e9 }), "LIMIT_DEPTH")
    assert.strictEqual(codeOf("[1]", { bytesMax: 3 }), "accepted")
    assert.strictEqual(codeOf("[1] ", { bytesMax: 3 }), "LIMIT_SIZE")
  })

  it("The strict reader reads megabytes of hostile input", () => {
    const many = `{${Array.from({ length: 100_000 }, (_, index) => `"${index * 7919}":1`).join()}}`
    for (const input of [
      many,
      `[${"[],".repeat(300_000)}[]]`,
      `"${"\\\\".repeat(500_000)}"`,
      `[${"0,".repeat(500_000)}0]`
    ]) {
      assert.strictEqual(codeOf(input), "accepted")
    }
  })

  it("The strict reader agrees with JSON.parse and a second parser on accepted documents", () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        text,
        tie("list"),
        tie("members")
      ),
      list: fc.array(tie("value"), { maxLength: 4 }),
      members: fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "toString", "1", "")), tie("value"), {
        maxKeys: 4
      })
    })).value
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const input = JSON.stringify(value, null, indent).replaceAll("-0", "0")
        const reading = readJson(utf8(input))
        assert.isTrue(reading.ok)
        if (reading.ok) assert.strictEqual(canonicalText(reading.value), canonicalText(JSON.parse(input)))
      }),
      { numRuns: 500 }
    )
  })

  it("The strict reader rejects every randomly damaged document that an independent pipeline rejects", () => {
    const seeds = ['{"a":[1,"b\\n",null],"c":{"d":true,"é":"😀"}}', '[{"x":-12,"y":""},{"x":0}]']
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 }),
        (seed, damage) => {
          const bytes = utf8(seed)
          for (const [place, byte] of damage) bytes[place % bytes.length] = byte
          assert.strictEqual(readJson(bytes).ok, isAcceptedByLibraries(bytes))
        }
      ),
      { numRuns: 5_000 }
    )
  })
})

const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed())

describeCorpus("json-parsing", "JSONTestSuite", () => {
  const files = corpusFiles("json-parsing")
  const accepted = files.filter((name) => readJson(corpusFile("json-parsing", name)).ok)

  it("The strict reader rejects every n_ and every i_ file", () =>
    expect(accepted.filter((name) => !name.startsWith("y_"))).toEqual([]))

  it("The strict reader rejects of the y_ files exactly the 17 with non-integers and the 2 with duplicate names", () => {
    const refused = files.filter((name) => name.startsWith("y_") && !accepted.includes(name))
    const codes = refused.map((name) => codeOf(corpusFile("json-parsing", name)))
    expect(Object.groupBy(codes, (code) => code)).toEqual({
      NUMBER_FORM: Array(17).fill("NUMBER_FORM"),
      DUPLICATE_KEY: Array(2).fill("DUPLICATE_KEY")
    })
  })
})
