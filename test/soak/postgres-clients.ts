/** Clients that write to any available server, and log when each request was sent and answered. */
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import { HttpApp } from "../../src/service.ts"
import { nextCommand, type Arena, type Lane } from "../processes/arena.ts"
import { sendCommand, readProject, reviewOf } from "../support/parties.ts"

/** One request in its client's log; a client without a response sends the same request again. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly requestId: string | undefined
  /** Milliseconds since 1970, before the first send and after the response. */
  readonly invoked: number
  readonly answered: number
  readonly status: number
  readonly error: string | undefined
  readonly sends: number
}

export interface Log {
  readonly requests: Array<LoggedRequest>
  /** Responses that indicate a defect. */
  readonly defects: Array<string>
}

/** An HTTP app that sends requests to the servers that currently listen. */
export const loggedServers = (origins: ReadonlyArray<string>, log: Log): Layer.Layer<HttpApp> => {
  let turn = 0
  return Layer.succeed(
    HttpApp,
    Effect.gen(function* () {
      const { method, url, headers, arrayBuffer } = yield* HttpServerRequest.HttpServerRequest
      const body = method === "GET" ? undefined : new Uint8Array(yield* arrayBuffer)
      const { "content-length": _, ...sent } = headers
      const invoked = Date.now()
      for (let sends = 1; ; sends++) {
        const answer = yield* Effect.promise(() =>
          sendOnce(`${origins[turn++ % origins.length]}${url}`, { method, headers: sent, ...(body && { body }) })
        )
        if (answer === undefined || answer.status === 503) {
          if (sends === sendsMax) return yield* Effect.die(new Error(`${method} ${url} was never answered`))
          yield* Effect.sleep(retryAfter)
          continue
        }
        const told = answer.type.startsWith("application/json") ? JSON.parse(answer.text) : undefined
        log.requests.push({
          method,
          path: url,
          requestId: requestIdIn(readBody(body)),
          invoked,
          answered: Date.now() + 1,
          status: answer.status,
          error: told?.error,
          sends
        })
        if (answer.status >= 500) log.defects.push(`${method} ${url} was answered ${answer.status} ${answer.text}`)
        return HttpServerResponse.text(answer.text, { status: answer.status, contentType: answer.type })
      }
    })
  )
}

const sendsMax = 600
const retryAfter = 50

/** Undefined if no response arrived. */
const sendOnce = async (target: string, request: RequestInit) => {
  try {
    const response = await fetch(target, { ...request, signal: AbortSignal.timeout(20_000) })
    const type = response.headers.get("content-type") ?? "text/plain"
    return { status: response.status, text: await response.text(), type }
  } catch {
    return undefined
  }
}

const readBody = (body: Uint8Array | undefined): unknown =>
  body === undefined || body.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(body))

export const requestIdIn = (body: unknown): string | undefined => {
  const told = body as
    | { readonly requestId?: string; readonly input?: { readonly requestId?: string } }
    | null
    | undefined
  return told?.input?.requestId ?? told?.requestId
}

export interface WriterContext {
  readonly arena: Arena
  readonly random: SeededRandom
  readonly log: Log
  /** True while a grant is being renewed, and after a renewal without an answer: then a 401 of its agent is expected. */
  isRenewing: boolean
  /** True once grants are being revoked, from when on a 401 is expected too. */
  isRevoking: boolean
  isOver: boolean
}

/** Writes on one lane until the end. Several clients share a lane, so that they race. */
export const runClient = Effect.fnUntraced(function* (writing: WriterContext, lane: Lane, name: string) {
  const { arena, random, log } = writing
  const mayBeReplaced = (token: string) =>
    token !== arena.supplierAgent.token &&
    (writing.isRenewing || writing.isRevoking || token !== arena.buyerAgent.token)
  while (!writing.isOver) {
    const kind = random.below(20, name)
    const next = nextCommand(arena, lane)
    const accepts = kind === 0 && next.operation === "review"
    const body = accepts ? reviewOf(lane.view, "ACCEPT") : next.body
    const ask = sendCommand(next.token, lane.projectId, next.operation, body)
    // The same request concurrently to the other server.
    const answers = yield* Effect.all(kind < 3 ? [ask, ask] : [ask], { concurrency: "unbounded" })
    for (const { status, body } of answers) {
      if (status === 200) updateView(lane, body)
      else if (!expected.has(String(body?.error)) && !(status === 401 && mayBeReplaced(next.token))) {
        log.defects.push(`${next.operation} was answered ${status} ${JSON.stringify(body)}`)
      }
    }
    const view = yield* readProject(arena.supplierAgent.token, lane.projectId)
    if (view?.project !== undefined) updateView(lane, view)
    const isDone = lane.view.project.events.length >= eventsMost || lane.view.project.state === "BUYER_CONFIRMED"
    yield* Effect.sleep(isDone ? 500 : random.below(40, name))
    if (isDone && random.below(10, name) === 0) return
  }
})

const eventsMost = 98

/** Expected refusals: other clients write, and people pause and revoke. */
const expected: ReadonlySet<string> = new Set([
  "STALE_EVENT_HEAD",
  "AGENT_CHANGED_REFRESH_REQUIRED",
  "AGENT_PAUSED",
  "STATE_CONFLICT",
  "DELIVERY_HISTORY_LIMIT_REACHED"
])

/** Responses may overtake each other; the longer history is the newer one. */
const updateView = (lane: Lane, view: any): void => {
  if (view.project.events.length >= lane.view.project.events.length) lane.view = view
}
