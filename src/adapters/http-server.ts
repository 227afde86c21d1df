/** Listens for HTTP, and shuts down in order: no new connections, requests in flight are answered, the rest is closed. */
import * as http from "node:http"
import * as https from "node:https"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Data, Effect, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import { ShutdownRequest } from "../ports/shutdown-request.ts"
import { TlsCertificate, type TlsCertificateState } from "../ports/tls-certificate.ts"
import { HttpApp } from "../service.ts"
import { limits } from "../vocabulary/limits.ts"
import { Configuration } from "./configuration.ts"
import { AddReloadPart } from "./running-keys.ts"
import { endOfCertificate, readTls, type TlsPair } from "./tls.ts"

export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/** The reason why listening fails: the variable to change, and the system's error. */
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
 * Serves until the scope closes. The routes are built before the first connection is accepted. Returns the effect that
 * begins the shutdown: no new connections, and not ready on the open ones.
 */
export const listen = Effect.gen(function* () {
  const configuration = yield* Configuration
  const app = yield* HttpApp
  // Requests end with this scope, a separate one: it closes after the drain and not before it.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const handler = yield* NodeHttpServer.makeHandler(app, { scope }).pipe(Effect.provide(HttpServer.layerServices))
  const certificate = yield* TlsCertificate
  const server = yield* makeServer(configuration, handler, certificate)
  yield* Effect.acquireRelease(start(server, configuration), () => drain(server))
  const { begin } = yield* ShutdownRequest
  return Effect.sync(() => {
    begin()
    server.close()
  })
})

/** A client that sends slowly must not hold its connection for long. */
const options = {
  headersTimeout: limits.requestHeaders,
  requestTimeout: limits.requestWhole,
  keepAliveTimeout: limits.idleConnection,
  // How often Node checks the two timeouts: 30 seconds by default.
  connectionsCheckingInterval: limits.requestTimeoutCheck,
  // By default Node keeps the first of several `Authorization` headers without a trace of the others.
  joinDuplicateHeaders: true
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

/**
 * Serves no request whose client has no address: its connection was reset before this process read it, although the
 * whole request may have arrived. All later code takes a request without an address for one from inside this process.
 * An address that was read once stays with the socket.
 */
export const servePeers =
  (handler: Handler): Handler =>
  (request, response) =>
    request.socket.remoteAddress === undefined ? void request.socket.destroy() : handler(request, response)

const makeServer = Effect.fnUntraced(function* (
  configuration: Configuration["Service"],
  handler: Handler,
  certificate: TlsCertificateState
) {
  const pair = yield* readTls(configuration)
  if (Option.isNone(pair)) return http.createServer(options, servePeers(handler))
  const server = https.createServer({ ...options, ...tlsOptions(pair.value) }, servePeers(handler))
  certificate.replace(endOfCertificate(pair.value))
  const addReloadPart = yield* AddReloadPart
  addReloadPart(
    Effect.map(readTls(configuration), (read) => () => {
      if (Option.isNone(read)) return
      // Open connections keep the certificate that they began with.
      server.setSecureContext(tlsOptions(read.value))
      certificate.replace(endOfCertificate(read.value))
    })
  )
  return server
})

const tlsOptions = ({ cert, key }: TlsPair) => ({ cert, key, minVersion: "TLSv1.2" }) as const

const start = (server: http.Server | https.Server, { host, port }: Configuration["Service"]) =>
  Effect.callback<void, ListenError>((resume) => {
    const onError = (cause: Error) => resume(Effect.fail(listenError("PORT", `${host}:${port}`, cause)))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

/** A connection is closed soon after its last response: its client might keep it open for long. */
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
