/** Requests with several faults: which refusal takes precedence. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { uuid } from "./parties.ts"
import { send, type Answer } from "./service.ts"

const agents = "/api/agents/v1"
export const noDigest = "0".repeat(64)

/** A request that a fault modifies. */
export interface Request {
  readonly id: string
  readonly operation: string
  readonly token: string
  readonly body: any
  readonly padding: number
}

export interface Fault {
  readonly status: number
  readonly code: string
  readonly applyTo: (request: Request) => Request
}

export const sendRequest = ({ id, operation, token, body, padding }: Request) =>
  send("POST", `${agents}/projects/${id}${operation}`, { token, raw: JSON.stringify(body) + " ".repeat(padding) })

export const withInput = (request: Request, changes: object): Request => ({
  ...request,
  body: { ...request.body, input: { ...request.body.input, ...changes } }
})

// Faults found before the project is read. Earlier ones are applied last, because they overwrite.
export const unknownRoute: Fault = {
  status: 404,
  code: "NOT_FOUND",
  applyTo: (request) => ({ ...request, operation: `${request.operation}-it` })
}
export const tooLarge: Fault = {
  status: 413,
  code: "REQUEST_TOO_LARGE",
  applyTo: (request) => ({ ...request, padding: 1_000_001 })
}
const noCredential: Fault = { status: 401, code: "AUTH_INVALID", applyTo: (request) => ({ ...request, token: "none" }) }
const noId: Fault = { status: 404, code: "NOT_FOUND", applyTo: (request) => ({ ...request, id: "delivery_1" }) }
const noForm: Fault = {
  status: 400,
  code: "INVALID_REQUEST",
  applyTo: (request) => ({ ...request, body: { ...request.body, more: true } })
}
const outOfScope: Fault = {
  status: 403,
  code: "FORBIDDEN_AGENT_PROJECT_SCOPE",
  applyTo: (request) => ({ ...request, id: `delivery_${uuid()}` })
}
export const withToken = (token: string): Fault => ({
  status: 403,
  code: "FORBIDDEN_AGENT_ACTION",
  applyTo: (request) => ({ ...request, token })
})
export const usedId = (requestId: string): Fault => ({
  status: 409,
  code: "REQUEST_ID_CONFLICT",
  applyTo: (request) => withInput(request, { requestId })
})
/** A fault of the state and not of the request: the project is paused, or its history is full. */
export const stateFault = (code: string): Fault => ({ status: 409, code, applyTo: (request) => request })
export const otherRevision: Fault = {
  status: 409,
  code: "AGENT_CHANGED_REFRESH_REQUIRED",
  applyTo: (request) => ({ ...request, body: { ...request.body, automationRevision: 99 } })
}
export const staleHead: Fault = {
  status: 409,
  code: "STALE_EVENT_HEAD",
  applyTo: (request) => {
    const spoilt = { ...request, body: { ...request.body, expectedEventHash: noDigest } }
    return "expectedEventHash" in request.body.input ? withInput(spoilt, { expectedEventHash: noDigest }) : spoilt
  }
}
export const otherAgreement: Fault = {
  status: 409,
  code: "AGREEMENT_DIGEST_MISMATCH",
  applyTo: (request) => withInput(request, { agreementDigest: noDigest })
}

export const earlyFaults = [unknownRoute, tooLarge, noCredential, noId, noForm, outOfScope]

/** Sends, for each fault, a request with that fault, all after it and those `behind`; that fault's refusal must win. */
export const assertPrecedence = Effect.fnUntraced(function* (
  valid: Request,
  faults: ReadonlyArray<Fault>,
  behind: ReadonlyArray<Fault> = []
) {
  const answers: Array<Answer> = []
  for (const [index, { status, code }] of faults.entries()) {
    const answer = yield* sendRequest(
      [...faults.slice(index), ...behind].reduceRight((request, { applyTo }) => applyTo(request), valid)
    )
    assert.deepStrictEqual([code, answer.status, answer.body.error], [code, status, code])
    assert.strictEqual(answer.body.retryable, false)
    if (status < 409 || code === "REQUEST_TOO_LARGE") {
      assert.notProperty(answer.body, "humanUrl")
      assert.notProperty(answer.body, "requiredHumanAction")
      assert.notProperty(answer.body, "current")
    }
    answers.push(answer)
  }
  return answers
})
