/** The next action of each party, the acts available to the viewer, and the reasons for blocked ones. */
import type { Role } from "../../access/actions.ts"
import type { Act } from "../../projects/moves.ts"
import { hasSigned } from "../../projects/signing.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import type { Content, Element } from "../kit/html.ts"
import { untrusted } from "../kit/html.ts"
import { facts, linkTo, list, nextStep, paragraph, section, time } from "../kit/parts.ts"
import { maySeeCredits, type ProjectPageModel } from "./read-model.ts"
import {
  actsOfNextAction,
  actLabels,
  isProjectAct,
  awaitedStepText,
  blockedReasonText,
  noNextActionText,
  nextActionText,
  type ProjectAct
} from "./labels.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"

export const commandPath = (projectId: string, act: ProjectAct): `/workspace/${string}` =>
  `/workspace/projects/${projectId}/${actLabels[act].path}`

/** Inviting the supplier has no page of its own: `mayInvite` says whether the person may do it. */
export const nextSection = (model: ProjectPageModel, mayInvite: boolean): Element => {
  const { side, projectId } = model
  const { action } = model.view.project.nextAction
  const available = model.view.availableActions.filter(isProjectAct)
  const [first] = available.filter((act) => actsOfNextAction[action]?.includes(act) === true)
  const others = onePerPage(available).filter(
    (act) => first === undefined || actLabels[act].path !== actLabels[first].path
  )
  return section(
    "What is next",
    stepFacts(model),
    action === "WAIT_FOR_RECORD" && maySeeCredits(model)
      ? paragraph(linkTo("/workspace/funding", "See the credits"))
      : null,
    first === undefined
      ? isOwnStep(model, side) && !mayInvite
        ? paragraph("You cannot take this step: ", whyNot(model))
        : null
      : nextStep(commandPath(projectId, first), actLabels[first].name),
    others.length === 0
      ? null
      : [
          paragraph(first === undefined ? "You can:" : "You can also:"),
          list(others.map((act) => linkTo(commandPath(projectId, act), actLabels[act].name)))
        ],
    blockedPart(model)
  )
}

/** The state, the next action of both parties (the viewer's first) and its deadline. */
export const stepFacts = (model: ProjectPageModel): Element => {
  const { name, meaning } = stateLabels[model.project.state]
  const { dueAt } = model.view.project.nextAction
  const { side } = model
  const other: Role = side === "BUYER" ? "SUPPLIER" : "BUYER"
  return facts([
    ["State", [name, ". ", meaning]],
    [`Your party, the ${roleLabels[side].toLowerCase()}`, stepSentence(model, side)],
    [`The ${roleLabels[other].toLowerCase()}`, stepSentence(model, other)],
    ...(dueAt !== null && isInstant(dueAt) ? [["By", time(dueAt)] as const] : [])
  ])
}

const stepSentence = (model: ProjectPageModel, party: Role): string => {
  if (!isOwnStep(model, party)) {
    const { action, party: whose } = model.view.project.nextAction
    return whose === "NONE" ? noNextActionText(action) : "Waits for the other party."
  }
  const texts = stepTextsOf(model, party)!
  return party === model.side ? texts.own : texts.other
}

/** A buyer who raised the concern can dismiss or uphold it. */
const stepTextsOf = ({ project, view }: ProjectPageModel, party: Role) => {
  const { action } = view.project.nextAction
  const isOwnConcern = action === "RESOLVE_CONCERN" && party === "BUYER" && project.concern?.raisedBy === "BUYER"
  return nextActionText(isOwnConcern ? "RESOLVE_OWN_CONCERN" : action, party)
}

/** The next action names one party; signing and resolving a concern can be open for both. */
const isOwnStep = ({ project, view }: ProjectPageModel, party: Role): boolean => {
  const { action } = view.project.nextAction
  if (action === "SIGN_AGREEMENT") return !hasSigned(project, party)
  if (action === "RESOLVE_CONCERN") return party === "BUYER" || project.concern?.raisedBy === party
  return nextActionText(action, party) !== undefined
}

/** Why this person cannot take the next action of the party. */
const whyNot = ({ view, project, side, nameOf }: ProjectPageModel): Content => {
  const acts = actsOfNextAction[view.project.nextAction.action] ?? []
  const blocked = view.blockedActions.find(({ action }) => acts.some((act) => act === action))
  if (blocked !== undefined) return awaitedStepText(blocked)
  const { actorId } = project.supplier
  return side === "SUPPLIER" && actorId !== null
    ? ["it requires ", untrusted(nameOf(actorId)), ", or a person named in the agreement, with the authority for it."]
    : "it requires a membership with the authority for it, or a person named in the agreement."
}

/** Blocked acts with their reasons; acts that the state rules out are listed by name only. */
const blockedPart = ({ view }: ProjectPageModel): Content => {
  const blocked = view.blockedActions.flatMap(({ action, code }) => (isProjectAct(action) ? [{ action, code }] : []))
  const explained = blocked.filter(({ code }) => code !== "STATE_CONFLICT")
  const later = onePerPage(blocked.filter(({ code }) => code === "STATE_CONFLICT").map(({ action }) => action))
  return [
    explained.length === 0
      ? null
      : [
          paragraph("Not possible now:"),
          list(explained.map((one) => [actLabels[one.action].name, ": ", blockedReasonText(one.code)]))
        ],
    later.length === 0
      ? null
      : paragraph("Not at this point: ", later.map((act) => actLabels[act].name).join("; "), ".")
  ]
}

/** Lists acts that share a page only once. */
const onePerPage = (acts: ReadonlyArray<ProjectAct>): ReadonlyArray<ProjectAct> =>
  acts.filter((act, index) => acts.findIndex((other) => actLabels[other].path === actLabels[act].path) === index)

/** True where one of these acts is available now. */
export const isAvailable = ({ view }: ProjectPageModel, acts: ReadonlyArray<Act>): boolean =>
  view.availableActions.some((one) => acts.includes(one))

/** Why none of these acts is available now. */
export const unavailableReason = ({ view }: ProjectPageModel, acts: ReadonlyArray<Act>): string => {
  const blocked = view.blockedActions.find(({ action }) => acts.includes(action))
  return blocked === undefined ? "Your role on this project does not permit it." : awaitedStepText(blocked)
}
