/**
 * The gates of closures and Result Packages, derived anew from stored rows: the authority to read payments, which closures
 * need too, and the record gate.
 */
import { ResultOrders } from "../../../src/commerce/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { type RequestObservation, rowIn, type Rows, rowsWithPrefix } from "../property.ts"

/** What a person requests of a project behind the record gate. */
export interface GatedRequest {
  readonly projectId: string
  readonly isOfPayments: boolean
}

/** Undefined for any other request, and for one on an unknown order. */
export const gatedRequestOf = ({ method, path }: RequestObservation, rows: Rows): GatedRequest | undefined => {
  if (method !== "GET") return undefined
  const resultOrderId = closurePath.exec(path)?.[1]
  if (resultOrderId !== undefined) {
    const order = rowIn(rows, ResultOrders, [resultOrderId])
    return order === undefined ? undefined : { projectId: order.projectId, isOfPayments: true }
  }
  const projectId = packagePath.exec(path)?.[1]
  return projectId === undefined ? undefined : { projectId, isOfPayments: false }
}

const closurePath = /^\/api\/commerce\/result-orders\/([^/]+)\/closure(?:\/status)?(?:\?.*)?$/
const packagePath =
  /^\/api\/(?:transactions|acceptance\/tasks|acceptance\/provider-tasks)\/([^/]+)\/result\/package(?:\?.*)?$/

/** True if the person has one membership, not ended, that passes every gate of the request. */
export const passesGates = (rows: Rows, personId: string, { projectId, isOfPayments }: GatedRequest): boolean => {
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
