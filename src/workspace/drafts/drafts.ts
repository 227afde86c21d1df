/** The drafts of a person's organizations: prepared terms that are neither sent nor agreed on. */
import { Effect, Layer } from "effect"
import { listDrafts } from "../../drafts/person-operations.ts"
import { readProfile } from "../../people/profile.ts"
import { limits } from "../../vocabulary/limits.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, paragraph, table, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { draftStateBadge, preparerText } from "./labels.ts"
import { roleLabels } from "../kit/labels.ts"
import { draftDetail } from "./detail.ts"
import { draftPath, draftsPath } from "./path.ts"
import { specificationsPath } from "../specifications/path.ts"

const showDrafts = signedInPage(draftsPath, ({ person, viewer }) =>
  Effect.gen(function* () {
    const { drafts, isCut } = yield* listDrafts(person)
    const { memberships } = yield* readProfile(person)
    const nameOf = (organizationId: string) =>
      memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId
    return pageResponse(
      page(
        { title: "Drafts", viewer, place: "drafts" },
        "Drafts are not sent, agreed on or signed before a person finishes them.",
        memberships.some(mayMakeAgreements)
          ? nextStep("/workspace/projects/new", "Start an agreement")
          : paragraph(linkTo(specificationsPath, "Start one from a public specification")),
        isCut ? `Only the newest ${limits.draftsListed.toLocaleString("en")} are shown.` : null,
        table({
          caption: "Drafts that I may handle, newest first",
          columns: ["Draft", "Side", "For", "Prepared", "State"],
          rows: drafts.map((draft) => [
            linkTo(draftPath(draft.draftId), draft.title === null ? "Without a title" : untrusted(draft.title)),
            roleLabels[draft.role],
            untrusted(nameOf(draft.organizationId)),
            [preparerText(draft.preparedBy), ", ", time(draft.createdAt)],
            draftStateBadge(draft.state)
          ]),
          empty:
            "There is no draft that you may handle. Agents prepare them, and people in the steps of an agreement or a proposal, or from a public specification."
        })
      )
    )
  })
)

type Membership = Effect.Success<ReturnType<typeof readProfile>>["memberships"][number]

const mayMakeAgreements = ({ isInForce, authorities }: Membership): boolean =>
  isInForce && authorities.includes("AGREEMENT_CREATE")

export const draftPages = Layer.merge(showDrafts, draftDetail)
