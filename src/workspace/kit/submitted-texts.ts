/** The submitted texts of a form that had no effect, for the person to copy. */
import { untrustedLines, type Content } from "./html.ts"
import { facts, section } from "./parts.ts"
import type { Fields } from "./urlencoded.ts"

/** Lists each text with its label; fields without a label, such as selections and checkboxes, are omitted. */
export const submittedTexts = (fields: Fields, labelOf: (name: string) => string | undefined): Content => {
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
