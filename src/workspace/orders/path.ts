/** The paths of pages about Result Orders, and of the files of a Commerce Record, a closure and their statuses. */
import { pathId } from "../kit/url-parameters.ts"

export const ordersPath = "/workspace/orders"
export const orderRoute = "/workspace/orders/:orderId"
export const attemptRoute = `${orderRoute}/attempts/:commerceOrderId` as const
export const recipientAccountRoute = "/workspace/organizations/:organizationId/recipient-account"

/** The order in the path of these pages; anything else is refused with 404. */
export const requestedOrder = pathId("orderId", "order")

/** Also the address to which a checkout returns. */
export const orderPath = (resultOrderId: string): `/workspace/${string}` => `/workspace/orders/${resultOrderId}`

/** The page of an order with the observations of this attempt. */
export const attemptPath = (resultOrderId: string, commerceOrderId: string): `/workspace/${string}` =>
  `${orderPath(resultOrderId)}/attempts/${commerceOrderId}`

/** Has the provider asked about this attempt now. */
export const refreshRoute = `${attemptRoute}/refresh` as const

export const recipientAccountPath = (organizationId: string): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/recipient-account`

export const commerceRecordPath = (commerceOrderId: string): string => `/api/commerce/orders/${commerceOrderId}/record`

export const closurePath = (resultOrderId: string): string => `/api/commerce/result-orders/${resultOrderId}/closure`

export const closureStatusPath = (resultOrderId: string): string => `${closurePath(resultOrderId)}/status`

export const commerceStatusPath = (commerceOrderId: string): string => `/api/commerce/orders/${commerceOrderId}/status`
