/** What a person had written in a form that did nothing, to be copied: free texts are as long as they took to write. */
import { untrustedLines, type Content } from "./html.ts"
import { facts, paragraph, section } from "./parts.ts"
import type { Fields } from "./urlencoded.ts"

/** Every text of the form by its label; nothing where there is none. What was chosen or ticked is chosen anew. */
export const written = (fields: Fields, labelOf = labelOfAct): Content => {
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    const label = labelOf(name)
    return label !== undefined && typeof value === "string" && value.trim() !== ""
      ? [[label, untrustedLines(value)] as const]
      : []
  })
  return texts.length === 0
    ? null
    : section("What you had written", paragraph("It was not kept: copy what you still need."), facts(texts))
}

const labelOfAct = (name: string): string | undefined => {
  const [, base = name, place] = /^([a-z]+)([1-9]\d*)$/.exec(name) ?? []
  if (place !== undefined) return Object.hasOwn(ofCriterion, base) ? `${ofCriterion[base]} ${place}` : undefined
  return Object.hasOwn(ofForm, name) ? ofForm[name] : undefined
}

const ofCriterion: { readonly [name: string]: string } = {
  note: "Note on criterion",
  summary: "What answers criterion",
  files: "Files for criterion",
  references: "References for criterion"
}

const ofForm: { readonly [name: string]: string } = {
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
