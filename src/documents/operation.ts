/** The description of an operation besides its schemas: its credential, its idempotency, and its refusals. */
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { declaredCodes } from "../http/refuses.ts"
import { refusals, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import { errorBody, refusal } from "../vocabulary/refusals.ts"
import { isObject, type JsonObject } from "./json.ts"

/** Every refusal of each operation of an API, by status and then by name: its own, and those of its middlewares. */
export const refusalsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, ReadonlyArray<RefusalCode>> => {
  const found = new Map<string, ReadonlyArray<RefusalCode>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors }) => {
      const declared = new Set([...errors.values()].flatMap((schemas) => schemas.flatMap(declaredCodes)))
      const codes = [...declared].filter((code) => applies(code, endpoint))
      found.set(
        endpoint.identifier,
        codes.toSorted((one, other) => statusOf(one) - statusOf(other) || (one < other ? -1 : 1))
      )
    }
  })
  return found
}

/** The middlewares of every operation check a path with an id, and the origin of a write. */
const applies = (code: RefusalCode, { method, path }: { readonly method: string; readonly path: string }): boolean => {
  if (code === "NOT_FOUND") return path.includes(":")
  return code !== "CROSS_SITE_REQUEST" || method !== "GET"
}

/** One response for each status, with the operation's codes of that status and an example of each. */
export const refusalResponses = (operation: JsonObject, codes: ReadonlyArray<RefusalCode>): JsonObject => {
  const statuses = [...new Set(codes.map(statusOf))]
  return Object.fromEntries(
    statuses.map((status) => {
      const statusCodes = codes.filter((code) => statusOf(code) === status)
      const schema = {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          { type: "object", properties: { error: { type: "string", enum: statusCodes } } }
        ]
      }
      const response = {
        description: statusCodes.map((code) => `\`${code}\`: ${refusals[code].detail}`).join(" "),
        ...(status === 401 || status === 503 ? { headers: headersOf(status, operation) } : {}),
        content: { "application/json": { schema, examples: mapTo(statusCodes, referenceTo) } }
      }
      return [String(status), response]
    })
  )
}

const referenceTo = (code: RefusalCode): JsonObject => ({ $ref: `#/components/examples/${code}` })

/** The body of each refusal, with the sentence of its rule. */
export const refusalExamples = (codes: Iterable<RefusalCode>): JsonObject =>
  mapTo([...new Set(codes)].toSorted(), (code) => ({ value: errorBody(refusal(code)) }))

const mapTo = (codes: ReadonlyArray<RefusalCode>, map: (code: RefusalCode) => JsonObject): JsonObject =>
  Object.fromEntries(codes.map((code) => [code, map(code)]))

const headersOf = (status: number, operation: JsonObject): JsonObject =>
  status === 503
    ? { "Retry-After": { description: "Seconds to wait before a retry.", schema: { type: "string" } } }
    : credentialOf(operation) === "session"
      ? {}
      : { "WWW-Authenticate": { description: "The scheme of the credential.", schema: { type: "string" } } }

/** The summary as a sentence, the credential, and the idempotency of the operation. */
export const describeOperation = (operation: JsonObject, codes: ReadonlyArray<RefusalCode>): string => {
  const { summary, description } = operation
  const own = typeof description === "string" ? description : String(summary)
  return [sentence(own), credentialTexts[credentialOf(operation)], ...idempotencyTexts(codes)].join(" ")
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`)

const credentialTexts = {
  bearer: "Requires the bearer credential of an agent.",
  participation: "Requires the bearer credential of a participation assistant.",
  session: "Requires the session of a person.",
  none: "Public: no credential is read."
} as const

const idempotencyTexts = (codes: ReadonlyArray<RefusalCode>): ReadonlyArray<string> =>
  codes.includes("REQUEST_ID_CONFLICT")
    ? [
        "Idempotent: the same body under the same request id takes effect once; a replay has `replayed` in its response."
      ]
    : []

const credentialOf = (operation: JsonObject): keyof typeof credentialTexts => {
  const security = operation["security"]
  const [first] = Array.isArray(security) ? (security as ReadonlyArray<JsonObject>) : []
  const [name] = isObject(first) ? Object.keys(first) : []
  return name === "bearer" || name === "participation" || name === "session" ? name : "none"
}

const statusOf = (code: RefusalCode): number => refusals[code].status
