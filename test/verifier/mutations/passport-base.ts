/** A passport of two results with a canary in every free text, and a status file for it. */
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import { provenStatements } from "../proven-statements.ts"
import { checkedAt } from "../sample.ts"
import { makePassport, type PassportForgery, type PassportSample } from "../sample-passport.ts"
import { digest, type Members, signPayload } from "../signing.ts"
import { baseSample, canary, policy } from "./base-sample.ts"
import type { Base, Files } from "./base.ts"
import type { Choices } from "./choices.ts"
import { forge } from "./forging.ts"
import { payloadOf } from "./signed-edits.ts"

const title = `${canary}\nVERIFIED_WITH_LIMITATIONS\r\u001b[2K\u202e\u200b`

const makeWithCanary = (forgery: PassportForgery = {}): PassportSample =>
  makePassport({
    ...forgery,
    summary: (summary, index) => {
      const { subject, buyerName } = summary
      const own = {
        ...summary,
        title,
        summary: canary,
        subject: { ...subject, name: canary },
        buyerName: buyerName && canary,
        specification: { ...summary["specification"], id: canary, version: 1, digest: "0".repeat(64) }
      }
      return forgery.summary?.(own, index) ?? own
    }
  })

const passport = makeWithCanary()

const filesOf = ({ file, trust, statuses }: PassportSample, choices: Choices): Files => {
  const files = { artifact: file, trust }
  const withStatus = { ...files, status: choices.oneOf([statuses, statuses.slice(1), [], baseSample.status]) }
  return choices.oneOf([files, withStatus, withStatus, { ...files, authority: policy }])
}

const signedOf = ({ file, statuses }: PassportSample): ReadonlyArray<string> => [
  file["manifest"],
  ...file["summaries"],
  ...statuses
]

/** Replaces one signed object, and signs the manifest with the digests of the summaries again. */
const replace = (sample: PassportSample, old: string, by: string): PassportSample => {
  const exchange = (one: string): string => (one === old ? by : one)
  const statuses = sample.statuses.map(exchange)
  const summaries: ReadonlyArray<string> = sample.file["summaries"].map(exchange)
  const manifest = payloadOf(sample.file["manifest"])
  const entries = manifest["entries"].map((entry: Members, index: number) => ({
    ...entry,
    summaryDigest: digestOrOld(summaries[index]!, entry)
  }))
  const signed = old === sample.file["manifest"] ? by : signPayload("PUBLICATION", { ...manifest, entries })
  return { ...sample, statuses, file: { ...sample.file, manifest: signed, summaries, statuses } }
}

/** A text with half of a surrogate pair has no digest. */
const digestOrOld = (summary: string, entry: Members): string =>
  summary.isWellFormed() ? digest(summary) : entry["summaryDigest"]

const placesOf = { summary: 2, manifest: 1, statement: 2, file: 1 }
const required = { artifact: passport.file, trust: passport.trust }

export const passportBase: Base = {
  files: (choices) => filesOf(passport, choices),
  values: { ...required, status: passport.statuses, authority: policy },
  inMemory: { ...required, status: passport.statuses, authority: policy },
  editSigned: (edit, choices) => {
    const all = signedOf(passport)
    const jws = choices.oneOf(all)
    return filesOf(replace(passport, jws, edit(jws, choices, all)), choices)
  },
  forge: (choices) => filesOf(forge(makeWithCanary, placesOf, choices), choices),
  statements: provenStatements(
    verifyResultFiles({
      artifact: passport.bytes(passport.file),
      trust: passport.bytes(passport.trust),
      checkedAt
    })
  )
}
