/** What a document says of one operation beside its schemas: its credential, its idempotency, and its refusals. */
import { refusals, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import { agentRefusals } from "./agent-refusals.ts"
import { isObject, type JsonObject } from "./json.ts"
import { sharedChecks } from "./shared-checks.ts"
import { workspaceRefusals } from "./workspace-refusals.ts"

/** The traits of an operation that decide which shared checks it makes. */
export interface OperationTraits {
  readonly name: string
  readonly method: string
  readonly opening: keyof typeof openings
  /** True where its path holds an id. */
  readonly namesSomething: boolean
}

/** Every refusal that the operation can give, in the order of statuses and then of names. */
export const refusalsOf = ({ name, method, opening, namesSomething }: OperationTraits): ReadonlyArray<RefusalCode> => {
  const codes = new Set<RefusalCode>([
    ...sharedChecks.everyOperation,
    ...(namesSomething ? sharedChecks.namedByPath : []),
    ...(opening === "session" ? sharedChecks.session : []),
    ...(opening === "session" && method !== "get" ? sharedChecks.sessionWrite : []),
    ...(opening === "bearer" || opening === "participation" ? sharedChecks.agentCredential : []),
    ...(agentRefusals[name] ?? workspaceRefusals[name] ?? [])
  ])
  return [...codes].toSorted((one, other) => statusOf(one) - statusOf(other) || (one < other ? -1 : 1))
}

export const traitsOf = (operation: JsonObject, method: string): OperationTraits => ({
  name: String(operation["operationId"]),
  method,
  opening: openedBy(operation),
  namesSomething:
    Array.isArray(operation["parameters"]) &&
    (operation["parameters"] as ReadonlyArray<JsonObject>).some((parameter) => parameter["in"] === "path")
})

/** One response a status, with the codes that this operation has there. */
export const refusalResponses = (operation: JsonObject, method: string): JsonObject => {
  const codes = refusalsOf(traitsOf(operation, method))
  const statuses = [...new Set(codes.map(statusOf))]
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => statusOf(code) === status)
      const schema = {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          { type: "object", properties: { error: { type: "string", enum: here } } }
        ]
      }
      const response = {
        description: here.map((code) => `\`${code}\`: ${refusals[code].detail}`).join(" "),
        ...(status === 401 || status === 503 ? { headers: headersOf(status, operation) } : {}),
        content: { "application/json": { schema } }
      }
      return [String(status), response]
    })
  )
}

const headersOf = (status: number, operation: JsonObject): JsonObject =>
  status === 503
    ? { "Retry-After": { description: "Seconds to wait, where waiting helps.", schema: { type: "string" } } }
    : openedBy(operation) === "session"
      ? {}
      : { "WWW-Authenticate": { description: "The scheme of the credential.", schema: { type: "string" } } }

/** The summary as a sentence, the credential, and the idempotency of the operation. */
export const describeOperation = (operation: JsonObject, method: string): string => {
  const { summary, description } = operation
  const own = typeof description === "string" ? description : String(summary)
  return [sentence(own), openings[openedBy(operation)], ...repetition(operation, method)].join(" ")
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`)

const openings = {
  bearer: "Opened by the credential of an agent.",
  participation: "Opened by the credential of a participation assistant.",
  session: "Opened by the session of a person.",
  none: "Public: no credential is read."
} as const

const repetition = (operation: JsonObject, method: string): ReadonlyArray<string> =>
  refusalsOf(traitsOf(operation, method)).includes("REQUEST_ID_CONFLICT")
    ? ["The same body under the same request id takes effect once; a repeated request is answered with `replayed`."]
    : []

const openedBy = (operation: JsonObject): keyof typeof openings => {
  const security = operation["security"]
  const [first] = Array.isArray(security) ? (security as ReadonlyArray<JsonObject>) : []
  const [name] = isObject(first) ? Object.keys(first) : []
  return name === "bearer" || name === "participation" || name === "session" ? name : "none"
}

const statusOf = (code: RefusalCode): number => refusals[code].status
