/** Why an act on an order was refused, in words for people: the states of orders and projects have names for them. */
import type { OrderAction } from "../../commerce/guards.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import { errorBody, type Refusal } from "../../vocabulary/refusals.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { stateLabels } from "../kit/labels.ts"
import { orderStateLabels } from "./labels.ts"

/** Where the state rules the act out, the text for people replaces that for clients. */
export const refusalText = (refused: Refusal, order: OrderForPage, action: OrderAction): Content => {
  if (refused.code !== "STATE_CONFLICT") return untrusted(errorBody(refused).detail)
  const { projectState, stored } = order
  return action === "PAY_RESULT_ORDER" && stored.row.state === "APPROVED"
    ? `An order is paid only while the acceptance of its result is valid. The project is: ${stateLabels[projectState].name}.`
    : `The order is ${orderStateLabels[stored.row.state].name}, and this is no longer possible.`
}
