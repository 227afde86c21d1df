/** The state of a project and the next action of each party, in sentences. */
import type { Role } from "../../access/actions.ts"
import { hasSigned } from "../../projects/signing.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import type { Content, Element } from "../kit/html.ts"
import { badge, facts, paragraph, time } from "../kit/parts.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
import { noNextActionText, nextActionText } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"

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

/** Whose turn it is: both where the agreement is to be signed by both, or a concern to be resolved by either. */
export const turnOf = (model: ProjectPageModel): Role | "BOTH" | "NOBODY" => {
  const [buyer, supplier] = [isOwnStep(model, "BUYER"), isOwnStep(model, "SUPPLIER")]
  if (buyer && supplier) return "BOTH"
  return buyer ? "BUYER" : supplier ? "SUPPLIER" : "NOBODY"
}

/** The state, and the next action of each party whose turn it is: the viewer's first, each with its deadline. */
export const turnLines = (model: ProjectPageModel): Content => {
  const { meaning } = stateLabels[model.project.state]
  const { action, party: whose, dueAt } = model.view.project.nextAction
  const { side } = model
  const other: Role = side === "BUYER" ? "SUPPLIER" : "BUYER"
  const by = (party: Role): Content =>
    dueAt !== null && isInstant(dueAt) && party === whose ? [" By ", time(dueAt), "."] : null
  return [
    paragraph(meaning),
    isOwnStep(model, side) ? paragraph(badge("waiting", "your turn"), " ", stepSentence(model, side), by(side)) : null,
    isOwnStep(model, other)
      ? paragraph(`The ${roleLabels[other].toLowerCase()}: `, stepSentence(model, other), by(other))
      : null,
    turnOf(model) === "NOBODY" ? paragraph(noNextActionText(action)) : null
  ]
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
export const isOwnStep = ({ project, view }: ProjectPageModel, party: Role): boolean => {
  const { action } = view.project.nextAction
  if (action === "SIGN_AGREEMENT") return !hasSigned(project, party)
  if (action === "RESOLVE_CONCERN") return party === "BUYER" || project.concern?.raisedBy === party
  return nextActionText(action, party) !== undefined
}
