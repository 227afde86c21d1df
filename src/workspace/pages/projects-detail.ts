/** The page of one project: next action, terms, history, agents and tasks. */
import { Effect } from "effect"
import { h } from "preact"
import { listProjectItems } from "../../participation/items.ts"
import { readNames } from "../../people/operations.ts"
import { readStanding } from "../../people/standing.ts"
import { type NamedParty, type NamedProject } from "../../projects/named.ts"
import { pathId } from "../address.ts"
import { emptyForm, type FormState } from "../fields.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { badge, facts, linkTo, notice, paragraph, section, time } from "../parts.ts"
import {
  recordSection,
  reviewSection,
  signatureSection,
  submissionSection,
  versionFacts,
  warnings
} from "../project-delivery.ts"
import { ownWords, partyName } from "../project-identity.ts"
import { nextSection } from "../project-next.ts"
import { readSeenProject, type SeenProject } from "../project-seen.ts"
import { termsFacts } from "../project-terms.ts"
import { forgetUntold, isUntold } from "../project-untold.ts"
import { timeline } from "../project-timeline.ts"
import { newRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords } from "../words.ts"
import { showOutside } from "./projects-outside.ts"
import { automationSection, representativeSection, taskSection } from "./projects-sections.ts"

export const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`

export const projectDetail = signedInPage("/workspace/projects/:projectId", (visitor) =>
  Effect.gen(function* () {
    const projectId = yield* pathId("projectId", "delivery")
    const hasEmailFailed = yield* isUntold(visitor, projectId)
    const shown = pageResponse(
      yield* showProject(visitor, projectId, { isUntold: hasEmailFailed }).pipe(
        Effect.catchTag("Refused", (refused) =>
          refused.code === "FORBIDDEN" ? showOutside(visitor, projectId) : Effect.fail(refused)
        )
      )
    )
    return hasEmailFailed ? forgetUntold(shown) : shown
  })
)

/** The submitted form of this page, with its problems. */
export interface FailedForm {
  readonly name: "automation" | "task"
  readonly state: FormState
  readonly requestId: string
}

interface ShownParts {
  readonly failed?: FailedForm
  /** True where the notification e-mail about the last command failed. */
  readonly isUntold?: boolean
}

export const showProject = Effect.fnUntraced(function* (
  visitor: Visitor,
  projectId: string,
  { failed, isUntold: hasEmailFailed = false }: ShownParts
) {
  const { person, viewer } = visitor
  const model = yield* readSeenProject(visitor, projectId)
  const project = model.named
  // Only members who may delegate can pause agents and give out tasks for their party.
  const items = yield* listProjectItems(person, projectId).pipe(Effect.catchTag("Refused", () => Effect.undefined))
  const { memberships } = yield* readStanding(person)
  const own = memberships.find((one) => one.isInForce && one.organizationId === project.organizationId)
  const pausers = yield* readNames(project.pauses.map(({ by }) => by))
  const pausedBy = project.pauses.map(({ by }, index) => pausedByText(model, by, pausers[index] ?? by))
  const formFor = Effect.fnUntraced(function* (name: FailedForm["name"]) {
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
const isProposed = ({ project }: SeenProject): boolean =>
  project.events.some((event) => event.kind === "CREATE" && event.payload.proposalDigest !== undefined)

/** An agent that handed over is shown by the person it acted for, and by its id. */
const pausedByText = ({ project, nameOf }: SeenProject, by: string, name: string): Content => {
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

const projectFacts = (model: SeenProject): Element => {
  const project = model.named
  return facts([
    ["Project", h("code", null, project.projectId)],
    ["Agents", project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused")],
    ["My role", roleWords[project.role]],
    ["Buyer", partyFact(project.buyer)],
    ["Supplier", partyFact(project.supplier)],
    ["Made", time(project.createdAt)],
    ...versionFacts(model),
    ["In the agreement’s own text", [untrusted(project.title), ": ", ownWords(project)]]
  ])
}

const partyFact = (party: NamedParty): Content => [
  partyName(party),
  party.organizationId === null ? null : [h("br", null), h("code", null, party.organizationId)]
]

const isUnrepresented = ({ role, state, supplierActorId }: NamedProject): boolean =>
  role === "BUYER" && state === "AWAITING_SUPPLIER" && supplierActorId === null
