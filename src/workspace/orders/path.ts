/** The paths of pages about Result Orders, and of the file of a Commerce Record. */

export const orderRoute = "/workspace/orders/:orderId"
export const attemptRoute = `${orderRoute}/attempts/:commerceOrderId` as const
export const recipientAccountRoute = "/workspace/organizations/:organizationId/recipient-account"

/** Also the address to which a checkout returns. */
export const orderPath = (resultOrderId: string): `/workspace/${string}` => `/workspace/orders/${resultOrderId}`

/** The page of an order with the observations of this attempt. */
export const attemptPath = (resultOrderId: string, commerceOrderId: string): `/workspace/${string}` =>
  `${orderPath(resultOrderId)}/attempts/${commerceOrderId}`

export const recipientAccountPath = (organizationId: string): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/recipient-account`

export const commerceRecordPath = (commerceOrderId: string): string => `/api/commerce/orders/${commerceOrderId}/record`
