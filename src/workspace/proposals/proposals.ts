/** The list of a person's proposals: those addressed to the person, and those of the person's organizations. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import type { ActingPerson } from "../../people/acting-person.ts"
import { readOrganizationNames } from "../../people/operations.ts"
import { readProfile } from "../../people/profile.ts"
import { listNewestProposalsAsPerson } from "../../proposals/person-operations.ts"
import { limits } from "../../vocabulary/limits.ts"
import { automationBadge } from "../commands/automation.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, linkTo, nextStep, section, table } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import { proposalPath } from "./identity.ts"
import { readNameOf } from "./names.ts"
import { organizationNeededText } from "./missing-organization.ts"
import { proposalStateLabels } from "./labels.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { proposalAutomation } from "./automation.ts"
import { proposalDetail } from "./detail.ts"
import { proposalCreation } from "./new.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { publishPages } from "./publish.ts"
import { respondPages } from "./respond.ts"
import { proposalUpdate } from "./update.ts"
import { awaitsPerson, type OwnProposal } from "./awaiting-response.ts"
import { withdrawPages } from "./withdraw.ts"

const showProposals = signedInPage(proposalsPath, ({ person, viewer }) =>
  Effect.gen(function* () {
    const { memberships } = yield* readProfile(person)
    if (!memberships.some(({ isInForce }) => isInForce)) {
      return pageResponse(page({ title, viewer, place: "proposals" }, organizationNeededText))
    }
    const { proposals, isCut } = yield* listNewestProposalsAsPerson(person)
    const names = yield* namesIn(person, proposals)
    const mayWrite = memberships.some((one) => one.isInForce && one.authorities.includes("PROPOSAL_MANAGE"))
    const ordered = proposals.toSorted(
      (one, other) => Number(awaitsPerson(other, memberships)) - Number(awaitsPerson(one, memberships))
    )
    const rows = (role: OwnProposal["role"]) =>
      ordered.filter((one) => one.role === role).map((one) => rowOf(one, names, awaitsPerson(one, memberships)))
    return pageResponse(
      page(
        { title, viewer, place: "proposals" },
        "A supplier writes a proposal and publishes it to one person, who can accept it as an agreement.",
        mayWrite ? nextStep(newProposalPath, "Write a proposal") : null,
        isCut ? truncatedText : null,
        section(
          "Addressed to me",
          table({
            caption: "Proposals that were published to me",
            columns: ["Proposal", "What waits for me", "State", "Version", "From", "Agents"],
            rows: rows("BUYER"),
            empty: "No proposal was published to you."
          })
        ),
        section(
          "Written by my organizations",
          table({
            caption: "Proposals that my organizations wrote",
            columns: ["Proposal", "What waits for me", "State", "Version", "To", "Agents"],
            rows: rows("SUPPLIER"),
            empty: mayWrite
              ? "Your organizations have written no proposal yet. Write one, or let an agent write one."
              : "Your organizations have written no proposal. Writing one requires a membership that permits it."
          })
        )
      )
    )
  })
)

const title = "Proposals"
const truncatedText = `Only the newest ${limits.projectsListed.toLocaleString("en")} are shown, of yours and of each of your organizations.`

type Names = Effect.Success<ReturnType<typeof namesIn>>

const rowOf = (one: OwnProposal, names: Names, isMine: boolean): ReadonlyArray<Content> => [
  [linkTo(proposalPath(one.id), untrusted(one.title)), h("br", null), h("code", null, one.id)],
  waits(one, isMine),
  proposalStateLabels[one.state][one.role].name,
  versionOf(one),
  one.role === "BUYER" ? fromOf(one, names) : toOf(one, names),
  automationBadge(one.automation.paused)
]

const fromOf = ({ supplier }: OwnProposal, { nameOf, organizationName }: Names): Content => [
  untrusted(organizationName(supplier.organizationId)),
  ", with ",
  personOf(supplier.actorId, nameOf)
]

const toOf = ({ recipient, organizationId }: OwnProposal, { nameOf, organizationName }: Names): Content => [
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
  const organizationIds = [
    ...new Set(proposals.flatMap(({ supplier, organizationId }) => [supplier.organizationId, organizationId]))
  ]
  const [nameOf, organizations] = yield* Effect.all([
    readNameOf(person, known, [...sides.values()]),
    readOrganizationNames(organizationIds)
  ])
  const organizationNames = new Map(organizationIds.map((id, index) => [id, organizations[index] ?? id] as const))
  return { nameOf, organizationName: (id: string): string => organizationNames.get(id) ?? id }
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
