/** The page of one project: next action, terms, history, agents and tasks. */
import { Effect } from "effect"
import { h } from "preact"
import { listProjectItems } from "../../participation/items.ts"
import { readNames } from "../../people/operations.ts"
import { readProfile } from "../../people/profile.ts"
import { type PartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { pathId } from "../kit/url-parameters.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, facts, linkTo, notice, paragraph, section, time } from "../kit/parts.ts"
import {
  recordSection,
  reviewSection,
  signatureSection,
  submissionSection,
  versionFacts,
  warnings
} from "./delivery.ts"
import { statedParties, partyName } from "./identity.ts"
import { nextSection } from "./next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "./read-model.ts"
import { termsFacts } from "./terms.ts"
import { clearFailedEmail, hasFailedEmail } from "../kit/email-failed-notice.ts"
import { timeline } from "./timeline.ts"
import { newRequestId } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels } from "../kit/labels.ts"
import { showNotRepresented } from "./not-represented.ts"
import { automationSection, representativeSection, taskSection } from "./sections.ts"

export const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`

export const projectDetail = signedInPage("/workspace/projects/:projectId", (visitor) =>
  Effect.gen(function* () {
    const projectId = yield* pathId("projectId", "delivery")
    const hasEmailFailed = yield* hasFailedEmail(visitor, projectId)
    const shown = pageResponse(
      yield* showProject(visitor, projectId, { isUntold: hasEmailFailed }).pipe(
        Effect.catchTag("Refusal", (refused) =>
          refused.code === "FORBIDDEN" ? showNotRepresented(visitor, projectId) : Effect.fail(refused)
        )
      )
    )
    return hasEmailFailed ? clearFailedEmail(shown) : shown
  })
)

/** The submitted form of this page, with its problems. */
export interface InvalidForm {
  readonly name: "automation" | "task"
  readonly state: FormState
  readonly requestId: string
}

interface ShownParts {
  readonly failed?: InvalidForm
  /** True where the notification e-mail about the last command failed. */
  readonly isUntold?: boolean
}

export const showProject = Effect.fnUntraced(function* (
  visitor: Visitor,
  projectId: string,
  { failed, isUntold: hasEmailFailed = false }: ShownParts
) {
  const { person, viewer } = visitor
  const model = yield* readProjectPageModel(visitor, projectId)
  const project = model.named
  // Only members who may delegate can pause agents and give out tasks for their party.
  const items = yield* listProjectItems(person, projectId).pipe(Effect.catchTag("Refusal", () => Effect.undefined))
  const { memberships } = yield* readProfile(person)
  const own = memberships.find((one) => one.isInForce && one.organizationId === project.organizationId)
  const pausers = yield* readNames(project.pauses.map(({ by }) => by))
  const pausedBy = project.pauses.map(({ by }, index) => pausedByText(model, by, pausers[index] ?? by))
  const formFor = Effect.fnUntraced(function* (name: InvalidForm["name"]) {
    return failed?.name === name ? failed : { state: emptyForm, requestId: yield* newRequestId }
  })
  const automation = yield* formFor("automation")
  const task = yield* formFor("task")
  const path = projectPath(projectId)
  const mayInvite = isUnrepresented(project) && own?.authorities.includes("AGREEMENT_CREATE") === true
  return page(
    { title: project.title, viewer, place: "projects", problems: failed?.state.problems ?? [] },
    hasEmailFailed ? notice("warning", paragraph(emailFailedText)) : null,
    warnings(model),
    nextSection(model, mayInvite),
    mayInvite ? representativeSection(path, viewer, yield* newRequestId) : null,
    section("The project", projectFacts(model)),
    submissionSection(model),
    reviewSection(model),
    recordSection(model),
    signatureSection(model),
    section(
      "The terms",
      paragraph(
        isProposed(model)
          ? "The supplier wrote them, in the proposal that the buyer accepted. This service has not verified them."
          : "The buyer wrote them. This service has not verified them."
      ),
      termsFacts(model.project.agreement.terms, model.nameOf, [
        ["Digest of the agreement", h("code", null, model.project.agreementDigest)]
      ])
    ),
    section("What happened", timeline(model, model.project.events)),
    automationSection({ path, viewer, project, pausedBy, mayChange: items !== undefined }, automation),
    items === undefined ? null : taskSection({ path, viewer, items }, task),
    paragraph(linkTo(`/workspace/callbacks/new?project=${projectId}`, "Create a webhook for this project")),
    paragraph(linkTo("/workspace/projects", "All my projects"))
  )
})

/** True for an agreement made by accepting a proposal. */
const isProposed = ({ project }: ProjectPageModel): boolean =>
  project.events.some((event) => event.kind === "CREATE" && event.payload.proposalDigest !== undefined)

/** An agent that handed over is shown by the person it acted for, and by its id. */
const pausedByText = ({ project, nameOf }: ProjectPageModel, by: string, name: string): Content => {
  if (!by.startsWith("agent_")) return untrusted(name)
  const person = project.events.find(({ actor }) => actor.execution?.agentId === by)?.actor.id
  return [
    "an agent ",
    person === undefined ? null : ["of ", untrusted(nameOf(person)), " "],
    "(",
    h("code", null, by),
    ")"
  ]
}

const emailFailedText =
  "The e-mail that notifies the other party could not be sent. Your action is still valid: notify them yourself."

const projectFacts = (model: ProjectPageModel): Element => {
  const project = model.named
  return facts([
    ["Project", h("code", null, project.projectId)],
    ["Agents", project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused")],
    ["My role", roleLabels[project.role]],
    ["Buyer", partyFact(project.buyer)],
    ["Supplier", partyFact(project.supplier)],
    ["Made", time(project.createdAt)],
    ...versionFacts(model),
    ["In the agreement’s own text", [untrusted(project.title), ": ", statedParties(project)]]
  ])
}

const partyFact = (party: PartyNames): Content => [
  partyName(party),
  party.organizationId === null ? null : [h("br", null), h("code", null, party.organizationId)]
]

const isUnrepresented = ({ role, state, supplierActorId }: ProjectWithPartyNames): boolean =>
  role === "BUYER" && state === "AWAITING_SUPPLIER" && supplierActorId === null
