/** The submitted texts of a form that had no effect, for the person to copy. */
import { untrustedLines, type Content } from "./html.ts"
import { facts, section } from "./parts.ts"
import type { Fields } from "./urlencoded.ts"

/** Lists each text with its label; selections and checkboxes are omitted. */
export const submittedValues = (fields: Fields, labelOf = labelOfCommandField): Content => {
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    const label = labelOf(name)
    return label !== undefined && typeof value === "string" && value.trim() !== ""
      ? [[label, untrustedLines(value)] as const]
      : []
  })
  return texts.length === 0
    ? null
    : section("What you had written", "It was not saved: copy the parts that you still need.", facts(texts))
}

const labelOfCommandField = (name: string): string | undefined => {
  const [, base = name, place] = /^([a-z]+)([1-9]\d*)$/.exec(name) ?? []
  if (place !== undefined) return Object.hasOwn(criterionLabels, base) ? `${criterionLabels[base]} ${place}` : undefined
  return Object.hasOwn(formLabels, name) ? formLabels[name] : undefined
}

const criterionLabels: { readonly [name: string]: string } = {
  note: "Note on criterion",
  summary: "What answers criterion",
  files: "Files for criterion",
  references: "References for criterion"
}

const formLabels: { readonly [name: string]: string } = {
  reason: "Reason",
  summary: "Summary of the delivery",
  nextAction: "What the supplier does next",
  provider: "Provider of the signature",
  evidence: "Reference there",
  fileName: "Name of the signed file",
  fileDigest: "SHA-256 of the signed file",
  signedAt: "When it was signed",
  title: "Task",
  instructions: "Instructions"
}
