/** The exported file of the short history, its package and its record, with a status and a policy. */
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import { provenStatements } from "../proven-statements.ts"
import { checkedAt, type Sample } from "../sample.ts"
import { jcs, keys, type Members, signBytes } from "../signing.ts"
import { baseSample, makeBaseSample, policy } from "./base-sample.ts"
import type { Base, Files } from "./base.ts"
import type { Choices } from "./choices.ts"
import { forge } from "./forging.ts"
import { headerOf } from "./signed-edits.ts"

const shapes = ["review", "review", "package", "record"] as const

const filesOf = (one: Sample, choices: Choices): Files => {
  const shape = choices.oneOf(shapes)
  const artifact = shape === "review" ? one.review : shape === "package" ? one.review["record"] : one.record
  const status = choices.oneOf([one.status, { status: one.status }])
  const required = { artifact, trust: one.trust }
  return choices.below(3) === 0 ? { ...required, status, authority: policy } : required
}

/** Every signed object of the sample: the package, its record, its events, its authority events, and the status. */
const signedOf = (life: Sample): ReadonlyArray<string> => [
  life.review["record"],
  life.record,
  life.status,
  ...life.package["events"],
  ...life.package["authority"].flatMap((chain: Members) => chain["events"])
]

/** Replaces one signed object, and signs the package that encloses it again. */
const replace = (life: Sample, old: string, by: string): Sample => {
  if (old === life.review["record"]) return { ...life, review: { ...life.review, record: by } }
  if (old === life.status) return { ...life, status: by, review: { ...life.review, status: by } }
  const text = jcs(life.package).replaceAll(JSON.stringify(old), () => JSON.stringify(by))
  const outer = signBytes(jcs(headerOf(life.review["record"])), text, keys.PACKAGE.privateKey)
  const record = old === life.record ? by : life.record
  return { ...life, record, package: JSON.parse(text), review: { ...life.review, record: outer } }
}

const placesOf = { agreement: 1, event: 5, record: 1, authority: 12, content: 1, package: 1, status: 1, history: 1 }
const required = { artifact: baseSample.review, trust: baseSample.trust }

export const resultBase: Base = {
  files: (choices) => filesOf(baseSample, choices),
  values: { ...required, status: { status: baseSample.status }, authority: policy },
  inMemory: { ...required, status: baseSample.status, authority: policy },
  editSigned: (edit, choices) => {
    const all = signedOf(baseSample)
    const jws = choices.oneOf(all)
    return filesOf(replace(baseSample, jws, edit(jws, choices, all)), choices)
  },
  forge: (choices) => filesOf(forge(makeBaseSample, placesOf, choices), choices),
  statements: provenStatements(
    verifyResultFiles({
      artifact: baseSample.bytes(baseSample.review),
      trust: baseSample.bytes(baseSample.trust),
      checkedAt
    })
  )
}
