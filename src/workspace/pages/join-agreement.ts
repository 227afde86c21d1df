/** The terms of an agreement as whoever is invited to supply reads them: all of it is the inviting side's own words. */
import type { Effect } from "effect"
import { h } from "preact"
import type { readOfferedAgreement } from "../../projects/offered.ts"
import type { Element } from "../html.ts"
import { paragraph, section, time } from "../parts.ts"
import { termsFacts } from "../project-terms.ts"

export type OfferedAgreement = Effect.Success<ReturnType<typeof readOfferedAgreement>>

/** Who is named by id in it is not told to whoever only holds a code. */
export const agreementSection = ({ projectId, createdAt, agreement: { terms } }: OfferedAgreement): Element =>
  section(
    "The agreement",
    paragraph("These are the inviting side’s own words. Nobody has verified them."),
    termsFacts(terms, (personId) => personId, [["Project", [h("code", null, projectId), ", made ", time(createdAt)]]])
  )
