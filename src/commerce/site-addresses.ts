/** The addresses of this installation that records name, and to which a payment provider sends people back. */

/** The base address of the agents' API, as the source of a payment and its records name it. */
export const baseUrlOf = (siteUrl: string): string => `${siteUrl}/api/agents/v1`

/** The page of an order, to which the buyer returns from a checkout. */
export const orderPage = (siteUrl: string, resultOrderId: string): string =>
  `${siteUrl}/workspace/orders/${resultOrderId}`

/** The page with the recipient account, to which the supplier returns from the provider. */
export const recipientAccountPage = (siteUrl: string, organizationId: string): string =>
  `${siteUrl}/workspace/organizations/${organizationId}/recipient-account`
