/** Inputs at and beyond the limits of size, depth and count: each gets a report, and none an exception. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { editContent, failures, hex, verify } from "./forgeries.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { jcs, keys, kid, signBytes } from "./signing.ts"

const sample = makeSample()
const trust = sample.bytes(sample.trust)
const verifyText = (artifact: string): Report =>
  verifyResultFiles({ artifact: Buffer.from(artifact), trust, checkedAt })
const first = (report: Report) => report.checks.find(({ outcome }) => outcome === "fail")

const bytesMax = 8_388_608

describe("a file at the size limit", () => {
  it.each([
    ["of dots is not a JWS", "a" + ".".repeat(bytesMax - 1), "artifact-envelope JWS_FORM"],
    ["of short segments is not a JWS", "a" + ".b".repeat(bytesMax / 2 - 1), "artifact-envelope JWS_FORM"],
    ["of one header is not a JWS", `${"a".repeat(bytesMax - 4)}.b.c`, "artifact-envelope JWS_ENCODING"],
    ["without a dot is not JSON", "a".repeat(bytesMax), "artifact-file INPUT_NOT_JSON"],
    ["of one text is parsed", `"${"a".repeat(bytesMax - 2)}"`, "artifact-envelope FIELD_TYPE"],
    ["and one more byte is refused unread", "a" + ".".repeat(bytesMax), "artifact-file LIMIT_SIZE"]
  ])("a file of 8,388,608 bytes %s", (_, artifact, failure) =>
    expect(failures(verifyText(artifact))).toEqual([failure])
  )

  it("a record of three million segments in a review file is not a JWS", () => {
    const { record: _, ...rest } = sample.review
    const artifact = { ...rest, record: `a${".b".repeat(3_000_000)}` }
    expect(failures(verifyText(jcs(artifact)))).toEqual(["package-signature JWS_FORM"])
  })
})

const zeros = (count: number): string => `[${Array(count).fill(0).join()}]`

describe("the limit of 100,000 members and elements", () => {
  it.each([
    [100_000, "artifact-envelope FIELD_TYPE"],
    [100_001, "artifact-file LIMIT_SIZE"]
  ])("an artifact has at most 100,000 members and elements: %i", (count, failure) =>
    expect(failures(verifyText(zeros(count)))).toEqual([failure])
  )

  it.each([
    [99_999, "JWS_TYPE", undefined],
    [100_000, "PAYLOAD_NOT_CANONICAL", "LIMIT_SIZE"]
  ])("a payload has at most 100,000 members and elements: a list of %i in a member", (count, code, actual) => {
    const header = jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: "service.result-record/v1" })
    const failed = first(verifyText(signBytes(header, `{"a":${zeros(count)}}`, keys.RECORD.privateKey)))
    expect([failed?.id, failed?.code]).toEqual(["record-signature", code])
    if (actual !== undefined) assert.strictEqual(failed?.actual, actual)
  })
})

describe("the limit of 200 events and salts", () => {
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
  ])("a chain has at most 200 salts: %i", (count, failure) => expect(failures(verify(salts(count)))).toEqual([failure]))

  const events = (count: number) =>
    editContent((content) => {
      const chain = content["authority"][0]
      chain.events = Array.from({ length: count }, () => chain.events[0])
    })

  it.each([
    [200, "authority-chain AUTHORITY_CHAIN"],
    [201, "package-form LIMIT_SIZE"]
  ])("a chain has at most 200 events: %i", (count, failure) =>
    expect(failures(verify(events(count)))).toEqual([failure])
  )
})

/** Lists that each hold the next one twice: few objects with exponentially many paths. */
const doubled = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner, inner], "a")

describe("a value in memory", () => {
  it.each([
    ["may contain another value several times", doubled(4), "artifact-envelope FIELD_TYPE"],
    ["may not contain another value a million times", doubled(20), "artifact-file INPUT_NOT_PLAIN"],
    ["may not contain more values than a file", Array(100_001).fill(0), "artifact-file INPUT_NOT_PLAIN"],
    ["may not be a sparse list", Array(2 ** 32 - 1), "artifact-file INPUT_NOT_PLAIN"],
    ["may have 32 levels", deep(32), "artifact-envelope FIELD_TYPE"],
    ["may not have 33 levels", deep(33), "artifact-file LIMIT_DEPTH"],
    ["may not have 100,000 levels", deep(100_000), "artifact-file INPUT_NOT_PLAIN"]
  ])("a value in memory %s", (_, artifact, failure) => {
    expect(failures(verifyResultArtifact(artifact, sample.trust, checkedAt))).toEqual([failure])
  })

  it("a text in memory with a lone surrogate is refused, not repaired", () => {
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
