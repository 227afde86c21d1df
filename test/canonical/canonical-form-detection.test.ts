/** Canonical-form detection while reading agrees with writing the value again. */
import fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import { canonicalMembers, canonicalText } from "../../src/canonical/jcs.ts"
import { type Json, readCanonicalJson } from "../../src/canonical/json.ts"
import { corpusFile, corpusFiles } from "../corpora/external-files.ts"
import { describeCorpus } from "./corpora.ts"

const read = (text: string) => readCanonicalJson(Buffer.from(text), { depthMax: 64 })

/** Compares both detections, where the text is readable. */
const agree = (text: string): boolean => {
  const reading = read(text)
  if (!reading.ok) return false
  assert.strictEqual(reading.isCanonical, canonicalText(reading.value) === text, text)
  if (reading.isCanonical && text.startsWith("{")) {
    assert.deepStrictEqual([...reading.texts], [...canonicalMembers(reading.value as object)])
  }
  return true
}

const awkward = fc.constantFrom(
  ...'"\\/\b\f\n\r\t\u0000\u001f\u007f\u0080\u2028\ue000\ufb33\uffff€é😀𝄞',
  "",
  "e\u0301",
  "__proto__",
  "constructor",
  "toString",
  "1",
  "10",
  "9",
  "-0",
  "a",
  "A",
  "aa"
)
const texts = fc.oneof(
  fc.array(awkward, { maxLength: 3 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" })
)
const values = fc.letrec<{ any: Json; list: Array<Json>; object: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.maxSafeInteger(),
    texts,
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object")
  ),
  list: fc.array(tie("any"), { maxLength: 4 }),
  object: fc.array(fc.tuple(texts, tie("any")), { maxLength: 5 }).map((members) => Object.fromEntries(members))
}))

/** Writes a value with member order, white space and escapes chosen by the seed. */
const writeLoosely = (value: Json, next: () => number): string => {
  const space = (): string => (next() % 12 === 0 ? [" ", "\n", "\t", "\r"][next() % 4]! : "")
  const escaped = (text: string): string => `"${Array.from(text, escapedMark).join("")}"`
  const escapedMark = (mark: string): string =>
    next() % 25 > 0 || mark.length > 1
      ? JSON.stringify(mark).slice(1, -1)
      : `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`
  if (typeof value === "string") return escaped(value)
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${space()}${value.map((one) => writeLoosely(one, next) + space()).join()}]`
  const names = Object.keys(value)
  const ordered = next() % 4 === 0 ? names : names.toSorted()
  const members = ordered.map((name) => `${escaped(name)}${space()}:${space()}${writeLoosely(value[name]!, next)}`)
  return `{${space()}${members.join(`,${space()}`)}${space()}}`
}

describe("canonical-form detection", () => {
  it.each([
    ['{"a":1,"b":2}', true],
    ["{}", true],
    ["[]", true],
    ['""', true],
    ["0", true],
    ['{"b":1,"a":2}', false],
    ['{"1":1,"10":2,"9":3}', true],
    ['{"9":1,"10":2}', false],
    ['{"€":1,"😀":2,"\ufb33":3}', true],
    ['{"\ufb33":1,"😀":2}', false],
    ['{ "a":1}', false],
    ['{"a" :1}', false],
    ['{"a": 1}', false],
    ['{"a":1 }', false],
    ["{ }", false],
    ["[ ]", false],
    ["[1, 2]", false],
    ["[1\n]", false],
    [" 1", false],
    ["1\n", false],
    ['"\\n\\"\\\\\\u0001\\u007f"', false],
    ['"\\n\\"\\\\\\u0001\u007f"', true],
    ['"\\/"', false],
    ['"\\u000a"', false],
    ['"\\u001F"', false],
    ['"\\u001f"', true],
    ['"\\u0061"', false],
    ['"\\ud83d\\ude00"', false],
    ['{"\\u0061":1}', false],
    ['{"a":{"c":1,"b":2}}', false],
    ['[{"b":1,"a":2}]', false],
    ['{"a":{"z":1},"b":{"a":1}}', true]
  ])("Canonical-form detection of %s returns %s", (text, isCanonical) => {
    const reading = read(text)
    assert.strictEqual(reading.ok && reading.isCanonical, isCanonical)
    assert.isTrue(agree(text))
  })

  it("Canonical-form detection of every escape of one code unit, in lower and upper case, agrees with rewriting", () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const digits = unit.toString(16).padStart(4, "0")
      const isHalfPair = unit >= 0xd800 && unit < 0xe000
      assert.strictEqual(agree(`"\\u${digits}"`), !isHalfPair, digits)
      assert.strictEqual(agree(`"\\u${digits.toUpperCase()}"`), !isHalfPair, digits)
    }
    for (const mark of '"\\/bfnrt') assert.isTrue(agree(`"a\\${mark}b"`), mark)
  })

  it("Every canonical text is detected as canonical", () => {
    fc.assert(
      fc.property(values.any, (value) => {
        const text = canonicalText(value)
        const reading = read(text)
        assert.isTrue(reading.ok && reading.isCanonical, text)
        agree(text)
      }),
      { numRuns: 2_000 }
    )
  })

  it("Every other spelling is detected as not canonical", () => {
    const seen = { canonical: 0, other: 0 }
    fc.assert(
      fc.property(values.any, fc.infiniteStream(fc.nat()), (value, choices) => {
        const text = writeLoosely(value, () => choices.next().value)
        assert.isTrue(agree(text), text)
        seen[canonicalText(value) === text ? "canonical" : "other"]++
      }),
      { numRuns: 3_000 }
    )
    expect(Math.min(seen.canonical, seen.other)).toBeGreaterThan(200)
  })

  it("A canonical reading keeps the texts of the outermost object only", () => {
    const reading = read('{"a":{"b":[1]},"c":"\\n"}')
    assert.deepStrictEqual(reading.ok && [...reading.texts], [
      ["a", '{"b":[1]}'],
      ["c", '"\\n"']
    ])
    const list = read('[{"a":1}]')
    assert.strictEqual(list.ok && list.texts.size, 0)
  })
})

describeCorpus("jcs/output", "JCS vectors", () => {
  it.each(corpusFiles("jcs/output"))("Canonical-form detection agrees with rewriting on %s", (name) => {
    for (const folder of ["jcs/input", "jcs/output"]) agree(Buffer.from(corpusFile(folder, name)).toString())
  })
})
