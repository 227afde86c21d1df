/** Transaction Closures and their statuses, as persons request them. */
import { Effect } from "effect"
import { parseSigned } from "../../src/canonical/jws.ts"
import type { TransactionClosure } from "../../src/closure/closure.ts"
import { send, type SendOptions } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"
import { createdBody, options } from "./workspace.ts"

type Session = Pick<SignedInPerson, "token">

const pathOf = (resultOrderId: string) => `/api/commerce/result-orders/${resultOrderId}/closure`

export const requestClosure = (by: Session, resultOrderId: string, more: SendOptions & { query?: string } = {}) => {
  const { query = "", ...rest } = more
  return send("GET", `${pathOf(resultOrderId)}${query}`, options(by, rest))
}

/** The closure; fails the test if it is refused. */
export const closureOf = (by: Session, resultOrderId: string) =>
  Effect.map(requestClosure(by, resultOrderId), (answer): TransactionClosure => createdBody(answer))

export const requestClosureStatus = (by: Session, resultOrderId: string, query = "") =>
  send("GET", `${pathOf(resultOrderId)}/status${query}`, options(by, {}))

/** The payloads of both parts of the status; fails the test if it is refused. */
export const closureStatusOf = Effect.fnUntraced(function* (by: Session, resultOrderId: string, query = "") {
  const { result, commerce } = createdBody(yield* requestClosureStatus(by, resultOrderId, query))
  return { result: parseSigned<any>(result), commerce: parseSigned<any>(commerce) }
})
