/** One project as its people see it: how it stands, its agents' pause, its supplier, and the tasks given out on it. */
import { Effect } from "effect"
import { h } from "preact"
import { listProjectItems } from "../../participation/items.ts"
import { readNames } from "../../people/operations.ts"
import { readStanding } from "../../people/standing.ts"
import { nameParties, type NamedParty, type NamedProject } from "../../projects/named.ts"
import { readSidedProject, type SidedProject } from "../../projects/sides.ts"
import { pathId } from "../address.ts"
import { emptyForm, type FormState } from "../fields.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { badge, facts, linkTo, paragraph, time } from "../parts.ts"
import { ownWords, partyName } from "../project-identity.ts"
import { newRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords, stateWords } from "../words.ts"
import { automationSection, representativeSection, taskSection } from "./projects-sections.ts"

export const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`

export const projectDetail = signedInPage("/workspace/projects/:projectId", (visitor) =>
  Effect.gen(function* () {
    const project = yield* readSidedProject(visitor.person, yield* pathId("projectId", "delivery"))
    return pageResponse(yield* showProject(visitor, project))
  })
)

/** The form of the page that was sent last, with what was wrong with it. */
export interface FailedForm {
  readonly name: "automation" | "task"
  readonly state: FormState
  readonly requestId: string
}

export const showProject = Effect.fnUntraced(function* (visitor: Visitor, project: SidedProject, failed?: FailedForm) {
  const { person, viewer } = visitor
  // Only who may delegate speaks for a side: it pauses and resumes agents, and gives out tasks.
  const items = yield* listProjectItems(person, project.projectId).pipe(
    Effect.catchTag("Refused", () => Effect.undefined)
  )
  const { memberships } = yield* readStanding(person)
  const named = yield* nameParties([project])
  const own = memberships.find((one) => one.isInForce && one.organizationId === project.organizationId)
  const pausedBy = yield* readNames(project.pauses.map(({ by }) => by))
  const formFor = Effect.fnUntraced(function* (name: FailedForm["name"]) {
    return failed?.name === name ? failed : { state: emptyForm, requestId: yield* newRequestId }
  })
  const automation = yield* formFor("automation")
  const task = yield* formFor("task")
  const path = projectPath(project.projectId)
  return page(
    { title: project.title, viewer, place: "projects", problems: failed?.state.problems ?? [] },
    named.map(projectFacts),
    automationSection({ path, viewer, project, pausedBy, mayChange: items !== undefined }, automation),
    mayInviteRepresentative(project) && own?.authorities.includes("AGREEMENT_CREATE") === true
      ? representativeSection(path, viewer, yield* newRequestId)
      : null,
    items === undefined ? null : taskSection({ path, viewer, items }, task),
    paragraph(linkTo("/workspace/projects", "All my projects"))
  )
})

const projectFacts = (project: NamedProject): Element =>
  facts([
    ["Project", h("code", null, project.projectId)],
    ["State", [stateWords[project.state].name, ". ", stateWords[project.state].meaning]],
    ["Agents", project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused")],
    ["My side", roleWords[project.role]],
    ["Buyer", partyFact(project.buyer)],
    ["Supplier", partyFact(project.supplier)],
    ["Made", time(project.createdAt)],
    ["In the agreement’s own words", [untrusted(project.title), ": ", ownWords(project)]]
  ])

const partyFact = (party: NamedParty): Content => [
  partyName(party),
  party.organizationId === null ? null : [h("br", null), h("code", null, party.organizationId)]
]

export const mayInviteRepresentative = ({ role, state, supplierActorId }: SidedProject): boolean =>
  role === "BUYER" && state === "AWAITING_SUPPLIER" && supplierActorId === null
