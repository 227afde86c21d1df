/** One mutation of the verifier's inputs, determined by its number. */
import type { Report } from "../../../src/verifier/report.ts"
import { type ResultFiles, verifyResultArtifact, verifyResultFiles } from "../../../src/verifier/verify.ts"
import { checkedAt, type Sample } from "../sample.ts"
import { byteEdits } from "./byte-edits.ts"
import { hostileValues, plant, abnormalBytes } from "./hostile-values.ts"
import { editJsonText, editValue } from "./json-edits.ts"
import { canary, baseSample, policy } from "./base-sample.ts"
import { type Choices, choicesFrom } from "./choices.ts"
import { forgedSample, signedEdits } from "./signed-edits.ts"

export interface Mutation {
  readonly kind: string
  /** True if the issuer's key signed changed content, so that another record may verify. */
  readonly isSignedAgain: boolean
  readonly verify: () => Report
}

export const mutationAt = (number: number): Mutation => {
  const choices = choicesFrom(number)
  const [group, mutate] = choices.oneOf(groups)
  const { kind, verify } = mutate(choices)
  return { kind: `${group}: ${kind}`, isSignedAgain: isSigned.has(group), verify }
}

const isSigned: ReadonlySet<string> = new Set(["signed objects", "consistent forgeries"])

type Mutate = (choices: Choices) => Pick<Mutation, "kind" | "verify">

const shapes = ["review", "review", "package", "record"] as const

const filesOf = (one: Sample, choices: Choices): { [file: string]: Uint8Array } => {
  const shape = choices.oneOf(shapes)
  const artifact = shape === "review" ? one.review : shape === "package" ? one.review["record"] : one.record
  const space = choices.oneOf([0, 1, "\t"])
  const text = typeof artifact === "string" ? artifact : JSON.stringify(artifact, null, space)
  const required = { artifact: Buffer.from(text), trust: one.bytes(one.trust) }
  const status = one.bytes(choices.oneOf([one.status, { status: one.status }]))
  return choices.below(3) === 0 ? { ...required, status, authority: one.bytes(policy) } : required
}

const verifyingFiles = (files: { [file: string]: Uint8Array }): (() => Report) => {
  const { artifact, trust, ...rest } = files
  return () => verifyResultFiles({ artifact: artifact!, trust: trust!, ...rest, checkedAt })
}

const editBytes: Mutate = (choices) => {
  const files = filesOf(baseSample, choices)
  const name = choices.oneOf(Object.keys(files))
  const kind = choices.oneOf(Object.keys(byteEdits))
  const edited = byteEdits[kind]!(files[name]!, choices, Object.values(files))
  return { kind, verify: verifyingFiles({ ...files, [name]: edited }) }
}

const values = (): { [file: string]: unknown } => ({
  artifact: baseSample.review,
  trust: baseSample.trust,
  status: { status: baseSample.status },
  authority: policy
})

const editJson: Mutate = (choices) => {
  const files = values()
  const name = choices.oneOf(Object.keys(files))
  const isText = choices.below(3) === 0
  const text = JSON.stringify(files[name], null, choices.below(2))
  const edited = isText ? editJsonText(text, choices) : textOf(editValue(files[name], choices))
  const whole = { artifact: files["artifact"], trust: files["trust"], [name]: files[name] }
  const bytes = Object.entries(whole).map(([file, value]) => [file, Buffer.from(textOf(value))] as const)
  return {
    kind: isText ? "text" : "value",
    verify: verifyingFiles({ ...Object.fromEntries(bytes), [name]: Buffer.from(edited) })
  }
}

/** JSON.stringify fails on deep nesting; a truncated text is used instead. */
const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return "[".repeat(5_000)
  }
}

const editSigned: Mutate = (choices) => {
  const kind = choices.oneOf(Object.keys(signedEdits))
  const files = filesOf(signedEdits[kind]!(baseSample, choices), choices)
  return { kind, verify: verifyingFiles(files) }
}

const forgeConsistently: Mutate = (choices) => ({
  kind: "any",
  verify: verifyingFiles(filesOf(forgedSample(baseSample, choices), choices))
})

const times: ReadonlyArray<unknown> = [
  undefined,
  null,
  0,
  Number.NaN,
  1n,
  Symbol("time"),
  {},
  [checkedAt],
  new Date(0),
  Object(checkedAt),
  "",
  canary,
  `${checkedAt} `,
  checkedAt.toLowerCase(),
  "0000-01-01T00:00:00.000Z",
  "1970-01-01T00:00:00.000Z",
  "2026-02-30T00:00:00.000Z",
  "2026-12-31T23:59:60.000Z",
  "9999-12-31T23:59:59.999Z"
]

const editTime: Mutate = (choices) => {
  const isText = choices.below(2) === 0
  const time = isText ? editedTime(choices) : choices.oneOf(times)
  const files = filesOf(baseSample, choices) as unknown as ResultFiles
  return { kind: isText ? "text" : "value", verify: () => verifyResultFiles({ ...files, checkedAt: time as string }) }
}

const editedTime = (choices: Choices): string => {
  const at = choices.below(checkedAt.length)
  const by = choices.oneOf(["", "0", "1", "2", "9", "T", "z", "-", "+", ":", "\n", "٣"])
  return checkedAt.slice(0, at) + by + checkedAt.slice(at + 1)
}

const verifyingValues = (files: { [file: string]: unknown }): (() => Report) => {
  const { artifact, trust, status, authority } = files
  return () => verifyResultArtifact(artifact, trust, checkedAt, status, authority)
}

const inMemory = (): { [file: string]: unknown } => ({ ...values(), status: baseSample.status })

const passHostileValue: Mutate = (choices) => {
  const files = inMemory()
  const name = choices.oneOf(Object.keys(files))
  const kind = choices.oneOf(Object.keys(hostileValues))
  const planted = plant(files[name], (around) => hostileValues[kind]!(around, choices), choices)
  return { kind, verify: verifyingValues({ ...files, [name]: planted }) }
}

const passEditedValue: Mutate = (choices) => {
  const files = inMemory()
  const name = choices.oneOf(Object.keys(files))
  return { kind: name, verify: verifyingValues({ ...files, [name]: editValue(files[name], choices) }) }
}

const passNonBytes: Mutate = (choices) => {
  const files = filesOf(baseSample, choices)
  const name = choices.oneOf(["artifact", "trust", "status", "authority"])
  const kind = choices.oneOf([...Object.keys(hostileValues), "strange bytes"])
  const other =
    kind in hostileValues
      ? hostileValues[kind]!(files[name], choices)
      : abnormalBytes(files[name] ?? files["artifact"]!, choices)
  return { kind: "in place of bytes", verify: verifyingFiles({ ...files, [name]: other as Uint8Array }) }
}

/** Weighted by the number of entries. */
const groups: ReadonlyArray<readonly [name: string, mutate: Mutate]> = [
  ["bytes", editBytes],
  ["bytes", editBytes],
  ["json", editJson],
  ["json", editJson],
  ["signed objects", editSigned],
  ["signed objects", editSigned],
  ["consistent forgeries", forgeConsistently],
  ["consistent forgeries", forgeConsistently],
  ["time", editTime],
  ["in memory", passHostileValue],
  ["in memory", passEditedValue],
  ["in memory", passNonBytes]
]
