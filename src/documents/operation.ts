/** The description of an operation besides its schemas: its credential, its idempotency, and its refusals. */
import { refusals, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import { agentRefusals } from "./agent-refusals.ts"
import { isObject, type JsonObject } from "./json.ts"
import { sharedChecks } from "./shared-checks.ts"
import { workspaceRefusals } from "./workspace-refusals.ts"

/** The traits of an operation that determine its shared checks. */
export interface OperationTraits {
  readonly name: string
  readonly method: string
  readonly credential: keyof typeof credentialTexts
  /** True if its path contains an id. */
  readonly hasPathId: boolean
}

/** Every refusal that the operation can return, by status and then by name. */
export const refusalsOf = ({ name, method, credential, hasPathId }: OperationTraits): ReadonlyArray<RefusalCode> => {
  const codes = new Set<RefusalCode>([
    ...sharedChecks.everyOperation,
    ...(hasPathId ? sharedChecks.pathId : []),
    ...(credential === "session" ? sharedChecks.session : []),
    ...(credential === "session" && method !== "get" ? sharedChecks.sessionWrite : []),
    ...(credential === "bearer" || credential === "participation" ? sharedChecks.agentCredential : []),
    ...(agentRefusals[name] ?? workspaceRefusals[name] ?? [])
  ])
  return [...codes].toSorted((one, other) => statusOf(one) - statusOf(other) || (one < other ? -1 : 1))
}

export const traitsOf = (operation: JsonObject, method: string): OperationTraits => ({
  name: String(operation["operationId"]),
  method,
  credential: credentialOf(operation),
  hasPathId:
    Array.isArray(operation["parameters"]) &&
    (operation["parameters"] as ReadonlyArray<JsonObject>).some((parameter) => parameter["in"] === "path")
})

/** One response for each status, with the operation's codes of that status. */
export const refusalResponses = (operation: JsonObject, method: string): JsonObject => {
  const codes = refusalsOf(traitsOf(operation, method))
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
        content: { "application/json": { schema } }
      }
      return [String(status), response]
    })
  )
}

const headersOf = (status: number, operation: JsonObject): JsonObject =>
  status === 503
    ? { "Retry-After": { description: "Seconds to wait before a retry.", schema: { type: "string" } } }
    : credentialOf(operation) === "session"
      ? {}
      : { "WWW-Authenticate": { description: "The scheme of the credential.", schema: { type: "string" } } }

/** The summary as a sentence, the credential, and the idempotency of the operation. */
export const describeOperation = (operation: JsonObject, method: string): string => {
  const { summary, description } = operation
  const own = typeof description === "string" ? description : String(summary)
  return [sentence(own), credentialTexts[credentialOf(operation)], ...idempotencyTexts(operation, method)].join(" ")
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`)

const credentialTexts = {
  bearer: "Requires the bearer credential of an agent.",
  participation: "Requires the bearer credential of a participation assistant.",
  session: "Requires the session of a person.",
  none: "Public: no credential is read."
} as const

const idempotencyTexts = (operation: JsonObject, method: string): ReadonlyArray<string> =>
  refusalsOf(traitsOf(operation, method)).includes("REQUEST_ID_CONFLICT")
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
