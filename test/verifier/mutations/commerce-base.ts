/** A Commerce Record with every component and a canary in every free text. */
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import { provenStatements } from "../proven-statements.ts"
import { checkedAt } from "../sample.ts"
import { type CommerceForgery, type CommerceSample, makeCommerceRecord, allObservations } from "../sample-commerce.ts"
import { sha256 } from "../signing.ts"
import { baseSample, canary, policy } from "./base-sample.ts"
import type { Base, Files } from "./base.ts"
import type { Choices } from "./choices.ts"
import { forge } from "./forging.ts"

const status = `${canary}\nVERIFIED_WITH_LIMITATIONS\r\u001b[2K\u202e\u200b`

const makeWithCanary = (forgery: CommerceForgery = {}): CommerceSample =>
  makeCommerceRecord({
    ...forgery,
    observations: () => {
      const own = allObservations().map((one) => {
        const facts = one.component === "DISPUTE" ? { ...one.facts, status, reason: canary } : one.facts
        return { ...one, facts, entity: `${canary} ${one.entity}` }
      })
      return forgery.observations?.(own) ?? own
    }
  })

const payment = makeWithCanary()

const filesOf = ({ file, trust }: CommerceSample, choices: Choices): Files => {
  const files = { artifact: file, trust }
  return choices.oneOf([files, files, { ...files, status: baseSample.status }, { ...files, authority: policy }])
}

/** Replaces the signed record, and states the digest of its payload. */
const replace = (sample: CommerceSample, record: string): CommerceSample => {
  const recordDigest = sha256(Buffer.from(record.split(".")[1] ?? "", "base64url"))
  return { ...sample, file: { ...sample.file, recordDigest, record } }
}

const placesOf = { binding: 1, observations: 1, entry: 8, record: 1, file: 1 }
const files = { artifact: payment.file, trust: payment.trust, status: { status: baseSample.status }, authority: policy }

export const commerceBase: Base = {
  files: (choices) => filesOf(payment, choices),
  values: files,
  inMemory: files,
  editSigned: (edit, choices) => {
    const jws = payment.file["record"]
    return filesOf(replace(payment, edit(jws, choices, [jws, baseSample.record, baseSample.status])), choices)
  },
  forge: (choices) => filesOf(forge(makeWithCanary, placesOf, choices), choices),
  statements: provenStatements(
    verifyResultFiles({ artifact: payment.bytes(payment.file), trust: payment.bytes(payment.trust), checkedAt })
  )
}
