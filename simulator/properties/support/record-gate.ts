/**
 * The gates of closures and Result Packages, derived anew from stored rows: the authority to read payments, which closures
 * need too, and the record gate.
 */
import { ResultOrders } from "../../../src/commerce/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { type RequestObservation, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { bodyOf } from "./caller.ts"

/** What a person requests of a project behind the record gate. */
export interface GatedRequest {
  readonly projectId: string
  readonly isOfPayments: boolean
  /** The next agreement of a closure with history. */
  readonly nextProjectId?: string
}

/** Undefined for any other request, and for one on an unknown order. */
export const gatedRequestOf = (request: RequestObservation, rows: Rows): GatedRequest | undefined => {
  const { method, path } = request
  if (method === "POST" && path.endsWith("/closure")) return closureWithHistory(request, rows)
  if (method !== "GET") return undefined
  const resultOrderId = closurePath.exec(path)?.[1]
  if (resultOrderId !== undefined) {
    const order = rowIn(rows, ResultOrders, [resultOrderId])
    return order === undefined ? undefined : { projectId: order.projectId, isOfPayments: true }
  }
  const projectId = packagePath.exec(path)?.[1]
  return projectId === undefined ? undefined : { projectId, isOfPayments: false }
}

const closureWithHistory = (request: RequestObservation, rows: Rows): GatedRequest | undefined => {
  const order = rowIn(rows, ResultOrders, [closurePath.exec(request.path)?.[1] ?? ""])
  const nextProjectId = valueAt(bodyOf(request) ?? null, "nextTaskId")
  return order === undefined || typeof nextProjectId !== "string"
    ? undefined
    : { projectId: order.projectId, isOfPayments: true, nextProjectId }
}

const closurePath = /^\/api\/commerce\/result-orders\/([^/]+)\/closure(?:\/status)?(?:\?.*)?$/
const packagePath =
  /^\/api\/(?:transactions|acceptance\/tasks|acceptance\/provider-tasks)\/([^/]+)\/result\/package(?:\?.*)?$/

/** True if the person has one membership for each project, not ended, that passes every gate of the request. */
export const passesGates = (rows: Rows, personId: string, { nextProjectId, ...original }: GatedRequest): boolean =>
  passesGate(rows, personId, original) &&
  (nextProjectId === undefined || passesGate(rows, personId, { projectId: nextProjectId, isOfPayments: false }))

const passesGate = (rows: Rows, personId: string, { projectId, isOfPayments }: GatedRequest): boolean => {
  const project = rowIn(rows, Projects, [projectId])
  if (project === undefined) return false
  const { buyerOrganizationId, buyerActorId, supplierOrganizationId, supplierActorId } = project
  const own = rowsWithPrefix(rows, Memberships, [personId], "byPerson").filter(({ endedAt }) => endedAt === null)
  return own.some(({ organizationId, authorities }) => {
    const has = (needed: ReadonlyArray<string>) => authorities.some((authority) => needed.includes(authority))
    if (isOfPayments && !has(["FINANCIAL_READ", "FINANCIAL_MANAGE"])) return false
    const isRepresentative = personId === supplierActorId && organizationId === supplierOrganizationId
    const isOfBuyer = organizationId === buyerOrganizationId && personId !== supplierActorId
    return isRepresentative || (isOfBuyer && (personId === buyerActorId || has(recordAuthorities)))
  })
}

const recordAuthorities = [
  "AGREEMENT_CREATE",
  "DELIVERY_REVIEW",
  "COMPLETION_CONFIRM",
  "RECORD_ISSUE",
  "PUBLICATION_MANAGE"
]
