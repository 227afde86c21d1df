/** The drafts of a person's organizations: prepared terms that are neither sent nor agreed on. */
import { Effect, Layer } from "effect"
import type { Role } from "../../access/actions.ts"
import type { DraftState } from "../../drafts/draft.ts"
import { listDraftPage } from "../../drafts/person-operations.ts"
import type { Authority } from "../../people/membership.ts"
import { limits } from "../../vocabulary/limits.ts"
import { labelFilter, organizationFilter } from "../kit/filters.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { listPage, type List } from "../kit/list.ts"
import { linkTo, nextStep, paragraph, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { newProposalPath } from "../proposals/path.ts"
import { specificationsPath } from "../specifications/path.ts"
import { draftDetail } from "./detail.ts"
import { draftStateBadge, draftStateLabels, preparerText } from "./labels.ts"
import { draftPath, draftsPath } from "./path.ts"

const showDrafts = signedInPage(draftsPath, function* ({ person, viewer }) {
  const memberships = yield* readMemberships(person)
  return yield* listPage({
    title: "Drafts",
    viewer,
    place: "drafts",
    list: draftList(memberships),
    read: ({ valueOf, turn }) => {
      const filter = {
        organizationId: valueOf("organization"),
        role: valueOf("side") as Role | undefined,
        state: valueOf("state") as DraftState | undefined
      }
      return listDraftPage(person, filter, { ...turn, limit: limits.itemsOnPage })
    },
    before: [
      paragraph("Drafts are not sent, agreed on or signed before a person finishes them."),
      ...waysToStart(memberships)
    ]
  })
})

const waysToStart = (memberships: ReadonlyArray<Membership>): ReadonlyArray<Element> => {
  const may = (authority: Authority) => memberships.some(({ authorities }) => authorities.includes(authority))
  const ways = [
    ...(may("AGREEMENT_CREATE") ? [nextStep("/workspace/projects/new", "Start an agreement")] : []),
    ...(may("PROPOSAL_MANAGE") ? [nextStep(newProposalPath, "Start a proposal")] : [])
  ]
  return ways.length > 0 ? ways : [paragraph(linkTo(specificationsPath, "Start one from a public specification"))]
}

type ListedDraft = Effect.Success<ReturnType<typeof listDraftPage>>["items"][number]

const draftList = (memberships: ReadonlyArray<Membership>): List<ListedDraft> => ({
  name: "drafts",
  path: draftsPath,
  caption: "Drafts that I may handle, newest first",
  columns: [
    {
      heading: "Draft",
      cell: ({ draftId, title }) => linkTo(draftPath(draftId), title === null ? "Without a title" : untrusted(title))
    },
    { heading: "Side", cell: ({ role }) => roleLabels[role] },
    {
      heading: "For",
      cell: ({ organizationId }) =>
        untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId)
    },
    { heading: "Prepared", cell: ({ preparedBy, createdAt }) => [preparerText(preparedBy), ", ", time(createdAt)] },
    { heading: "State", cell: ({ state }) => draftStateBadge(state) }
  ],
  filters: [
    labelFilter("state", "State", draftStateLabels),
    labelFilter("side", "Side", roleLabels),
    ...organizationFilter(memberships)
  ],
  empty:
    "There is no draft that you may handle. Agents prepare them, and people in the steps of an agreement or a proposal, or from a public specification."
})

export const draftPages = Layer.merge(showDrafts, draftDetail)
