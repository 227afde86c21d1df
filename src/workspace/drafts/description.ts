/** Where the content of a draft comes from, shown after the form of a step. */
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { facts, linkTo, paragraph, section, time } from "../kit/parts.ts"
import { sourceFacts } from "./content.ts"
import type { Draft } from "./kind.ts"
import { preparerText } from "./labels.ts"
import { draftPath } from "./path.ts"

export const draftDescription = ({ draftId, preparedBy, createdAt, content }: Draft): Content => {
  const { externalSigning } = content
  const sources = sourceFacts(content)
  return section(
    "The draft",
    paragraph(
      "Prepared by ",
      preparerText(preparedBy),
      ", ",
      time(createdAt),
      ". It has been neither checked nor agreed on. ",
      linkTo(draftPath(draftId), "See the draft")
    ),
    sources.length === 0 ? null : facts(sources),
    content.templateBinding === undefined
      ? null
      : "The proposed template is not applied: its content may differ from these terms.",
    externalSigning === undefined
      ? null
      : paragraph(
          "Signing elsewhere is proposed, as shown under Signatures in the last step; the contact is ",
          untrusted(externalSigning.contact),
          "."
        ),
    content.recipient?.reference === undefined
      ? null
      : ["Intended recipient:", untrustedLines(content.recipient.reference)]
  )
}
