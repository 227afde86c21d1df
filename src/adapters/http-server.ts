/** Listens for HTTP, and stops in order: no new connections, what is in flight is answered, then the rest is closed. */
import * as http from "node:http"
import * as https from "node:https"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Data, Effect, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import { Stopping } from "../ports/stopping.ts"
import { HttpApp } from "../service.ts"
import { limits } from "../vocabulary/limits.ts"
import { Configuration } from "./configuration.ts"
import { readTls } from "./tls.ts"

export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/** Why nothing can listen there: the variable to change, and what the system says. */
export const listenError = (portVariable: string, address: string, cause: unknown): ListenError => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
  if (code === "EADDRINUSE") {
    return new ListenError({ message: `${portVariable}: in use by another process: ${address}` })
  }
  if (code === "EACCES") {
    return new ListenError({ message: `${portVariable}: this user may not listen on ${address}: choose one from 1024` })
  }
  return new ListenError({
    message: `HOST: this machine has no such address to listen on: ${address} (${code})`
  })
}

/**
 * Serves until the scope closes. The routes are built before the first connection is taken. Gives what begins the end:
 * no new connections, and not ready on those that are there.
 */
export const listen = Effect.gen(function* () {
  const configuration = yield* Configuration
  const app = yield* HttpApp
  // Each request ends with this scope: of its own, so that it closes after the drain and not before it.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const handler = yield* NodeHttpServer.makeHandler(app, { scope }).pipe(Effect.provide(HttpServer.layerServices))
  const server = yield* makeServer(configuration, handler)
  yield* Effect.acquireRelease(start(server, configuration), () => drain(server))
  const { begin } = yield* Stopping
  return Effect.sync(() => {
    begin()
    server.close()
  })
})

/** A client that sends slowly must not hold its connection for long. */
const options = {
  headersTimeout: limits.requestHeaders,
  requestTimeout: limits.requestWhole,
  // How late Node notices the two: without it, 30 seconds.
  connectionsCheckingInterval: limits.requestTimeoutCheck,
  // Else Node keeps the first of several `Authorization` headers, and nothing tells that there were more.
  joinDuplicateHeaders: true
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

/**
 * Serves no request whose client has no address: its connection was reset before this process looked, though the whole
 * request may have arrived. Everything behind this takes a request without an address for one from inside this process.
 * An address that was read once stays with the socket.
 */
export const servePeers =
  (handler: Handler): Handler =>
  (request, response) =>
    request.socket.remoteAddress === undefined ? void request.socket.destroy() : handler(request, response)

const makeServer = (configuration: Configuration["Service"], handler: Handler) =>
  Effect.map(
    readTls(configuration),
    Option.match({
      onNone: (): http.Server | https.Server => http.createServer(options, servePeers(handler)),
      onSome: ({ cert, key }) =>
        https.createServer({ ...options, cert, key, minVersion: "TLSv1.2" }, servePeers(handler))
    })
  )

const start = (server: http.Server | https.Server, { host, port }: Configuration["Service"]) =>
  Effect.callback<void, ListenError>((resume) => {
    const failed = (cause: Error) => resume(Effect.fail(listenError("PORT", `${host}:${port}`, cause)))
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      resume(Effect.void)
    })
  })

/** A connection whose last answer has gone out is closed soon after: its client may keep it open for long. */
const drain = (server: http.Server | https.Server) =>
  Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))).pipe(
    Effect.raceFirst(closeIdle(server)),
    Effect.timeoutOrElse({ duration: limits.drain, orElse: () => Effect.sync(() => server.closeAllConnections()) })
  )

const closeIdle = (server: http.Server | https.Server) =>
  Effect.sync(() => server.closeIdleConnections()).pipe(
    Effect.andThen(Effect.sleep(limits.drainInterval)),
    Effect.forever
  )
