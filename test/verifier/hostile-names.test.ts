/** The report on a refused file repeats no name outside the format. */
import { assert, describe, expect, it } from "vitest"
import { printReport, type Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { failures } from "./forgeries.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { jcs, keys, kid, type Members, signBytes } from "./signing.ts"

const sample = makeSample()
const schema = "service.result-record/v1"
const signedText = (payload: string, header: Members = {}): string =>
  signBytes(jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: schema, ...header }), payload, keys.RECORD.privateKey)

/** Each place where a strict document is parsed, with its check. */
const readers: { readonly [place: string]: readonly [check: string, verify: (text: string) => Report] } = {
  artifact: ["artifact-file", (text) => verify({ artifact: text })],
  "key file": ["trust-file", (text) => verify({ trust: text })],
  policy: ["authority-policy", (text) => verify({ authority: text })],
  status: ["status-signature", (text) => verify({ status: text })],
  "signed payload": ["record-signature", (text) => verify({ artifact: signedText(text) })]
}

const verify = (inputs: Partial<Record<"artifact" | "trust" | "authority" | "status", string>>): Report => {
  const { artifact = sample.record, trust = jcs(sample.trust), ...more } = inputs
  const options = Object.entries(more).map(([name, text]) => [name, Buffer.from(text)])
  const files = { artifact: Buffer.from(artifact), trust: Buffer.from(trust), checkedAt }
  return verifyResultFiles({ ...files, ...Object.fromEntries(options) })
}

/** Capitals, words that resemble the format, inherited names, and marks that a terminal interprets. */
const names = ["PLEASE_TRUST_ME", "service.result-record/v9", "constructor", "__proto__", "x\nVERIFIED \u001b[2J"]

const failed = (report: Report) => report.checks.find(({ outcome }) => outcome === "fail")
const assertSilent = (report: Report, name: string) => {
  const printed = printReport(report) + printText(report)
  for (const spelling of [name, JSON.stringify(name).slice(1, -1)]) assert.isFalse(printed.includes(spelling))
}

describe.each(Object.entries(readers))("a fault in the %s", (place, [check, verifyText]) => {
  it.each(names)(`a report on a fault in the ${place} does not repeat the name %j`, (name) => {
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

  it(`a report on a fault in the ${place} states its path if all names are of the format`, () => {
    const report = verifyText('{"authority":[{"salts":[1,{"salt":1.5}]}]}')
    expect([failed(report)?.id, failed(report)?.at]).toEqual([check, ".authority[0].salts[1].salt"])
  })
})

describe("names outside the format", () => {
  it.each(names)("no report repeats the unknown name %j", (name) => {
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

  it("a report repeats the expected and actual schema names if both are known", () => {
    const report = verify({ artifact: jcs({ ...sample.review, record: sample.record }) })
    expect(failed(report)).toMatchObject({ expected: "service.result-package/v2", actual: schema })
  })
})
