/** The HTTP server: paths below `/sim/` are the control API, all others are the service of a world. */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { limits } from "../../src/vocabulary/limits.ts"
import { jsonBody } from "./json-body.ts"
import { type ControlAnswer, answerControl, answerWorlds } from "./control-api.ts"
import { isLoopbackHost, isOwnOrigin } from "./loopback.ts"
import { renderPage } from "./page/page.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { answerAsService } from "./service-request.ts"
import type { ServedWorld } from "./served-world.ts"
import { defaultWorldId, type Worlds } from "./worlds.ts"

export interface RunningServer {
  readonly origin: string
  /** Resolves after a request to stop the server. */
  readonly stopped: Promise<void>
  readonly close: () => Promise<void>
}

/** Listens on 127.0.0.1; port 0 is any free port. */
export const serve = async (worlds: Worlds, port: number): Promise<RunningServer> => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const answering = new Set<Promise<void>>()
  // As in the service's own server.
  const server = http.createServer(
    { joinDuplicateHeaders: true, keepAliveTimeout: limits.idleConnection },
    (request, response) => {
      const answered = route(request, response, worlds, stop).finally(() => answering.delete(answered))
      answering.add(answered)
    }
  )
  // Invalid HTTP and aborted connections must not affect other clients.
  server.on("clientError", (_, socket) => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = server.address() as AddressInfo
  const close = async () => {
    worlds.close()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // Waiting clients get an answer. Clients that still send, or whose answer is lost, do not delay the shutdown.
    const timeout = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    await Promise.race([closed, Promise.all(answering)])
    await new Promise((resolve) => setImmediate(resolve))
    clearTimeout(timeout)
    server.closeAllConnections()
    await closed
  }
  return { origin: `http://127.0.0.1:${address.port}`, stopped, close }
}

const graceMilliseconds = 1000

const route = async (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  worlds: Worlds,
  stop: () => void
): Promise<void> => {
  request.on("error", () => {})
  response.on("error", () => {})
  try {
    const { host } = request.headers
    if (!isLoopbackHost(host))
      throw new ControlRefusal("FOREIGN_HOST", "This server accepts requests for this machine only.")
    const path = pathOf(request)
    const inWorld = /^\/sim\/worlds\/([^/]+)\/service(\/.*)$/.exec(path)
    if (inWorld !== null) {
      return await answerAsService(request, response, worldAt(worlds, inWorld[1] ?? ""), inWorld[2] ?? "/")
    }
    if (path !== "/sim" && !path.startsWith("/sim/")) {
      const named = request.headers["simulator-world"]
      return await answerAsService(request, response, worldAt(worlds, String(named ?? defaultWorldId)), path)
    }
    if (!isOwnOrigin(request.headers["origin"], host)) {
      throw new ControlRefusal("FOREIGN_ORIGIN", "Cross-site requests are refused.")
    }
    write(response, await control(request, path, worlds, stop))
  } catch (error) {
    refuse(response, error)
  }
}

/** Some clients send an absolute URL. */
const pathOf = ({ url = "/" }: http.IncomingMessage): string => {
  if (url.startsWith("/")) return url
  const parsed = URL.parse(url)
  return parsed === null ? "/" : `${parsed.pathname}${parsed.search}`
}

const control = async (
  request: http.IncomingMessage,
  path: string,
  worlds: Worlds,
  stop: () => void
): Promise<ControlAnswer> => {
  const { method = "GET" } = request
  const [place = "", query = ""] = path.split("?", 2)
  if ((place === "/sim" || place === "/sim/") && method === "GET") {
    const { html, contentPolicy } = renderPage()
    return { type: "text/html; charset=utf-8", text: html, headers: { "content-security-policy": contentPolicy } }
  }
  const body = await jsonBody(request)
  if (place === "/sim/worlds") return answerWorlds(method, worlds, body)
  if (place === "/sim/stop") {
    if (method !== "POST") throw new ControlRefusal("METHOD_NOT_ALLOWED", "/sim/stop allows POST.")
    stop()
    return { status: 202, json: { stopping: true } }
  }
  const found = /^\/sim\/worlds\/([^/]+)(\/.*)?$/.exec(place)
  if (found === null) throw new ControlRefusal("NOT_FOUND", `Unknown path ${place}.`)
  const world = worldAt(worlds, found[1] ?? "")
  world.notice()
  return answerControl(method, found[2] ?? "", { world, worlds, query: new URLSearchParams(query), body })
}

const worldAt = (worlds: Worlds, id: string): ServedWorld => {
  const world = worlds.get(id)
  if (world === undefined) throw new ControlRefusal("NOT_FOUND", `Unknown world ${id}.`)
  return world
}

const write = (response: http.ServerResponse, answered: ControlAnswer): void => {
  const [status, type, text] =
    "json" in answered
      ? [answered.status ?? 200, "application/json", `${JSON.stringify(answered.json)}\n`]
      : [200, answered.type, answered.text]
  const more = "headers" in answered ? answered.headers : {}
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...more
  })
  response.end(text)
}

const refuse = (response: http.ServerResponse, error: unknown): void => {
  if (response.headersSent || response.destroyed) return
  const detail = error instanceof Error ? error.message : String(error)
  const refused = error instanceof ControlRefusal ? error : new ControlRefusal("INTERNAL", detail)
  write(response, { status: refused.status, json: refused.body })
}
