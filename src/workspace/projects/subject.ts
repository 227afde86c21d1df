/** Projects as subjects of commands. */
import { Effect } from "effect"
import { possibilities } from "../../projects/acts.ts"
import type { Command } from "../../projects/decide.ts"
import { canMove } from "../../projects/moves.ts"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { commandPageOf } from "../commands/command-page.ts"
import { eventsAfter, sinceSection } from "../commands/event-list.ts"
import type { Subject, SubjectView } from "../commands/subject.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { nextSteps } from "../kit/next-steps.ts"
import { titleWithIdentity } from "./identity.ts"
import { actLabels, blockedReasonText, type ProjectAct } from "./labels.ts"
import { nextActionFacts } from "./next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "./read-model.ts"
import { timeline } from "./timeline.ts"

const kind = {
  name: "project",
  place: "projects",
  idKind: "delivery",
  acts: actLabels,
  blockedReason: blockedReasonText
} as const

export const viewOfProject = (model: ProjectPageModel): SubjectView => ({
  ...kind,
  id: model.projectId,
  head: model.project.head,
  hints: model.view,
  title: () => titleWithIdentity(model.named),
  stateFacts: () => nextActionFacts(model),
  eventsSince: (head) => sinceSection(eventsAfter(model.project.events, head), (events) => timeline(model, events)),
  missingReason: () => "Your role on this project does not permit it.",
  refusalText: (refused, acts) => refusalText(refused, model, acts),
  refusalStep: ({ code }) => {
    const rule = refusals[code]
    return "nextAction" in rule ? nextSteps[rule.nextAction] : undefined
  }
})

/** The detail of the refusal; where the state rules the act out, the text for people replaces the one for agents. */
const refusalText = (
  { code, facts: { detail } }: Refusal,
  { project }: ProjectPageModel,
  acts: ReadonlyArray<string>
): Content => {
  const isRuledOut =
    code === "STATE_CONFLICT" &&
    acts.length > 0 &&
    !possibilities.some(({ act, move }) => acts.includes(act) && canMove(project.state, move))
  return detail === undefined || isRuledOut ? blockedReasonText(code) : untrusted(detail)
}

type Services = Effect.Services<ReturnType<typeof readProjectPageModel> | ReturnType<typeof runCommandAsPerson>>

export const projects: Subject<ProjectPageModel, ProjectAct, Command, Services> = {
  ...kind,
  headField: "expectedEventHash",
  hiddenFields: ["confirmationId", "confirmationDigest", "submissionId", "signedDigest"],
  staleCode: "STALE_EVENT_HEAD",
  open: (visitor, projectId) =>
    Effect.map(readProjectPageModel(visitor, projectId), (model) => ({ visitor, model, view: viewOfProject(model) })),
  run: ({ person }, request, { id: projectId, expectedHead: expectedEventHash, ...rest }) =>
    runCommandAsPerson(person, request, { projectId, expectedEventHash, ...rest }),
  explain: (_, refused) => Effect.fail(refused)
}

/** The page of a command on a project. */
export const projectCommand = commandPageOf(projects)
