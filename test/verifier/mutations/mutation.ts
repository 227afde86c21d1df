/** One mutation of the verifier's inputs, determined by its number. */
import type { Report } from "../../../src/verifier/report.ts"
import { type ResultFiles, verifyResultArtifact, verifyResultFiles } from "../../../src/verifier/verify.ts"
import { checkedAt } from "../sample.ts"
import type { Base, Files } from "./base.ts"
import { byteEdits } from "./byte-edits.ts"
import { hostileValues, plant, abnormalBytes } from "./hostile-values.ts"
import { editJsonText, editValue } from "./json-edits.ts"
import { canary } from "./base-sample.ts"
import { type Choices, choicesFrom } from "./choices.ts"
import { closureBase, extendedClosureBase } from "./closure-base.ts"
import { commerceBase } from "./commerce-base.ts"
import { passportBase } from "./passport-base.ts"
import { resultBase } from "./result-base.ts"
import { jwsEdits } from "./signed-edits.ts"

export interface Mutation {
  readonly kind: string
  /** True if the issuer's key signed changed content, so that another record may verify. */
  readonly isSignedAgain: boolean
  /** The statements of the artifact before the mutation. */
  readonly statements: string
  readonly verify: () => Report
}

export const mutationAt = (number: number): Mutation => {
  const choices = choicesFrom(number)
  const [group, mutate] = choices.oneOf(groups)
  const [artifact, base] = choices.oneOf(bases)
  const { kind, verify } = mutate(choices, base)
  const { statements } = base
  return { kind: `${artifact}, ${group}: ${kind}`, isSignedAgain: isSigned.has(group), statements, verify }
}

const isSigned: ReadonlySet<string> = new Set(["signed objects", "consistent forgeries"])

/** A passport and a Commerce Record have fewer parts, and so fewer of the mutations. */
const bases: ReadonlyArray<readonly [artifact: string, base: Base]> = [
  ["result", resultBase],
  ["result", resultBase],
  ["passport", passportBase],
  ["payment", commerceBase],
  ["closure", closureBase],
  ["closure with a lineage", extendedClosureBase]
]

type Mutate = (choices: Choices, base: Base) => Pick<Mutation, "kind" | "verify">

/** Serializes with white space by chance; a text stays as it is. */
const bytesOf = (files: Files, choices: Choices): { [file: string]: Uint8Array } => {
  const space = choices.oneOf([0, 1, "\t"])
  return Object.fromEntries(
    Object.entries(files).map(([role, value]) => [
      role,
      Buffer.from(typeof value === "string" ? value : JSON.stringify(value, null, space))
    ])
  )
}

const verifyingFiles = (files: { [file: string]: Uint8Array }): (() => Report) => {
  const { artifact, trust, ...rest } = files
  return () => verifyResultFiles({ artifact: artifact!, trust: trust!, ...rest, checkedAt })
}

const editBytes: Mutate = (choices, base) => {
  const files = bytesOf(base.files(choices), choices)
  const name = choices.oneOf(Object.keys(files))
  const kind = choices.oneOf(Object.keys(byteEdits))
  const edited = byteEdits[kind]!(files[name]!, choices, Object.values(files))
  return { kind, verify: verifyingFiles({ ...files, [name]: edited }) }
}

const editJson: Mutate = (choices, { values }) => {
  const name = choices.oneOf(Object.keys(values))
  const isText = choices.below(3) === 0
  const text = JSON.stringify(values[name], null, choices.below(2))
  const edited = isText ? editJsonText(text, choices) : textOf(editValue(values[name], choices))
  const whole = { artifact: values["artifact"], trust: values["trust"], [name]: values[name] }
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

const editSigned: Mutate = (choices, base) => {
  const kind = choices.oneOf(Object.keys(jwsEdits))
  return { kind, verify: verifyingFiles(bytesOf(base.editSigned(jwsEdits[kind]!, choices), choices)) }
}

const forgeConsistently: Mutate = (choices, base) => ({
  kind: "any",
  verify: verifyingFiles(bytesOf(base.forge(choices), choices))
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

const editTime: Mutate = (choices, base) => {
  const isText = choices.below(2) === 0
  const time = isText ? editedTime(choices) : choices.oneOf(times)
  const files = bytesOf(base.files(choices), choices) as unknown as ResultFiles
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

const passHostileValue: Mutate = (choices, { inMemory }) => {
  const name = choices.oneOf(Object.keys(inMemory))
  const kind = choices.oneOf(Object.keys(hostileValues))
  const planted = plant(inMemory[name], (around) => hostileValues[kind]!(around, choices), choices)
  return { kind, verify: verifyingValues({ ...inMemory, [name]: planted }) }
}

const passEditedValue: Mutate = (choices, { inMemory }) => {
  const name = choices.oneOf(Object.keys(inMemory))
  return { kind: name, verify: verifyingValues({ ...inMemory, [name]: editValue(inMemory[name], choices) }) }
}

const passNonBytes: Mutate = (choices, base) => {
  const files = bytesOf(base.files(choices), choices)
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
