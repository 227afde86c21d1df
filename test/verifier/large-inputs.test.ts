/** What is as large as it may be, or larger, or holds one thing too often: it gets its report, and no exception. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { editContent, failures, hex, verify } from "./forging.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { jcs, keys, kid, signBytes } from "./signing.ts"

const sample = makeSample()
const trust = sample.bytes(sample.trust)
const verifyText = (artifact: string): Report =>
  verifyResultFiles({ artifact: Buffer.from(artifact), trust, checkedAt })
const first = (report: Report) => report.checks.find(({ outcome }) => outcome === "fail")

const bytesMax = 8_388_608

describe("a file of as many bytes as it may have", () => {
  it.each([
    ["of dots is no JWS", "a" + ".".repeat(bytesMax - 1), "artifact-envelope JWS_FORM"],
    ["of short segments is no JWS", "a" + ".b".repeat(bytesMax / 2 - 1), "artifact-envelope JWS_FORM"],
    ["of one header is no JWS", `${"a".repeat(bytesMax - 4)}.b.c`, "artifact-envelope JWS_ENCODING"],
    ["without a dot is no JSON", "a".repeat(bytesMax), "artifact-file INPUT_NOT_JSON"],
    ["of one text is read", `"${"a".repeat(bytesMax - 2)}"`, "artifact-envelope FIELD_TYPE"],
    ["and one more is not looked at", "a" + ".".repeat(bytesMax), "artifact-file LIMIT_SIZE"]
  ])("%s", (_, artifact, failure) => expect(failures(verifyText(artifact))).toEqual([failure]))

  it("of dots inside a review file is a record that is no JWS", () => {
    const { record: _, ...rest } = sample.review
    const artifact = { ...rest, record: `a${".b".repeat(3_000_000)}` }
    expect(failures(verifyText(jcs(artifact)))).toEqual(["package-signature JWS_FORM"])
  })
})

const zeros = (count: number): string => `[${Array(count).fill(0).join()}]`

describe("100,000 members and elements", () => {
  it.each([
    [100_000, "artifact-envelope FIELD_TYPE"],
    [100_001, "artifact-file LIMIT_SIZE"]
  ])("are the most of an artifact: %i", (count, failure) =>
    expect(failures(verifyText(zeros(count)))).toEqual([failure])
  )

  it.each([
    [99_999, "JWS_TYPE", undefined],
    [100_000, "PAYLOAD_NOT_CANONICAL", "LIMIT_SIZE"]
  ])("are the most of a payload: a list of %i in a member", (count, code, actual) => {
    const header = jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: "service.result-record/v1" })
    const failed = first(verifyText(signBytes(header, `{"a":${zeros(count)}}`, keys.RECORD.privateKey)))
    expect([failed?.id, failed?.code]).toEqual(["record-signature", code])
    if (actual !== undefined) assert.strictEqual(failed?.actual, actual)
  })
})

describe("a list of 200", () => {
  const salts = (count: number) =>
    editContent((content) => {
      content["authority"][0].salts = Array.from({ length: count }, (_, index) => ({
        sequence: index + 1,
        salt: hex("9")
      }))
    })

  it.each([
    [200, "authority-salts AUTHORITY_SALT"],
    [201, "package-form LIMIT_SIZE"]
  ])("is the longest of salts: %i", (count, failure) => expect(failures(verify(salts(count)))).toEqual([failure]))

  const events = (count: number) =>
    editContent((content) => {
      const chain = content["authority"][0]
      chain.events = Array.from({ length: count }, () => chain.events[0])
    })

  it.each([
    [200, "authority-chain AUTHORITY_CHAIN"],
    [201, "package-form LIMIT_SIZE"]
  ])("is the longest of a grant's events: %i", (count, failure) =>
    expect(failures(verify(events(count)))).toEqual([failure])
  )
})

/** One list that holds another twice, and that one the next: few objects, and many places. */
const doubled = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner, inner], "a")

describe("a value in memory", () => {
  it.each([
    ["may hold another at several places", doubled(4), "artifact-envelope FIELD_TYPE"],
    ["may not hold it at a million", doubled(20), "artifact-file INPUT_NOT_PLAIN"],
    ["may not hold more than a file may", Array(100_001).fill(0), "artifact-file INPUT_NOT_PLAIN"],
    ["may not be a list without its elements", Array(2 ** 32 - 1), "artifact-file INPUT_NOT_PLAIN"],
    ["may be as deep as a file alone", deep(32), "artifact-envelope FIELD_TYPE"],
    ["may not be deeper", deep(33), "artifact-file LIMIT_DEPTH"],
    ["may not be too deep to be read", deep(100_000), "artifact-file INPUT_NOT_PLAIN"]
  ])("%s", (_, artifact, failure) => {
    expect(failures(verifyResultArtifact(artifact, sample.trust, checkedAt))).toEqual([failure])
  })

  it("that is a text with half of a surrogate pair is not mended", () => {
    const text = jcs({ ...sample.review, trust: "?" }).replace("?", "\ud800")
    expect(failures(verifyResultArtifact(text, sample.trust, checkedAt))).toEqual(["artifact-file INPUT_NOT_PLAIN"])
    assert.strictEqual(verifyResultArtifact(text.toWellFormed(), sample.trust, checkedAt).exit, 0)
  })
})

function deep(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}
