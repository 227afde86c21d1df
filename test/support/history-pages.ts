/** The addresses of the pages about the history of agreements. */

export const referencePage = (projectId: string) => `/workspace/projects/${projectId}/history-reference`
export const extendedPage = (resultOrderId: string) => `/workspace/orders/${resultOrderId}/closure-with-history`
