/** A closure encloses the parts of one order and one attempt as they are stored, and its status is that of the same ones. */
import { CommerceExports, CommerceOrders, ResultOrders } from "../../../src/commerce/store.ts"
import type { Json } from "../../vocabulary/json.ts"
import {
  type Moment,
  monitoredProperty,
  pendingRequestKey,
  type RequestObservation,
  rowIn,
  type Rows,
  violation
} from "../property.ts"
import { closureProblem, enclosedRecordOf, expectedAttempt, statusSubjectOf } from "../support/closures.ts"

/** By the key of a pending request: the selected attempts since it, each with the length of its journal. */
type Windows = { readonly [request: string]: ReadonlyArray<string> }

export const aClosureHoldsOneTransaction = monitoredProperty<Windows>({
  name: "a closure holds one transaction",
  kind: "always",
  says: "A closure encloses the package that was signed with its order, and the order's record and the stored Commerce Record of the attempt that was selected, with references to exactly these parts and the assurance that follows from the enclosed journal; its status is that of the order's project and of the named Commerce Record.",
  judges: { kinds: ["request", "response"], commitsTo: [CommerceOrders] },
  initial: {},
  next: (windows, moment) => {
    const { observed, request } = moment
    if (observed.kind === "commit") return windowsAfter(windows, moment)
    const requested = request === undefined ? undefined : closureRequestOf(request)
    if (request === undefined || requested === undefined) return windows
    const { [pendingRequestKey(request)]: window = [], ...others } = windows
    const { resultOrderId } = requested
    if (observed.kind === "request") {
      return { ...windows, [pendingRequestKey(request)]: extended([], resultOrderId, moment.rows) }
    }
    if (observed.kind !== "response") return windows
    const wrong = observed.status < 300 ? problemOf(requested, observed.body ?? null, window, moment.rows) : undefined
    return wrong === undefined ? others : violation(`the answer to ${request.path} ${wrong}`)
  }
})

interface ClosureRequest {
  readonly resultOrderId: string
  readonly isOfStatus: boolean
  readonly recordDigest: string | null
}

const closureRequestOf = ({ method, path }: RequestObservation): ClosureRequest | undefined => {
  const [, resultOrderId, status, query = ""] =
    /^\/api\/commerce\/result-orders\/([^/]+)\/closure(\/status)?(?:\?(.*))?$/.exec(path) ?? []
  if (method !== "GET" || resultOrderId === undefined) return undefined
  return {
    resultOrderId,
    isOfStatus: status !== undefined,
    recordDigest: new URLSearchParams(query).get("recordDigest")
  }
}

/** Every pending request sees the attempts that a commit changes. */
const windowsAfter = (windows: Windows, { rows }: Moment): Windows =>
  Object.fromEntries(
    Object.entries(windows).map(([key, window]) => {
      const [resultOrderId = ""] = window
      return [key, extended(window, resultOrderId, rows)]
    })
  )

/** The first element is the order. */
const extended = (window: ReadonlyArray<string>, resultOrderId: string, rows: Rows): ReadonlyArray<string> => {
  const attempt = expectedAttempt(rows, resultOrderId)
  const heads = attempt === undefined ? [] : [headOf(attempt.commerceOrderId, attempt.journalCount)]
  return [resultOrderId, ...new Set([...window.slice(1), ...heads])]
}

const headOf = (commerceOrderId: string, count: number): string => `${commerceOrderId} ${count}`

const problemOf = (requested: ClosureRequest, body: Json, window: ReadonlyArray<string>, rows: Rows) =>
  requested.isOfStatus ? statusProblem(requested, body, window, rows) : fileProblem(requested, body, window, rows)

const fileProblem = ({ resultOrderId }: ClosureRequest, body: Json, window: ReadonlyArray<string>, rows: Rows) => {
  const { commerceOrderId, count } = enclosedRecordOf(body)
  return window.includes(headOf(commerceOrderId, count))
    ? closureProblem(body, resultOrderId, rows)
    : `encloses ${count} entries of ${commerceOrderId}, which was not the head of the selected attempt`
}

const statusProblem = (
  { resultOrderId, recordDigest }: ClosureRequest,
  body: Json,
  window: ReadonlyArray<string>,
  rows: Rows
): string | undefined => {
  const stated = statusSubjectOf(body)
  const order = rowIn(rows, ResultOrders, [resultOrderId])
  if (stated.projectId !== order?.projectId) return `states the result of ${stated.projectId}`
  const exported = rows.of(CommerceExports).find((one) => one.recordDigest === stated.recordDigest)
  const attempt = rowIn(rows, CommerceOrders, [stated.commerceOrderId])
  if (exported?.commerceOrderId !== stated.commerceOrderId || attempt?.resultOrderId !== resultOrderId) {
    return `states the payment of ${stated.commerceOrderId} beside a record that is not of it`
  }
  if (recordDigest !== null) return stated.recordDigest === recordDigest ? undefined : "is beside another record"
  const isSelected = window.some((head) => head.startsWith(`${stated.commerceOrderId} `))
  return isSelected ? undefined : `states the payment of ${stated.commerceOrderId}, which was not selected`
}
