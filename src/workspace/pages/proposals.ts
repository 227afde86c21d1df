/** The list of a person's proposals: those addressed to the person, and those of the person's organizations. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import type { Human } from "../../people/human.ts"
import { readOrganizationNames } from "../../people/operations.ts"
import { readStanding } from "../../people/standing.ts"
import { listNewestAsPerson } from "../../proposals/person-operations.ts"
import { limits } from "../../vocabulary/limits.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { badge, linkTo, nextStep, paragraph, section, table } from "../parts.ts"
import { personOf } from "../project-identity.ts"
import { proposalPath } from "../proposal-identity.ts"
import { readNameOf } from "../proposal-names.ts"
import { needsOrganization } from "../proposal-outside.ts"
import { proposalStateWords } from "../proposal-words.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { proposalAutomation } from "./proposals-automation.ts"
import { proposalDetail } from "./proposals-detail.ts"
import { proposalCreation } from "./proposals-new.ts"
import { newProposalPath, proposalsPath } from "./proposals-path.ts"
import { publishPages } from "./proposals-publish.ts"
import { respondPages } from "./proposals-respond.ts"
import { proposalUpdate } from "./proposals-update.ts"
import { isWaiting, type OwnProposal } from "./proposals-waiting.ts"
import { withdrawPages } from "./proposals-withdraw.ts"

const showProposals = signedInPage(proposalsPath, ({ person, viewer }) =>
  Effect.gen(function* () {
    const { memberships } = yield* readStanding(person)
    if (!memberships.some(({ isInForce }) => isInForce)) {
      return pageResponse(page({ title, viewer, place: "proposals" }, needsOrganization))
    }
    const { proposals, isCut } = yield* listNewestAsPerson(person)
    const names = yield* namesIn(person, proposals)
    const mayWrite = memberships.some((one) => one.isInForce && one.authorities.includes("PROPOSAL_MANAGE"))
    const ordered = proposals.toSorted(
      (one, other) => Number(isWaiting(other, memberships)) - Number(isWaiting(one, memberships))
    )
    const rows = (role: OwnProposal["role"]) =>
      ordered.filter((one) => one.role === role).map((one) => rowOf(one, names, isWaiting(one, memberships)))
    return pageResponse(
      page(
        { title, viewer, place: "proposals" },
        paragraph("A supplier writes a proposal and publishes it to one person, who can accept it as an agreement."),
        mayWrite ? nextStep(newProposalPath, "Write a proposal") : null,
        isCut ? paragraph(truncatedText) : null,
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
const truncatedText = `Only the newest ${limits.projectsRead.toLocaleString("en")} are shown, of yours and of each of your organizations.`

type Names = Effect.Success<ReturnType<typeof namesIn>>

const rowOf = (one: OwnProposal, names: Names, isMine: boolean): ReadonlyArray<Content> => [
  [linkTo(proposalPath(one.id), untrusted(one.title)), h("br", null), h("code", null, one.id)],
  waits(one, isMine),
  proposalStateWords[one.state][one.role].name,
  versionOf(one),
  one.role === "BUYER" ? fromOf(one, names) : toOf(one, names),
  one.automation.paused ? badge("waiting", "paused") : badge("good", "may act")
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
  const { step } = proposalStateWords[state][role]
  if (step === undefined) return "nothing"
  if (isMine) return [badge("waiting", "waits for you"), " ", step]
  return role === "BUYER" ? "nothing that you may do" : "nothing: another member may"
}

const versionOf = ({ role, version, publishedVersion }: OwnProposal): string =>
  role === "BUYER" || publishedVersion === version
    ? `${version}`
    : `${version}, ${publishedVersion === null ? "none published" : `version ${publishedVersion} published last`}`

/** The names for the person and organization ids in the list. */
const namesIn = Effect.fnUntraced(function* (person: Human, proposals: ReadonlyArray<OwnProposal>) {
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
