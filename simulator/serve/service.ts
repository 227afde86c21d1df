/** Answers a real request as the service in a world does: with its status, its headers and its text. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { refusal } from "../../src/vocabulary/refusals.ts"
import type { Came } from "../journey.ts"
import { SessionClosed } from "../live.ts"
import { BadStep } from "../session.ts"
import type { Response } from "../world.ts"
import { actorOf } from "./actors.ts"
import { readIncoming, Unreadable } from "./incoming.ts"
import { isForeign } from "./loopback.ts"
import { ControlRefused } from "./refusals.ts"
import { stepFor } from "./saying.ts"
import { momentOf, type ServedWorld } from "./served-world.ts"

/** `path` is how the service sees it. */
export const answerAsService = async (
  request: IncomingMessage,
  response: ServerResponse,
  world: ServedWorld,
  path: string
): Promise<void> => {
  try {
    if (isForeign(request.headers)) throw new ControlRefused("FOREIGN_ORIGIN", "A page of another site asks.")
    const incoming = await readIncoming(request, path)
    const { live } = world
    const named = nameIn(request)
    let actor = ""
    const { came, outcome } = live.submitSaid(() => {
      actor = actorOf(incoming, named, world)
      return stepFor(incoming, actor, named !== undefined, live.session)
    })
    const refused = outcome.then(
      () => undefined,
      (error: unknown) => error
    )
    const told = (await came) ?? (await refused)
    if (isResponse(told)) world.handOut(actor, told.body)
    pass(told, request, response, world)
  } catch (error) {
    if (!response.headersSent && !response.destroyed) refuse(response, error)
  }
}

const nameIn = (request: IncomingMessage): string | undefined => {
  const name = request.headers["simulator-actor"]
  return typeof name === "string" ? name : undefined
}

/** A lost answer is one that never comes; whoever waits for it hangs up. A process that is gone ends the connection. */
const pass = (told: unknown, request: IncomingMessage, response: ServerResponse, world: ServedWorld): void => {
  if (told === "LOST_REQUEST" || told === "LOST_ANSWER") return
  if (told === "GONE") return void request.socket.destroy()
  if (isResponse(told)) return write(told, response, world)
  refuse(response, told)
}

const isResponse = (told: unknown): told is Response & Came =>
  typeof told === "object" && told !== null && "text" in told && "headers" in told && "status" in told

const write = ({ status, headers, text }: Response, response: ServerResponse, world: ServedWorld): void => {
  const own = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  response.writeHead(status, {
    ...Object.fromEntries(own),
    "simulator-now": momentOf(world.live.session.kernel.now) ?? ""
  })
  response.end(text)
}

const ofConnection: ReadonlySet<string> = new Set(["connection", "content-length", "keep-alive", "transfer-encoding"])

/** What no world was asked, since a script could not say it. */
const refuse = (response: ServerResponse, error: unknown): void => {
  const { status, body } = refusedAs(error)
  response.writeHead(status, { "content-type": "application/json", "simulator-refused": "true" })
  response.end(JSON.stringify(body))
}

const refusedAs = (error: unknown): Pick<ControlRefused, "status" | "body"> => {
  if (error instanceof ControlRefused) return error
  const detail = error instanceof Error ? error.message : "The simulator failed."
  if (error instanceof SessionClosed) return new ControlRefused("WORLD_ENDED", detail)
  if (error instanceof BadStep || error instanceof Unreadable) {
    return { status: 400, body: { error: refusal("INVALID_REQUEST").code, detail } }
  }
  return { status: 500, body: { error: "INTERNAL", detail } }
}
