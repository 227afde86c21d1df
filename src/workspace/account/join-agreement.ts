/** The terms of an agreement as shown to an invited supplier; all of it is the inviting party's text. */
import type { Effect } from "effect"
import { h } from "preact"
import type { readInvitedAgreement } from "../../projects/invited-project.ts"
import type { Element } from "../kit/html.ts"
import { section, time } from "../kit/parts.ts"
import { termsFacts } from "../projects/terms.ts"

export type OfferedAgreement = Effect.Success<ReturnType<typeof readInvitedAgreement>>

/** Persons are shown by id only: a holder of the code may not learn their names. */
export const agreementSection = ({ projectId, createdAt, agreement: { terms } }: OfferedAgreement): Element =>
  section(
    "The agreement",
    "This is the inviting party’s own text. It is not verified.",
    termsFacts(terms, (personId) => personId, [["Project", [h("code", null, projectId), ", made ", time(createdAt)]]])
  )
