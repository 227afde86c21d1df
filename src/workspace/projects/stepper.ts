/** The steps of a project as its page draws them: those that are done with their dates, and whose turn the current one is. */
import { h } from "preact"
import type { OrderState } from "../../commerce/moves.ts"
import type { Content, Element } from "../kit/html.ts"
import { stateLabels } from "../kit/labels.ts"
import { time } from "../kit/parts.ts"
import { orderStateLabels } from "../orders/labels.ts"
import { stepNames } from "./labels.ts"
import { turnOf } from "./next-action.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { stepsOf, type Step, type StepStatus } from "./steps.ts"

/** `order` is the state of the Result Order in force. */
export const stepper = (model: ProjectPageModel, order: OrderState | undefined): Element =>
  h(
    "ol",
    { class: "steps", "aria-label": "Steps of the project" },
    stepsOf(model.project, order).map((step) =>
      h(
        "li",
        { class: stepClasses[step.status], "aria-current": step.status === "CURRENT" ? "step" : undefined },
        h("strong", null, stepNames[step.name]),
        " ",
        h("span", null, statusText(model, step, order))
      )
    )
  )

const stepClasses: { readonly [S in StepStatus]: string } = {
  DONE: "done",
  CURRENT: "current",
  AHEAD: "ahead",
  STOPPED: "stopped",
  UNREACHED: "ahead"
}

const statusText = (
  model: ProjectPageModel,
  { name, status, doneAt }: Step,
  order: OrderState | undefined
): Content => {
  switch (status) {
    case "DONE":
      return doneAt === null ? "done" : time(doneAt)
    case "CURRENT":
      return name === "PAID" && order !== undefined ? orderStateLabels[order].name : turnText(model)
    case "STOPPED":
      return stateLabels[model.project.state].name
    case "AHEAD":
      return "not yet"
    case "UNREACHED":
      return "not reached"
  }
}

const turnText = (model: ProjectPageModel): string => {
  const turn = turnOf(model)
  if (turn === "NONE") return "in progress"
  if (turn === "BOTH") return "the turn of both parties"
  return turn === model.side ? "your turn" : turn === "BUYER" ? "the buyer’s turn" : "the supplier’s turn"
}
