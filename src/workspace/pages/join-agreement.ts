/** The terms of an agreement as shown to an invited supplier; all of it is the inviting party's text. */
import type { Effect } from "effect"
import { h } from "preact"
import type { readOfferedAgreement } from "../../projects/offered.ts"
import type { Element } from "../html.ts"
import { paragraph, section, time } from "../parts.ts"
import { termsFacts } from "../project-terms.ts"

export type OfferedAgreement = Effect.Success<ReturnType<typeof readOfferedAgreement>>

/** Persons are shown by id only: a holder of the code may not learn their names. */
export const agreementSection = ({ projectId, createdAt, agreement: { terms } }: OfferedAgreement): Element =>
  section(
    "The agreement",
    paragraph("This is the inviting party’s own text. It is not verified."),
    termsFacts(terms, (personId) => personId, [["Project", [h("code", null, projectId), ", made ", time(createdAt)]]])
  )
