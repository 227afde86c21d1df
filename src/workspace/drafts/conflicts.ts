/** What a person reads after a draft or its form was used meanwhile. */
import { entryLabel } from "../agreements/entry-labels.ts"
import type { Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, notice, paragraph, time } from "../kit/parts.ts"
import { submittedTexts } from "../kit/submitted-texts.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Draft, DraftKind, OpenDraft } from "./kind.ts"
import { draftPath, draftsPath } from "./path.ts"

export const requestIdUsedNotice = notice(
  "warning",
  paragraph(
    "This form was already used to start a draft: see your ",
    linkTo(draftsPath, "drafts"),
    ". Your entries are below; saving them starts another one."
  )
)

/** `entries` is what follows: the entered values, or the terms. */
export const draftChangedNotice = (
  { draftId, changedAt }: Draft,
  entries = "Your entries are below; saving them replaces this step of the current content."
): Content =>
  notice(
    "warning",
    paragraph(
      "This draft was saved meanwhile, ",
      time(changedAt),
      ", and nothing was done: ",
      linkTo(draftPath(draftId), "see its current content"),
      ". ",
      entries
    )
  )

/** For a draft that was discarded or finished: the entered texts, to be copied. */
export const endedDraftPage = (
  { title, place }: Pick<DraftKind<never, never>, "title" | "place">,
  { visitor, draft }: OpenDraft & { readonly draft: Draft },
  fields: Fields
): string =>
  page(
    { title, viewer: visitor.viewer, place },
    notice(
      "warning",
      paragraph(
        `This draft ${endings[draft.state]} meanwhile, `,
        time(draft.changedAt),
        ", and nothing was done: ",
        linkTo(draftPath(draft.draftId), "see how it ended"),
        "."
      )
    ),
    submittedTexts(fields, entryLabel),
    paragraph(linkTo(draftsPath, "All drafts"))
  )

const endings: { readonly [S in Draft["state"]]: string } = {
  DRAFT: "was saved",
  COMMITTED: "was finished",
  DISCARDED: "was discarded"
}
