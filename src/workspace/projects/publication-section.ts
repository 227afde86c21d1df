/** The section of a project's page about the public summary of its result, with the forms that decide on it. */
import type { Effect } from "effect"
import { h } from "preact"
import type { listPublications } from "../../publications/operations.ts"
import { isAccepted, isLive } from "../../publications/publication.ts"
import { viewPublications } from "../../publications/view.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form, hidden } from "../kit/fields.ts"
import { controlsOf } from "../kit/form-field.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import { roleLabels } from "../kit/labels.ts"
import type { Viewer } from "../kit/page.ts"
import { badge, facts, linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { providerPath } from "../providers/path.ts"
import { projectPath } from "./path.ts"
import { approvalFields, proposalFields, withdrawalFields } from "./publication-fields.ts"
import { summaryFacts } from "./publication-summary.ts"
import type { ProjectPageModel } from "./read-model.ts"

type Listed = Effect.Success<ReturnType<typeof listPublications>>
type Publication = ReturnType<typeof viewPublications>["publications"][number]

interface PublicationContext {
  readonly model: ProjectPageModel
  readonly viewer: Viewer
  readonly siteUrl: string
}

/** The forms of the section, each empty or as it was submitted. */
export interface PublicationForms {
  readonly proposal: PageForm
  readonly approval: PageForm
  readonly withdrawal: PageForm
}

export const publicationSection = (context: PublicationContext, listed: Listed, forms: PublicationForms): Element => {
  const { publications, availableActions } = viewPublications(listed)
  const live = publications.find(isLive)
  const withdrawn = publications.filter((one) => !isLive(one))
  return section(
    "The public summary",
    "A summary shows this result to everyone, once both parties agree to exactly its text. Files, terms and the names of persons are not part of it.",
    live === undefined ? null : liveSummary(context, live, forms),
    availableActions.includes("PROPOSE")
      ? proposalForm(context, forms.proposal)
      : live === undefined
        ? whyNoProposal(context.model, listed.proposalRefusal)
        : null,
    withdrawn.length === 0 ? null : withdrawnTable(withdrawn)
  )
}

const pathOf = ({ model }: PublicationContext, act = ""): `/workspace/${string}` =>
  `${projectPath(model.projectId)}/publications${act}`

const proposalForm = (context: PublicationContext, { state, requestId }: PageForm): Content => {
  const { publicTitle, publicSummary, namesBuyer } = controlsOf(proposalFields, state)
  const { buyerName } = context.model.project.agreement.terms
  return [
    h("h3", null, "Propose a summary"),
    "The buyer reads it and approves it, or withdraws it. Afterwards it cannot be changed, only withdrawn.",
    form(
      { action: pathOf(context), formToken: context.viewer.formToken, submitLabel: "Propose the summary to the buyer" },
      requestIdField(requestId),
      publicTitle,
      publicSummary,
      paragraph("The buyer’s name in the agreement: ", untrusted(buyerName)),
      namesBuyer
    )
  ]
}

/** The summary that is proposed or published, whole, with the decisions that the person can take. */
const liveSummary = (context: PublicationContext, live: Publication, forms: PublicationForms): Content => {
  const { proposedBy, approvedBy, publicationDigest, projection, availableActions } = live
  const act = ({ name, at }: { readonly name: string; readonly at: typeof proposedBy.at }) => [
    untrusted(name),
    ", ",
    time(at)
  ]
  return [
    facts([
      ["State", stateOf(live)],
      ["Proposed", act(proposedBy)],
      ["Approved", approvedBy === null ? "not yet" : act(approvedBy)]
    ]),
    live.state === "PROPOSED" ? null : publicAddress(context, live),
    h("h3", null, "The summary, exactly as everyone may read it"),
    summaryFacts(projection),
    paragraph("Digest of the summary: ", h("code", null, publicationDigest)),
    availableActions.includes("APPROVE") ? approvalForm(context, live, forms.approval) : awaitedApproval(context, live),
    availableActions.includes("WITHDRAW") ? withdrawalForm(context, live, forms.withdrawal) : null
  ]
}

const stateOf = ({ state, disclosed }: Publication): Element =>
  state === "PROPOSED"
    ? badge("waiting", "waits for the buyer’s approval")
    : disclosed
      ? badge("good", "public")
      : badge("waiting", "not public now")

const publicAddress = ({ siteUrl }: PublicationContext, { disclosed, projection }: Publication): Element => {
  const path = providerPath(projection.subject.id)
  const address = linkTo(path, `${siteUrl}${path}`)
  return disclosed
    ? paragraph("Anyone can find it, and get it as a signed file, at ", address)
    : paragraph(
        "Both parties approved it, but the acceptance is not valid now. The summary is public again once the acceptance is. The public results of the supplier are at ",
        address
      )
}

const approvalForm = (
  context: PublicationContext,
  { publicationId, publicationDigest }: Publication,
  { state, requestId }: PageForm
): Content => [
  h("h3", null, "Approve the summary"),
  "Your approval covers exactly the text above, which the digest identifies.",
  form(
    {
      action: pathOf(context, `/${publicationId}/approve`),
      formToken: context.viewer.formToken,
      submitLabel: "Approve, and make the summary public"
    },
    requestIdField(requestId),
    hidden("publicationDigest", publicationDigest),
    controlsOf(approvalFields, state).approved
  )
]

/** Who approves a proposed summary, where this person cannot. */
const awaitedApproval = ({ model }: PublicationContext, { state }: Publication): Content => {
  if (state !== "PROPOSED") return null
  if (!isAccepted(model.project.state)) return "It cannot be approved now: the acceptance is not valid."
  return model.side === "SUPPLIER"
    ? "The buyer approves it, or withdraws it."
    : "Approving it requires a membership of the buyer that permits publishing results."
}

const withdrawalForm = (
  context: PublicationContext,
  { publicationId, state: publicationState }: Publication,
  { state, requestId }: PageForm
): Content => [
  h("h3", null, "Withdraw the summary"),
  publicationState === "PROPOSED"
    ? "It cannot be taken back. The supplier can propose another summary."
    : "It cannot be taken back. The summary is public no longer. Files that others already have still contain it, and newer statements say that it is unavailable.",
  form(
    {
      action: pathOf(context, `/${publicationId}/withdraw`),
      formToken: context.viewer.formToken,
      submitLabel: "Withdraw the summary",
      isDangerous: true
    },
    requestIdField(requestId),
    Object.values(controlsOf(withdrawalFields, state))
  )
]

/** Why this person cannot propose a summary, where the result has none. */
const whyNoProposal = ({ project, side }: ProjectPageModel, refusal: Listed["proposalRefusal"]): string => {
  if (!isAccepted(project.state)) return "The acceptance is not valid now: no summary can be proposed."
  if (refusal?.code === "PUBLICATION_LIMIT") {
    return `Limit reached: ${limits.publicationsPerResult} summaries of one result, including withdrawn ones. Share the record with named persons instead.`
  }
  return side === "BUYER"
    ? "There is none. The supplier can propose one, which you then approve or withdraw."
    : "There is none. Proposing one requires the supplier’s representative, with a membership that permits publishing results."
}

const withdrawnTable = (withdrawn: ReadonlyArray<Publication>): Element =>
  table({
    caption: "Withdrawn summaries, newest first",
    columns: ["Title", "Proposed", "Approved", "Withdrawn", "Reason"],
    rows: withdrawn.map((publication) => [
      untrusted(publication.projection.title),
      time(publication.proposedBy.at),
      publication.approvedBy === null ? "never" : time(publication.approvedBy.at),
      ...withdrawalOf(publication)
    ]),
    empty: ""
  })

const withdrawalOf = ({ withdrawn }: Publication): ReadonlyArray<Content> =>
  withdrawn === null
    ? []
    : [
        [time(withdrawn.at), " by ", untrusted(withdrawn.name), ` for the ${roleLabels[withdrawn.side].toLowerCase()}`],
        untrustedLines(withdrawn.reason)
      ]
