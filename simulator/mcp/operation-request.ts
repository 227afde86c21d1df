/** The HTTP request that an operation makes of the input of its tool. */
import { canonicalText } from "../../src/canonical/jcs.ts"
import { Result } from "effect"
import type { JsonObject } from "../vocabulary/json.ts"
import type { Operation } from "./operation.ts"

export interface OperationRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string | undefined
}

/**
 * Equal inputs make equal bytes, since the body is canonical, and nothing is filled in. Members that the operation does
 * not know are sent in the body, or in the query where it has no body, so that the service refuses them. A missing path
 * parameter is a failure, since there is no request to send.
 */
export const requestOf = (
  { method, path, parameters, body }: Operation,
  input: JsonObject
): Result.Result<OperationRequest, string> => {
  const rest = new Map(Object.entries(input))
  let address = path
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = rest.get(name)
    rest.delete(name)
    if (place === "path") {
      if (value === undefined) return Result.fail(`${name} is missing: it is part of the path ${path}.`)
      address = address.replace(`{${name}}`, encodeURIComponent(textOf(value)))
    } else if (value !== undefined) query.set(name, textOf(value))
  }
  const hasBody = body !== undefined || (method !== "GET" && rest.size > 0)
  if (!hasBody) for (const [name, value] of rest) query.set(name, textOf(value))
  return Result.succeed({
    method,
    path: query.size === 0 ? address : `${address}?${query}`,
    body: hasBody ? canonicalText(Object.fromEntries(rest)) : undefined
  })
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
