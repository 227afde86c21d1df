/** The paths of the pages about the history that an agreement rests on. */

export const referenceRoute = "/workspace/projects/:projectId/history-reference"

export const referencePath = (projectId: string): `/workspace/${string}` =>
  `/workspace/projects/${projectId}/history-reference`

export const extendedClosureRoute = "/workspace/orders/:orderId/closure-with-history"

export const extendedClosurePath = (resultOrderId: string): `/workspace/${string}` =>
  `/workspace/orders/${resultOrderId}/closure-with-history`
