/**
 * Edits of signed objects. Some exchange segments; the others sign the changed object again with the issuer's key, so that
 * the checks after the signature run.
 */
import type { Forgery, Sample } from "../sample.ts"
import { base64url, jcs, keys, kid, type Members, type Purpose, signBytes } from "../signing.ts"
import { editJsonText, editValue } from "./json-edits.ts"
import { canary, makeBaseSample } from "./base-sample.ts"
import type { Choices } from "./choices.ts"

export type SignedEdit = (life: Sample, choices: Choices) => Sample

const purposes: Readonly<Record<string, Purpose>> = {
  "service.project-event/v1": "EVENT",
  "service.authority-event/v1": "AUTHORITY",
  "service.result-record/v1": "RECORD",
  "service.result-package/v2": "PACKAGE",
  "service.agent-status/v1": "STATUS"
}

const decoded = (segment: string): string => Buffer.from(segment, "base64url").toString()
const segmentsOf = (jws: string): ReadonlyArray<string> => jws.split(".")
const headerOf = (jws: string): Members => JSON.parse(decoded(segmentsOf(jws)[0]!))
const payloadOf = (jws: string): Members => JSON.parse(decoded(segmentsOf(jws)[1]!))
const keyOf = (jws: string) => keys[purposes[headerOf(jws)["typ"]]!].privateKey

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

const editSigned =
  (edit: (jws: string, choices: Choices, all: ReadonlyArray<string>) => string): SignedEdit =>
  (life, choices) => {
    const all = signedOf(life)
    const jws = choices.oneOf(all)
    return replace(life, jws, edit(jws, choices, all))
  }

const jwsText = (text: unknown): string => (typeof text === "string" ? text : JSON.stringify(text ?? null))

/** The canonical form, if the value has one. */
const canonicalOrNot = (value: unknown): string => {
  try {
    return jcs(value ?? null)
  } catch {
    return JSON.stringify(value)
  }
}

const headerEdits: ReadonlyArray<(header: Members, choices: Choices) => unknown> = [
  (header, choices) => editValue(header, choices),
  (header, choices) => ({ ...header, alg: choices.oneOf(["none", "nOnE", "HS256", "Ed25519", "", null, ["EdDSA"]]) }),
  (header, choices) => ({
    ...header,
    kid: choices.oneOf([kid("EVENT"), kid("stranger"), canary, "x".repeat(201), ""])
  }),
  (header, choices) => ({ ...header, typ: choices.oneOf([...Object.keys(purposes), canary, "JWT"]) }),
  (header, choices) => ({
    ...header,
    [choices.oneOf(["jwk", "jku", "x5c", "x5u", "crit", "b64", "zip", "cty", "__proto__", canary])]: choices.oneOf([
      keys.stranger.jwk,
      ["b64"],
      false,
      canary
    ])
  })
]

export const signedEdits: Readonly<Record<string, SignedEdit>> = {
  "segments exchanged": editSigned((jws, choices, all) => {
    const other = segmentsOf(choices.oneOf(all))
    const place = choices.below(3)
    return segmentsOf(jws)
      .map((segment, at) => (at === place ? other[choices.below(3)] : segment))
      .join(".")
  }),
  "object exchanged": editSigned((_, choices, all) => choices.oneOf(all)),
  "characters of an object": editSigned((jws, choices) => jwsText(editValue(jws, choices))),
  "header signed again": editSigned((jws, choices) => {
    const header = canonicalOrNot(choices.oneOf(headerEdits)(headerOf(jws), choices))
    return signBytes(header, decoded(segmentsOf(jws)[1]!), keyOf(jws))
  }),
  "header text signed again": editSigned((jws, choices) =>
    signBytes(editJsonText(jcs(headerOf(jws)), choices), decoded(segmentsOf(jws)[1]!), keyOf(jws))
  ),
  "payload signed again": editSigned((jws, choices) =>
    signBytes(jcs(headerOf(jws)), canonicalOrNot(editValue(payloadOf(jws), choices)), keyOf(jws))
  ),
  "payload text signed again": editSigned((jws, choices) =>
    signBytes(jcs(headerOf(jws)), editJsonText(decoded(segmentsOf(jws)[1]!), choices), keyOf(jws))
  ),
  "signed by another key": editSigned((jws, choices) => {
    const by = choices.oneOf(Object.keys(keys) as Array<keyof typeof keys>)
    const header = jcs({ ...headerOf(jws), kid: choices.oneOf([kid(by), headerOf(jws)["kid"]]) })
    return signBytes(header, decoded(segmentsOf(jws)[1]!), keys[by].privateKey)
  }),
  "bytes under a signature": editSigned((jws, choices) => {
    const [header, payload, signature] = segmentsOf(jws)
    const bytes = Buffer.from(choices.oneOf([payload!, signature!]), "base64url")
    bytes[choices.below(bytes.length)]! ^= 1 << choices.below(8)
    return bytes.length === 64
      ? `${header}.${payload}.${base64url(bytes)}`
      : `${header}.${base64url(bytes)}.${signature}`
  })
}

/** A sample with one consistent forgery. Forgeries on which the sample's issuer throws are skipped. */
export const forgedSample = (_: Sample, choices: Choices): Sample => {
  for (;;) {
    try {
      return makeBaseSample(forgeryFrom(choices))
    } catch {
      continue
    }
  }
}

const hooks = ["agreement", "event", "record", "authority", "content", "package", "status", "history"] as const

/** One edited object; all derived values are consistent with it. */
const forgeryFrom = (choices: Choices): Forgery => {
  const hook = choices.oneOf(hooks)
  const place = choices.below(8)
  let calls = 0
  return { [hook]: (value: unknown) => (calls++ === place % placesOf[hook] ? plausible(value, choices) : undefined) }
}

const placesOf = { agreement: 1, event: 5, record: 1, authority: 12, content: 1, package: 1, status: 1, history: 1 }

/** The sample's issuer can process only an edited value of the same outermost type. */
const plausible = (value: unknown, choices: Choices): unknown => {
  const edited = editValue(value, choices)
  return Array.isArray(edited) === Array.isArray(value) && typeof edited === "object" ? edited : undefined
}
