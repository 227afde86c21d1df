/** The list of a person's proposals: those addressed to the person, and those of the person's organizations. */
import { Effect, Layer } from "effect"
import type { ActingPerson } from "../../people/acting-person.ts"
import { readOrganizationNames } from "../../people/operations.ts"
import type { Role } from "../../access/actions.ts"
import { listProposalPage } from "../../proposals/person-operations.ts"
import { proposalStates, type ProposalState } from "../../proposals/proposal.ts"
import { limits } from "../../vocabulary/limits.ts"
import { automationBadge } from "../commands/automation.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { listPage, type List } from "../kit/list.ts"
import type { ListQuery } from "../kit/list-query.ts"
import { page } from "../kit/page.ts"
import { badge, linkTo, nextStep, paragraph, aboveId } from "../kit/parts.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { personOf } from "../projects/identity.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { namesById } from "../kit/names.ts"
import { organizationFilter } from "../kit/filters.ts"
import { proposalPath } from "./identity.ts"
import { readNameOf } from "./names.ts"
import { organizationNeededText } from "./missing-organization.ts"
import { proposalStateLabels } from "./labels.ts"
import { proposalAutomation } from "./automation.ts"
import { proposalDetail } from "./detail.ts"
import { proposalCreation } from "./new.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { publishPages } from "./publish.ts"
import { respondPages } from "./respond.ts"
import { proposalUpdate } from "./update.ts"
import { awaitsPerson, type OwnProposal } from "./awaiting-response.ts"
import { withdrawPages } from "./withdraw.ts"

const showProposals = signedInPage(proposalsPath, function* ({ person, viewer }) {
  const memberships = yield* readMemberships(person)
  if (memberships.length === 0) {
    return pageResponse(page({ title, viewer, place: "proposals" }, organizationNeededText))
  }
  const mayWrite = memberships.some((one) => one.authorities.includes("PROPOSAL_MANAGE"))
  return yield* listPage({
    title,
    viewer,
    place: "proposals",
    list: proposalList(memberships, mayWrite),
    read: (query) => readListedProposals(person, memberships, query),
    before: [
      paragraph("A supplier writes a proposal and publishes it to one person, who can accept it as an agreement."),
      mayWrite ? nextStep(newProposalPath, "Write a proposal") : null
    ]
  })
})

const title = "Proposals"

/** The proposals of a page, with the names that the list shows. */
const readListedProposals = Effect.fnUntraced(function* (
  person: ActingPerson,
  memberships: ReadonlyArray<Membership>,
  { valueOf, turn }: ListQuery
) {
  const filter = {
    state: valueOf("state") as ProposalState | undefined,
    side: valueOf("side") as Role | undefined,
    organizationId: valueOf("organization")
  }
  const page = yield* listProposalPage(person, filter, { ...turn, limit: limits.itemsOnPage })
  const names = yield* namesIn(person, page.items)
  return { ...page, items: page.items.map((one) => ({ ...one, names, isMine: awaitsPerson(one, memberships) })) }
})

type Names = Effect.Success<ReturnType<typeof namesIn>>
type ListedProposal = OwnProposal & { readonly names: Names; readonly isMine: boolean }

const proposalList = (memberships: ReadonlyArray<Membership>, mayWrite: boolean): List<ListedProposal> => ({
  name: "proposals",
  path: proposalsPath,
  caption: "Proposals addressed to me and written by my organizations, latest first",
  columns: [
    { heading: "Proposal", cell: ({ id, title }) => aboveId(linkTo(proposalPath(id), untrusted(title)), id) },
    { heading: "What waits for me", cell: (one) => waits(one, one.isMine) },
    { heading: "State", cell: ({ state, role }) => proposalStateLabels[state][role].name },
    { heading: "Version", cell: versionOf },
    { heading: "With", cell: (one) => (one.role === "BUYER" ? fromOf(one, one.names) : toOf(one, one.names)) },
    { heading: "Agents", cell: ({ automation }) => automationBadge(automation.paused) }
  ],
  filters: [
    { name: "state", label: "State", choices: stateChoices },
    { name: "side", label: "Which", choices: sideChoices },
    ...organizationFilter(memberships)
  ],
  empty: mayWrite
    ? "No proposal was published to you, and your organizations have written none. Write one, or let an agent write one."
    : "No proposal was published to you, and your organizations have written none. Writing one requires a membership that permits it."
})

const stateChoices = proposalStates.map((value) => ({ value, label: proposalStateLabels[value].SUPPLIER.name }))

const sideChoices = [
  { value: "BUYER", label: "Addressed to me" },
  { value: "SUPPLIER", label: "Written by my organizations" }
]

const fromOf = ({ supplier }: OwnProposal, { nameOf, organizationName }: Names): Content => [
  "from ",
  untrusted(organizationName(supplier.organizationId)),
  ", with ",
  personOf(supplier.actorId, nameOf)
]

const toOf = ({ recipient, organizationId }: OwnProposal, { nameOf, organizationName }: Names): Content => [
  "to ",
  personOf(recipient.actorId, nameOf),
  recipient.reference === null ? null : [", known as ", untrusted(recipient.reference)],
  "; written for ",
  untrusted(organizationName(organizationId))
]

const waits = ({ state, role }: OwnProposal, isMine: boolean): Content => {
  const { step } = proposalStateLabels[state][role]
  if (step === undefined) return "nothing"
  if (isMine) return [badge("waiting", "waits for you"), " ", step]
  return role === "BUYER" ? "nothing that you may do" : "nothing: another member may"
}

const versionOf = ({ role, version, publishedVersion }: OwnProposal): string =>
  role === "BUYER" || publishedVersion === version
    ? `${version}`
    : `${version}, ${publishedVersion === null ? "none published" : `version ${publishedVersion} published last`}`

/** The names for the person and organization ids in the list. */
const namesIn = Effect.fnUntraced(function* (person: ActingPerson, proposals: ReadonlyArray<OwnProposal>) {
  // For an unpublished version the author may not learn the recipient's name.
  const known = proposals.flatMap(({ supplier, recipient, version, publishedVersion }) =>
    publishedVersion === version ? [supplier.actorId, recipient.actorId] : [supplier.actorId]
  )
  const sides = new Map(
    proposals.map(({ role, organizationId }) => [`${role} ${organizationId}`, { role, organizationId }] as const)
  )
  const organizationIds = proposals.flatMap(({ supplier, organizationId }) => [supplier.organizationId, organizationId])
  return yield* Effect.all({
    nameOf: readNameOf(person, known, [...sides.values()]),
    organizationName: namesById(readOrganizationNames, organizationIds)
  })
})

export const proposalPages = Layer.mergeAll(
  showProposals,
  proposalCreation,
  proposalDetail,
  publishPages,
  respondPages,
  proposalUpdate,
  withdrawPages,
  proposalAutomation
)
