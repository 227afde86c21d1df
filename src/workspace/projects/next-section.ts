/** What is next on a project, for the person who reads its page. */
import type { OrderState } from "../../commerce/moves.ts"
import { awaitedStepText, nextSection } from "../commands/next-acts.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { actsOfNextAction, actLabels, isProjectAct, type ProjectAct } from "./labels.ts"
import { hasNextAction, turnLines } from "./next-action.ts"
import { maySeeCredits, type ProjectPageModel } from "./read-model.ts"
import { stepper } from "./stepper.ts"
import { projects, viewOfProject } from "./subject.ts"

interface NextSectionContext {
  /** Inviting the supplier has no page of its own: true where the person may do it. */
  readonly mayInvite: boolean
  /** The state of the Result Order in force, where the person may see it. */
  readonly order: OrderState | undefined
}

export const nextProjectSection = (model: ProjectPageModel, { mayInvite, order }: NextSectionContext): Element => {
  const { view, side } = model
  const { action } = view.project.nextAction
  const available = view.availableActions.filter(isProjectAct)
  const first = available.find((act) => actsOfNextAction[action]?.includes(act) === true)
  return nextSection(viewOfProject(model), {
    lead: [stepper(model, order), turnLines(model, order)],
    first,
    others: onePerPage(available).filter((act) => first === undefined || pathOf(act) !== pathOf(first)),
    note:
      action === "WAIT_FOR_RECORD" && maySeeCredits(model)
        ? paragraph(linkTo("/workspace/funding", "See the credits"))
        : null,
    whyNot: hasNextAction(model, side) && !mayInvite ? paragraph("You cannot take this step: ", whyNot(model)) : null,
    later: laterActs(model)
  })
}

/** Why this person cannot take the next action of the party. */
const whyNot = ({ view, project, side, nameOf }: ProjectPageModel): Content => {
  const acts = actsOfNextAction[view.project.nextAction.action] ?? []
  const blocked = view.blockedActions.find(({ action }) => acts.some((act) => act === action))
  if (blocked !== undefined) return awaitedStepText(projects, blocked)
  const { actorId } = project.supplier
  return side === "SUPPLIER" && actorId !== null
    ? ["it requires ", untrusted(nameOf(actorId)), ", or a person named in the agreement, with the authority for it."]
    : "it requires a membership with the authority for it, or a person named in the agreement."
}

/** The names of the acts that the state rules out. */
const laterActs = ({ view }: ProjectPageModel): Content => {
  const later = onePerPage(
    view.blockedActions.flatMap(({ action, code }) =>
      isProjectAct(action) && code === "STATE_CONFLICT" ? [action] : []
    )
  )
  return later.length === 0
    ? null
    : paragraph("Not at this point: ", later.map((act) => actLabels[act].name).join("; "), ".")
}

const pathOf = (act: ProjectAct): string => actLabels[act].path

/** Lists acts that share a page only once. */
const onePerPage = (acts: ReadonlyArray<ProjectAct>): ReadonlyArray<ProjectAct> =>
  acts.filter((act, index) => acts.findIndex((other) => pathOf(other) === pathOf(act)) === index)
