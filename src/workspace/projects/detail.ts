/** The page of one project: pause, steps and next action at the top, then the delivery, the history, and all else folded. */
import { Effect } from "effect"
import { h } from "preact"
import { readOrdersOfParty } from "../../commerce/page-reading.ts"
import { listProjectItemPage } from "../../participation/items.ts"
import { Installation } from "../../ports/installation.ts"
import { listPublications } from "../../publications/operations.ts"
import type { ProjectWithPartyNames } from "../../projects/party-names.ts"
import { referencePath } from "../history/path.ts"
import { automationBadge, automationControl, delegationNeeded } from "../commands/automation.ts"
import { subjectPage } from "../commands/subject.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { newRequestId, pageForms, type PageForm } from "../kit/idempotent-form.ts"
import { roleLabels } from "../kit/labels.ts"
import { page } from "../kit/page.ts"
import { facts, folded, linkTo, paragraph, section, time, aboveId } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { orderInForce, paymentSection } from "../orders/project-section.ts"
import {
  recordSection,
  reviewSection,
  signatureSection,
  submissionSection,
  otherVersions,
  warnings
} from "./delivery.ts"
import { statedParties, partyName } from "./identity.ts"
import { nextProjectSection } from "./next-section.ts"
import { showNotRepresented } from "./not-represented.ts"
import { publicationSection, type PublicationForms } from "./publication-section.ts"
import { limits } from "../../vocabulary/limits.ts"
import { readProjectHistoryModel, type ProjectPageModel } from "./read-model.ts"
import { representativeSection } from "./invite-representative.ts"
import { projects } from "./subject.ts"
import { taskSection } from "./task-section.ts"
import { termsFacts } from "./terms.ts"
import { historyTimeline } from "./timeline.ts"

export const projectDetail = subjectPage(projects, "", (visitor, projectId) =>
  showProject(visitor, projectId).pipe(
    Effect.catchTag("Refusal", (refused) =>
      Effect.gen(function* () {
        if (refused.code !== "FORBIDDEN") return yield* Effect.fail(refused)
        return yield* showNotRepresented(visitor, projectId)
      })
    )
  )
)

const formNames = ["automation", "task", "offer", "proposal", "approval", "withdrawal"] as const

/** A submitted form of this page, with its problems. */
interface FailedForm extends PageForm {
  readonly name: (typeof formNames)[number]
}

export const showProject = Effect.fnUntraced(function* (visitor: Visitor, projectId: string, failed?: FailedForm) {
  const { person, viewer } = visitor
  const model = yield* readProjectHistoryModel(visitor, projectId)
  const project = model.named
  // Only members who may delegate can pause agents and give out tasks for their party.
  const tasks = yield* listProjectItemPage(person, projectId, { limit: limits.itemsOnPage }).pipe(
    Effect.catchTag("Refusal", () => Effect.undefined)
  )
  const forms = yield* pageForms(formNames, failed)
  const publicSummary = yield* publicSummaryOf(visitor, model, forms)
  // Only an issued result can be offered.
  const orders = model.project.recordId === null ? undefined : yield* readOrdersOfParty(model)
  const mayInvite = isUnrepresented(project) && model.authorities.has("AGREEMENT_CREATE")
  return page(
    { title: project.title, viewer, place: "projects", problems: failed?.state.problems ?? [] },
    automationControl(
      projects,
      {
        id: projectId,
        viewer,
        role: project.role,
        pauses: project.pauses,
        events: model.project.events,
        nameOf: model.nameOf,
        mayChange: tasks !== undefined
      },
      forms.automation
    ),
    warnings(model),
    nextProjectSection(model, { mayInvite, order: orderInForce(orders)?.state }),
    mayInvite ? representativeSection(projectId, visitor, yield* newRequestId) : null,
    submissionSection(model),
    reviewSection(model),
    recordSection(model),
    publicSummary,
    model.project.recordId === null ? null : paymentSection({ model, viewer }, orders, forms.offer),
    signatureSection(model),
    section("What happened", historyTimeline(model, model.history)),
    section(
      "The agreement",
      otherVersions(model),
      folded("Parties, version and ids", projectFacts(model, tasks !== undefined)),
      folded(
        "The terms",
        isProposed(model)
          ? "The supplier wrote them, in the proposal that the buyer accepted. This service has not verified them."
          : "The buyer wrote them. This service has not verified them.",
        termsFacts(model.project.agreement.terms, model.nameOf, [
          ["Digest of the agreement", h("code", null, model.project.agreementDigest)]
        ])
      ),
      historyLink(model)
    ),
    tasks === undefined ? null : taskSection({ projectId, viewer, tasks }, forms.task),
    paragraph(linkTo(`/workspace/callbacks/new?project=${projectId}`, "Create a webhook for this project")),
    project.role === "BUYER" && model.authorities.has("AGREEMENT_CREATE")
      ? paragraph(linkTo(`/workspace/projects/new?like=${projectId}`, "Make another agreement like this"))
      : null,
    paragraph(linkTo("/workspace/projects", "All my projects"))
  )
})

/** Every member of a party may read the public summaries of an issued result. */
const publicSummaryOf = Effect.fnUntraced(function* (
  { person, viewer }: Visitor,
  model: ProjectPageModel,
  forms: PublicationForms
) {
  if (model.project.recordId === null) return null
  const { siteUrl } = yield* Installation
  const listed = yield* listPublications(person, model.projectId)
  return publicationSection({ model, viewer, siteUrl }, listed, forms)
})

/** For the buyer once its supplier is known; the page reads whether there is a reference. */
const historyLink = ({ side, projectId, project }: ProjectPageModel): Content =>
  side === "BUYER" && project.supplier.organizationId !== null
    ? paragraph(linkTo(referencePath(projectId), "The history that this agreement rests on"))
    : null

/** True for an agreement made by accepting a proposal. */
const isProposed = ({ project }: ProjectPageModel): boolean =>
  project.events.some((event) => event.kind === "CREATE" && event.payload.proposalDigest !== undefined)

const projectFacts = (model: ProjectPageModel, mayPause: boolean): Element => {
  const project = model.named
  return facts([
    ["Project", h("code", null, project.projectId)],
    ["Agents", [automationBadge(project.pauses.length > 0), mayPause ? null : [" ", delegationNeeded]]],
    ["My role", roleLabels[project.role]],
    ["Buyer", aboveId(partyName(project.buyer), project.buyer.organizationId)],
    ["Supplier", aboveId(partyName(project.supplier), project.supplier.organizationId)],
    ["Made", time(project.createdAt)],
    ["Version", String(model.project.agreement.version)],
    ["In the agreement’s own text", [untrusted(project.title), ": ", statedParties(project)]]
  ])
}

const isUnrepresented = ({ role, state, supplierActorId }: ProjectWithPartyNames): boolean =>
  role === "BUYER" && state === "AWAITING_SUPPLIER" && supplierActorId === null
