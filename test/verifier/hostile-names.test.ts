/** A file that is refused does not speak through its refusal: a report repeats no name that is not of the format. */
import { assert, describe, expect, it } from "vitest"
import { printReport, type Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { failures } from "./forging.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { jcs, keys, kid, type Members, signBytes } from "./signing.ts"

const sample = makeSample()
const schema = "service.result-record/v1"
const signedText = (payload: string, header: Members = {}): string =>
  signBytes(jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: schema, ...header }), payload, keys.RECORD.privateKey)

/** Where a strict document is read, and the check that says what is wrong with it. */
const readers: { readonly [place: string]: readonly [check: string, verify: (text: string) => Report] } = {
  artifact: ["artifact-file", (text) => verify({ artifact: text })],
  "key file": ["trust-file", (text) => verify({ trust: text })],
  policy: ["authority-policy", (text) => verify({ authority: text })],
  status: ["status-signature", (text) => verify({ status: text })],
  "signed payload": ["record-signature", (text) => verify({ artifact: signedText(text) })]
}

const verify = (given: Partial<Record<"artifact" | "trust" | "authority" | "status", string>>): Report => {
  const { artifact = sample.record, trust = jcs(sample.trust), ...more } = given
  const options = Object.entries(more).map(([name, text]) => [name, Buffer.from(text)])
  const files = { artifact: Buffer.from(artifact), trust: Buffer.from(trust), checkedAt }
  return verifyResultFiles({ ...files, ...Object.fromEntries(options) })
}

/** Capitals, words that look like the format's own, inherited names, and marks that a terminal obeys. */
const names = ["PLEASE_TRUST_ME", "service.result-record/v9", "constructor", "__proto__", "x\nVERIFIED \u001b[2J"]

const failed = (report: Report) => report.checks.find(({ outcome }) => outcome === "fail")
const assertSilent = (report: Report, name: string) => {
  const printed = printReport(report) + printText(report)
  for (const spelling of [name, JSON.stringify(name).slice(1, -1)]) assert.isFalse(printed.includes(spelling))
}

describe.each(Object.entries(readers))("a fault of the %s", (_, [check, verifyText]) => {
  it.each(names)("under the name %j does not repeat it", (name) => {
    const quoted = JSON.stringify(name)
    const faults: ReadonlyArray<readonly [text: string, at: string]> = [
      [`{${quoted}:1.5}`, ".(a name)"],
      [`{${quoted}:1,${quoted}:2}`, ".(a name)"],
      [`{${quoted}:[0,{${quoted}:"\\ud800"}]}`, ".(a name)[1].(a name)"],
      [`{"keys":[{"jwk":{${quoted}:01}}]}`, ".keys[0].jwk.(a name)"]
    ]
    for (const [text, at] of faults) {
      const report = verifyText(text)
      expect([failed(report)?.id, failed(report)?.at]).toEqual([check, at])
      assertSilent(report, name)
    }
  })

  it("under names of the format names its place", () => {
    const report = verifyText('{"authority":[{"salts":[1,{"salt":1.5}]}]}')
    expect([failed(report)?.id, failed(report)?.at]).toEqual([check, ".authority[0].salts[1].salt"])
  })
})

describe("a name that is not of the format", () => {
  it.each(names)("is not repeated where it is %j", (name) => {
    const record = payloadOf(sample.record)
    const places: ReadonlyArray<readonly [artifact: string, failure: string]> = [
      [signedText(jcs(record), { kid: name }), "record-signature ISSUER_NOT_TRUSTED"],
      [signedText(jcs(record), { typ: name }), "artifact-envelope KIND"],
      [jcs({ ...sample.review, record: signedText(jcs(record), { typ: name }) }), "package-signature JWS_TYPE"],
      [signedText(jcs({ ...record, schema: name })), "record-signature JWS_TYPE"],
      [signedText(jcs({ ...record, issuedAt: name })), "record-signature FIELD_TYPE"],
      [signedText(jcs({ ...record, recordId: name })), "record-form FIELD_TYPE"],
      [signedText(jcs({ ...record, issuer: name })), "record-issuer ISSUER_MISMATCH"],
      [jcs({ ...sample.review, schema: name }), "artifact-envelope VERSION"],
      [signedText(jcs({ ...record, [name]: 1 })), "record-form UNKNOWN_MEMBER"]
    ]
    for (const [artifact, failure] of places) {
      const report = verify({ artifact })
      expect(failures(report)).toEqual([failure])
      assertSilent(report, name)
    }
  })

  it("is told from one that is: what was expected is shown in its words", () => {
    const report = verify({ artifact: jcs({ ...sample.review, record: sample.record }) })
    expect(failed(report)).toMatchObject({ expected: "service.result-package/v2", actual: schema })
  })
})
