/** Answers an HTTP request with the answer of the service in a world. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { refusal } from "../../src/vocabulary/refusals.ts"
import type { RequestResult } from "../scenario/scenario-context.ts"
import { SessionClosed } from "../scenario/live.ts"
import { BadStep } from "../scenario/session.ts"
import type { Response } from "../scenario/read-answer.ts"
import { waitUntil } from "./real-time-wait.ts"
import { actorOf, knownActorOf } from "./request-actor.ts"
import { readIncoming, InexpressibleRequest } from "./incoming-request.ts"
import { isForeign } from "./loopback.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { stepFromRequest } from "./request-to-step.ts"
import type { ServedWorld } from "./served-world.ts"
import { momentOf } from "../view-model/session-summary.ts"

/** `path` is the path within the service. */
export const answerAsService = async (
  request: IncomingMessage,
  response: ServerResponse,
  world: ServedWorld,
  path: string
): Promise<void> => {
  try {
    if (isForeign(request.headers)) throw new ControlRefusal("FOREIGN_ORIGIN", "Cross-site requests are refused.")
    const incoming = await readIncoming(request, path)
    const { live } = world
    const requestedAt = live.session.observations.length
    const named = nameIn(request)
    world.notice()
    await world.acts?.actBefore(knownActorOf(incoming, named, world), incoming)
    let actor = ""
    const { result: answer, outcome } = live.submitDeferred(() => {
      actor = actorOf(incoming, named, world)
      return stepFromRequest(incoming, actor, named !== undefined, live.session)
    })
    const refused = outcome.then(
      () => undefined,
      (error: unknown) => error
    )
    const result = (await answer) ?? (await refused)
    if (isResponse(result)) world.registerSecrets(actor, result.body)
    if (world.acts !== undefined) await actAfter(world)
    if (isResponse(result) && (await hasLeft(request))) world.unreadAnswers.push({ actor, requestedAt })
    pass(result, request, response, world)
    world.notice()
  } catch (error) {
    if (!response.headersSent && !response.destroyed) refuse(response, error)
  }
}

/** The acts that an answer calls for precede it, so that they are in the same place of every trace. */
const actAfter = async (world: ServedWorld): Promise<void> => {
  const { live, programTimeout, acts } = world
  // A program that is called may be the one that waits for this answer.
  await waitUntil(() => live.isAtRest || live.frozenFor.length > 0, programTimeout)
  if (live.isAtRest) await acts?.act()
}

/** True if the client closed the connection. Its end may have arrived in this turn of the event loop, which reads it in the next. */
const hasLeft = async ({ socket }: IncomingMessage): Promise<boolean> => {
  await new Promise((resolve) => setImmediate(resolve))
  return !socket.writable
}

const nameIn = (request: IncomingMessage): string | undefined => {
  const name = request.headers["simulator-actor"]
  return typeof name === "string" ? name : undefined
}

/** A lost answer leaves the connection open without an answer; a crashed process closes it. */
const pass = (result: unknown, request: IncomingMessage, response: ServerResponse, world: ServedWorld): void => {
  if (result === "LOST_REQUEST" || result === "LOST_ANSWER") return
  if (result === "GONE") return void request.socket.destroy()
  if (isResponse(result)) return write(result, response, world)
  refuse(response, result)
}

const isResponse = (result: unknown): result is Response & RequestResult =>
  typeof result === "object" && result !== null && "bytes" in result && "headers" in result && "status" in result

const write = ({ status, headers, bytes }: Response, response: ServerResponse, world: ServedWorld): void => {
  const own = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  response.writeHead(status, {
    ...Object.fromEntries(own),
    "simulator-now": momentOf(world.live.session.scheduler.now) ?? ""
  })
  response.end(bytes)
}

const ofConnection: ReadonlySet<string> = new Set(["connection", "content-length", "keep-alive", "transfer-encoding"])

/** Refuses a request that did not reach a world. */
const refuse = (response: ServerResponse, error: unknown): void => {
  const { status, body } = refusalFor(error)
  response.writeHead(status, { "content-type": "application/json", "simulator-refused": "true" })
  response.end(JSON.stringify(body))
}

const refusalFor = (error: unknown): Pick<ControlRefusal, "status" | "body"> => {
  if (error instanceof ControlRefusal) return error
  const detail = error instanceof Error ? error.message : "The simulator failed."
  if (error instanceof SessionClosed) return new ControlRefusal("WORLD_ENDED", detail)
  if (error instanceof BadStep || error instanceof InexpressibleRequest) {
    return { status: 400, body: { error: refusal("INVALID_REQUEST").code, detail } }
  }
  return { status: 500, body: { error: "INTERNAL", detail } }
}
