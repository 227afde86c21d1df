/**
 * What each actor sent before a request: how often the same bytes, how its request id was answered, and whether an
 * earlier request is without an answer. Properties of requests are about these facts.
 */
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { SendFacts } from "../observation/observation.ts"
import { isObject, type Json, valueAt } from "../vocabulary/json.ts"
import { operationOfRequest } from "./operations/operation-of-request.ts"
import type { Response } from "./read-answer.ts"
import type { Request } from "./world.ts"

interface SentBytes {
  readonly operation: string | undefined
  readonly bytes: Map<string, number>
  previous: string
  /** The moment before which the last answer asked for no retry; 0 if it named none. */
  retryAt: number
}

interface ActorLedger {
  readonly sent: Map<string, SentBytes>
  readonly paused: Set<string>
  /** The bearer tokens that were refused with 401. */
  readonly refusedCredentials: Set<string>
  isUnauthorized: boolean
}

const noAnswer = "NONE"

export class RequestLedger {
  readonly #actors = new Map<string, ActorLedger>()

  /** Registers a request that is about to be sent. */
  send(request: Request, now: number): SendFacts {
    const { sent, paused, refusedCredentials, isUnauthorized } = this.#of(request.actor)
    const key = keyOf(request)
    const bytes = bytesOf(request)
    const operation = operationOfRequest(request.method, request.path)
    const earlier = sent.get(key)
    const sends = (earlier?.bytes.get(bytes) ?? 0) + 1
    const known = earlier ?? { operation, bytes: new Map<string, number>(), previous: noAnswer, retryAt: 0 }
    const others = [...sent].filter(([other, one]) => other !== key && one.operation === operation)
    const facts: SendFacts = {
      ...(operation === undefined ? {} : { operation }),
      sends,
      changed: earlier !== undefined && !earlier.bytes.has(bytes),
      ...(earlier === undefined ? {} : { previous: earlier.previous }),
      unanswered: hasRequestId(request) && others.some(([, { previous }]) => previous === noAnswer),
      paused: paused.has(projectIn(request.path)),
      early: now < known.retryAt,
      unauthorized: isUnauthorized,
      invalidCredential: refusedCredentials.has(credentialIn(request))
    }
    known.bytes.set(bytes, sends)
    known.previous = noAnswer
    known.retryAt = 0
    sent.set(key, known)
    return facts
  }

  /** True if the last answer to the actor was 401. */
  isUnauthorized(actor: string): boolean {
    return this.#actors.get(actor)?.isUnauthorized === true
  }

  /** Registers the answer that reached the actor. */
  answer(request: Request, { status, body, headers }: Response, now: number): void {
    const ledger = this.#of(request.actor)
    const { sent, paused, refusedCredentials } = ledger
    const credential = credentialIn(request)
    ledger.isUnauthorized = status === 401
    if (status === 401 && credential !== "") refusedCredentials.add(credential)
    const entry = sent.get(keyOf(request))
    const error = valueAt(body ?? null, "error")
    if (entry !== undefined) {
      entry.previous = typeof error === "string" ? error : String(status)
      entry.retryAt = now + 1000 * Number(headers["retry-after"] ?? valueAt(body ?? null, "interval") ?? 0)
    }
    const isPaused = error === "AGENT_PAUSED" ? true : valueAt(body ?? null, "automation.paused")
    if (isPaused === true) paused.add(projectIn(request.path))
    else if (isPaused === false) paused.delete(projectIn(request.path))
  }

  #of(actor: string): ActorLedger {
    const known = this.#actors.get(actor) ?? {
      sent: new Map(),
      paused: new Set(),
      refusedCredentials: new Set(),
      isUnauthorized: false
    }
    this.#actors.set(actor, known)
    return known
  }
}

const requestIdIn = ({ body }: Request): Json | undefined =>
  isObject(body) ? (valueAt(body, "input.requestId") ?? valueAt(body, "requestId")) : undefined

const hasRequestId = (request: Request): boolean => requestIdIn(request) !== undefined

const keyOf = (request: Request): string => {
  const id = requestIdIn(request)
  return `${request.method} ${request.path} ${id === undefined ? bytesOf(request) : JSON.stringify(id)}`
}

/** The `authorization` that a request carries; empty without one. */
const credentialIn = ({ raw, tokenOverride, token }: Request): string => {
  const sent = tokenOverride ?? token
  return raw?.headers["authorization"] ?? (sent === undefined ? "" : `Bearer ${sent}`)
}

const bytesOf = ({ body, raw }: Request): string => raw?.text ?? (body === undefined ? "" : canonicalText(body))

/** The id in the path of a project. */
const projectIn = (path: string): string => /\/projects\/([^/?]+)/.exec(path)?.[1] ?? ""
