/** The state of a project and the next action of each party, in sentences. */
import type { Role } from "../../access/actions.ts"
import type { OrderState } from "../../commerce/moves.ts"
import { hasSigned } from "../../projects/signing.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import type { Content, Element } from "../kit/html.ts"
import { badge, facts, paragraph, time } from "../kit/parts.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
import { turnText } from "../orders/labels.ts"
import { noNextActionText, nextActionText } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"

/** The state, the next action of both parties (the viewer's first) and its deadline. */
export const nextActionFacts = (model: ProjectPageModel): Element => {
  const { name, meaning } = stateLabels[model.project.state]
  const { dueAt } = model.view.project.nextAction
  const { side } = model
  const other: Role = side === "BUYER" ? "SUPPLIER" : "BUYER"
  return facts([
    ["State", [name, ". ", meaning]],
    [`Your party, the ${roleLabels[side].toLowerCase()}`, nextActionSentence(model, side)],
    [`The ${roleLabels[other].toLowerCase()}`, nextActionSentence(model, other)],
    ...(dueAt !== null && isInstant(dueAt) ? [["By", time(dueAt)] as const] : [])
  ])
}

/** Whose turn it is: both where the agreement is to be signed by both, or a concern to be resolved by either. */
export const turnOf = (model: ProjectPageModel): Role | "BOTH" | "NONE" => {
  const [buyer, supplier] = [hasNextAction(model, "BUYER"), hasNextAction(model, "SUPPLIER")]
  if (buyer && supplier) return "BOTH"
  return buyer ? "BUYER" : supplier ? "SUPPLIER" : "NONE"
}

/**
 * The state, and the next action of each party whose turn it is: the viewer's first, each with its deadline. `order` is
 * the state of the Result Order in force.
 */
export const turnLines = (model: ProjectPageModel, order: OrderState | undefined): Content => {
  const { meaning } = stateLabels[model.project.state]
  const { action, dueAt } = model.view.project.nextAction
  const { side } = model
  const other: Role = side === "BUYER" ? "SUPPLIER" : "BUYER"
  const by = dueAt !== null && isInstant(dueAt) ? [" By ", time(dueAt), "."] : null
  const afterwards =
    order !== undefined && model.project.state === "BUYER_CONFIRMED"
      ? turnText(order, undefined)
      : noNextActionText(action)
  return [
    paragraph(meaning),
    hasNextAction(model, side)
      ? paragraph(badge("waiting", "your turn"), " ", nextActionSentence(model, side), by)
      : null,
    hasNextAction(model, other)
      ? paragraph(`The ${roleLabels[other].toLowerCase()}: `, nextActionSentence(model, other), by)
      : null,
    turnOf(model) === "NONE" ? paragraph(afterwards) : null
  ]
}

const nextActionSentence = (model: ProjectPageModel, party: Role): string => {
  if (!hasNextAction(model, party)) {
    const { action, party: whose } = model.view.project.nextAction
    return whose === "NONE" ? noNextActionText(action) : "Waits for the other party."
  }
  const texts = nextActionTextsOf(model, party)!
  return party === model.side ? texts.own : texts.other
}

/** A buyer who raised the concern can dismiss or uphold it. */
const nextActionTextsOf = ({ project, view }: ProjectPageModel, party: Role) => {
  const { action } = view.project.nextAction
  const isOwnConcern = action === "RESOLVE_CONCERN" && party === "BUYER" && project.concern?.raisedBy === "BUYER"
  return nextActionText(isOwnConcern ? "RESOLVE_OWN_CONCERN" : action, party)
}

/** The next action names one party; signing and resolving a concern can be open for both. */
export const hasNextAction = ({ project, view }: ProjectPageModel, party: Role): boolean => {
  const { action } = view.project.nextAction
  if (action === "SIGN_AGREEMENT") return !hasSigned(project, party)
  if (action === "RESOLVE_CONCERN") return party === "BUYER" || project.concern?.raisedBy === party
  return nextActionText(action, party) !== undefined
}
