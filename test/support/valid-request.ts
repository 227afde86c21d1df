/** A request of an operation of the agent API or of a public one, with method and path from its definition. */
import { apiOperations, publicOperations } from "../../simulator/scenario/operations/agent-api.ts"
import { pathOf } from "../../simulator/scenario/operations/api-operation.ts"

export interface ValidRequest {
  readonly operation: string
  readonly path: string
  /** The path in the OpenAPI document. */
  readonly template: string
  readonly token?: string
  readonly body: any
  readonly status: number
}

/** The valid POST of an operation on these ids; it is answered with 200 unless `status` is another one. */
export const requestOf = (
  operation: string,
  {
    on,
    status = 200,
    ...request
  }: { readonly on?: string; readonly token?: string; readonly body: object; readonly status?: number }
): ValidRequest => {
  const known = apiOperations[operation] ?? publicOperations[operation]
  if (known?.method !== "POST") throw new Error(`${operation} is not a POST of the agent API or of a public one`)
  return { operation, path: pathOf(known, on), template: known.path, status, ...request }
}
