/** Projects as subjects of commands. */
import { Effect } from "effect"
import { possibilities } from "../../projects/acts.ts"
import type { Command } from "../../projects/decide.ts"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { canMove } from "../../projects/moves.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { commandPageOf } from "../commands/command-page.ts"
import type { Subject } from "../commands/subject.ts"
import { eventsAfter, sinceSection } from "../commands/event-list.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { nextSteps } from "../kit/next-steps.ts"
import { titleWithIdentity } from "./identity.ts"
import { actLabels, blockedReasonText, type ProjectAct } from "./labels.ts"
import { stepFacts } from "./next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "./read-model.ts"
import { timeline } from "./timeline.ts"

type Services = Effect.Services<ReturnType<typeof readProjectPageModel> | ReturnType<typeof runCommandAsPerson>>

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

export const projects: Subject<ProjectPageModel, ProjectAct, Command, Services> = {
  name: "project",
  place: "projects",
  idKind: "delivery",
  acts: actLabels,
  headField: "expectedEventHash",
  staleCode: "STALE_EVENT_HEAD",
  hiddenFields: ["confirmationId", "confirmationDigest", "submissionId", "signedDigest"],
  read: readProjectPageModel,
  versionOf: ({ projectId, project }) => ({ id: projectId, head: project.head }),
  titleOf: ({ named }) => titleWithIdentity(named),
  stateFacts: stepFacts,
  eventsSince: (model, head) =>
    sinceSection(eventsAfter(model.project.events, head), (events) => timeline(model, events)),
  blockedReason: blockedReasonText,
  missingReason: () => "Your role on this project does not permit it.",
  refusalText,
  refusalStep: ({ code }) => {
    const rule = refusals[code]
    return "nextAction" in rule ? nextSteps[rule.nextAction] : undefined
  },
  run: ({ person }, request, { id: projectId, expectedHead: expectedEventHash, ...rest }) =>
    runCommandAsPerson(person, request, { projectId, expectedEventHash, ...rest }),
  explain: (_, refused) => Effect.fail(refused)
}

/** The page of a command on a project. */
export const projectCommand = commandPageOf(projects)
