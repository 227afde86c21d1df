/** Webhook receivers on loopback, correct and faulty, and the production sender connected to them. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import * as tls from "node:tls"
import { Effect, Option, Result, type Scope } from "effect"
import { makeWebhookSender, type WebhookSenderSettings } from "../../src/adapters/webhook-sender/layer.ts"
import type {
  ResolverUnreachable,
  WebhookConnection,
  WebhookFailure,
  WebhookSender
} from "../../src/ports/webhook-sender.ts"

const folder = path.join(import.meta.dirname, "tls", "webhooks")

export const certificateOf = (
  name: "authority" | "receiver" | "expired" | "elsewhere" | "wildcard" | "self-signed"
): string => fs.readFileSync(path.join(folder, `${name}.pem`), "utf8")

/** The server certificate of this name. */
export const contextOf = (name: Parameters<typeof certificateOf>[0]): tls.SecureContext =>
  tls.createSecureContext({ key, cert: certificateOf(name) })

const key = fs.readFileSync(path.join(folder, "receiver.key.pem"), "utf8")

export const host = "receiver.example.com"
export const target = `https://${host}/events?of=all`

/** One connection, as seen by the receiver. */
export interface ReceivedConnection {
  /** The local address that was connected to. */
  readonly address: string
  readonly socket: tls.TLSSocket
  /** Whether its handshake resumed a TLS session. */
  readonly isResumed: boolean
  /** Resets the TCP connection. */
  reset(): void
  /** All bytes received inside of TLS. */
  received: string
  /** Completes when the connection has ended. */
  readonly closed: Promise<unknown>
}

export interface Receiver {
  readonly port: number
  readonly connections: ReadonlyArray<ReceivedConnection>
  readonly first: Effect.Effect<ReceivedConnection>
  /** The number of accepted connections, with or without TLS, after all have ended. */
  readonly allClosed: Effect.Effect<number>
  /** From now on the receiver knows none of its earlier TLS sessions. */
  forgetSessions(): void
  /** Complete requests, over all connections. */
  readonly requests: ReadonlyArray<{ readonly head: string; readonly body: string }>
}

/** The receiver's behaviour after a complete request. */
export type Behaviour = (arrival: ReceivedConnection, number: number) => void

/** Answers with exactly these bytes. */
export const respondWithText =
  (...bytes: ReadonlyArray<string | Buffer>): Behaviour =>
  ({ socket }) => {
    for (const one of bytes) socket.write(one)
  }

export const respondWith = (status: number, ...headers: ReadonlyArray<string>): Behaviour =>
  respondWithText(`HTTP/1.1 ${status} Said\r\n${["content-length: 0", ...headers].join("\r\n")}\r\n\r\n`)

/** Listens on every IPv4 address of loopback. */
export const startReceiver = (
  behave: Behaviour,
  options: tls.TlsOptions = {}
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections: Array<ReceivedConnection> = []
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<ReceivedConnection>()
    const requests: Array<{ readonly head: string; readonly body: string }> = []
    const underneath = new Map<number | undefined, net.Socket>()
    const ended: Array<Promise<unknown>> = []
    const server = tls.createServer({ key, cert: certificateOf("receiver"), ...options }, (socket) => {
      const closed = new Promise((resolve) => socket.once("close", resolve))
      const reset = () => void underneath.get(socket.remotePort)?.resetAndDestroy()
      const isResumed = socket.isSessionReused()
      const address = socket.localAddress ?? ""
      const arrival: ReceivedConnection = { address, socket, isResumed, reset, received: "", closed }
      connections.push(arrival)
      arrive(arrival)
      let rest = ""
      // Many tests are about senders that disconnect early.
      socket.on("error", () => {})
      socket.on("data", (data) => {
        arrival.received += data.toString()
        rest += data.toString("latin1")
        const [head = "", body] = rest.split("\r\n\r\n")
        const [, length] = /content-length: (\d+)/i.exec(head) ?? []
        if (body === undefined || body.length < Number(length)) return
        rest = ""
        requests.push({ head, body: Buffer.from(body, "latin1").toString() })
        behave(arrival, requests.length)
      })
    })
    server.on("tlsClientError", () => {})
    server.on("connection", (socket) => {
      const { remotePort } = socket
      underneath.set(remotePort, socket)
      socket.once("close", () => underneath.delete(remotePort))
      ended.push(new Promise((resolve) => socket.once("close", resolve)))
    })
    yield* listening(server)
    yield* Effect.addFinalizer(() => Effect.sync(() => connections.forEach(({ socket }) => socket.destroy())))
    const first = Effect.promise(() => arrived)
    const allClosed = Effect.map(
      Effect.promise(() => Promise.all(ended)),
      ({ length }) => length
    )
    const forgetSessions = () => server.setTicketKeys(randomBytes(48))
    return { port: portOf(server), connections, first, allClosed, forgetSessions, requests }
  })

/** Accepts connections without TLS, and runs the test's behaviour on them. */
export const startPlaintextReceiver = (behave: (socket: net.Socket) => void) =>
  Effect.gen(function* () {
    const sockets: Array<net.Socket> = []
    const closed: Array<Promise<unknown>> = []
    const server = net.createServer((socket) => {
      sockets.push(socket)
      closed.push(new Promise((resolve) => socket.once("close", resolve)))
      socket.on("error", () => {})
      behave(socket)
    })
    yield* listening(server)
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return { port: portOf(server), sockets, closed }
  })

const listening = (server: net.Server) =>
  Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "0.0.0.0"), "listening")),
    () => Effect.sync(() => server.close())
  )

const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port

/** The production sender with names resolved to loopback at this port; a test overrides options. */
export const senderTo = (
  { port }: { readonly port: number },
  changed: Partial<WebhookSenderSettings> = {}
): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> =>
  makeWebhookSender({
    resolve: () => Effect.succeed(["127.0.0.1"]),
    acceptAddresses: Result.succeed,
    port,
    ca: [certificateOf("authority")],
    ...changed
  })

export const request = {
  headers: { "content-type": "application/json", "service-event-id": "event_1" },
  body: `{"type":"delivery.submitted","note":"ü"}`
}

/** Sends the request over an open connection, and waits for its response. */
export const sendOver = (connection: WebhookConnection) => Effect.flatten(connection.send(request))

/** The result of one send under one deadline: its status, the fault, or TIMEOUT. */
export const outcomeOf = (sender: WebhookSender["Service"], to = target, withinMs = 10_000): Effect.Effect<string> =>
  sender.open(to).pipe(
    Effect.flatMap(sendOver),
    Effect.scoped,
    Effect.timeoutOption(withinMs),
    Effect.match({
      onFailure: faultOf,
      onSuccess: Option.match({ onNone: () => "TIMEOUT", onSome: ({ statusCode }) => String(statusCode) })
    })
  )

const faultOf = (error: WebhookFailure | ResolverUnreachable): string =>
  error._tag === "WebhookFailure" ? error.fault : `unreachable: ${error.reason}`
