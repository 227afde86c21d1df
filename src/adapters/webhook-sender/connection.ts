/** HTTP over one open socket: one request at a time, and never another socket. */
import type { TLSSocket } from "node:tls"
import { Deferred, Effect } from "effect"
import { Client } from "undici"
import { WebhookFailure, type PendingResponse, type WebhookRequest } from "../../ports/webhook-sender.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { SecureConnection } from "./connect.ts"

export interface Connection {
  readonly host: string
  readonly address: string
  readonly socket: TLSSocket
  readonly verifiedUntil: number
  readonly client: Client
  /** How long the target keeps the connection open after its last response, in milliseconds; infinite if it did not say. */
  keptFor: number
  /** Whether the last response was complete and the connection can take another request. */
  isClean: boolean
}

export const connectionOver = (host: string, { address, socket, verifiedUntil }: SecureConnection): Connection => ({
  host,
  address,
  socket,
  verifiedUntil,
  client: new Client(`https://${host}`, {
    connect: singleSocket(socket),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.webhookResponseHeaderBytes,
    // The pool closes idle connections: a timer of the client could close one that was just taken.
    keepAliveTimeout: idleUnderClient,
    keepAliveMaxTimeout: idleUnderClient,
    // The client closes a connection when the target does, by default two seconds earlier.
    keepAliveTimeoutThreshold: 0,
    // The caller's deadline interrupts instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Explicit, because UNDICI_USE_MILO changes the default.
    useMilo: false
  }),
  keptFor: Number.POSITIVE_INFINITY,
  isClean: false
})

const idleUnderClient = 10 * 60_000

export const closeConnection = ({ socket, client }: Connection): void => {
  socket.destroy()
  void client.destroy()
}

/**
 * POSTs once, and succeeds when the head is written. A response that is too long counts by its status, if that has arrived,
 * and the connection is closed.
 */
export const post = (
  connection: Connection,
  path: string,
  { headers, body }: WebhookRequest
): Effect.Effect<PendingResponse> =>
  Effect.callback((resume) => {
    const { client, socket } = connection
    const result = Deferred.makeUnsafe<{ readonly statusCode: number }, WebhookFailure>()
    const response = Effect.onInterrupt(Deferred.await(result), () => Effect.sync(() => closeConnection(connection)))
    const end = (response: PendingResponse) => Deferred.doneUnsafe(result, response)
    const begun = () => resume(Effect.succeed(response))
    let statusCode = 0
    let bodyBytes = 0
    const bytesBefore = socket.bytesRead
    const stop = () => {
      closeConnection(connection)
      end(statusCode < 200 ? failed : Effect.succeed({ statusCode }))
    }
    // Informational responses and the framing of chunks are in no other count.
    const watch = () => {
      if (socket.bytesRead - bytesBefore > responseBytesMax) stop()
    }
    connection.isClean = false
    const request = { method: "POST", path, headers: { ...headers }, body }
    client.dispatch(request, {
      onRequestStart: () => {
        // Registered after the client's own listener, which parses the bytes first.
        socket.on("readable", watch)
        // The client writes the request in this turn, immediately after this call.
        queueMicrotask(begun)
      },
      // The last one counts: earlier ones are informational.
      onResponseStart: (_, status, { "keep-alive": keepAlive }) => {
        statusCode = status
        connection.keptFor = keptForOf(String(keepAlive))
      },
      onResponseData: (_, chunk) => {
        bodyBytes += chunk.length
        if (bodyBytes > limits.webhookResponseBytes) stop()
      },
      // Whether the client closes the socket, or the target sends more, shows only after this turn.
      onResponseEnd: () =>
        queueMicrotask(() => {
          socket.off("readable", watch)
          connection.isClean = true
          end(Effect.succeed({ statusCode }))
        }),
      onResponseError: (_, error) => {
        end(failureOf(error))
        begun()
      }
    })
    return Effect.sync(() => closeConnection(connection))
  })

/** From the header field, such as `timeout=5, max=100`, in seconds. */
const keptForOf = (keepAlive: string): number => {
  const [, seconds] = /(?:^|[,\s])timeout=(\d+)/i.exec(keepAlive) ?? []
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}

const responseBytesMax = limits.webhookResponseHeaderBytes + limits.webhookResponseBytes

/** A client that lost its socket asks for another one, whose address would be unchecked. */
const singleSocket = (socket: TLSSocket): NonNullable<Client.Options["connect"]> => {
  let isUsed = false
  return (_, callback) => {
    const isOpen = !isUsed && !socket.destroyed
    isUsed = true
    // Deferred: called back synchronously, the client would not continue.
    queueMicrotask(() => (isOpen ? callback(null, socket) : callback(new Error("the socket is gone"), null)))
  }
}

const failed = Effect.fail(new WebhookFailure({ fault: "CONNECTION" }))

const failureOf = (error: Error): Effect.Effect<never, WebhookFailure> => {
  const code = "code" in error ? String(error.code) : ""
  // A request that cannot be written is a defect of this program.
  if (code === "UND_ERR_INVALID_ARG") return Effect.die(error)
  return code.startsWith("ERR_SSL_") ? Effect.fail(new WebhookFailure({ fault: "TLS" })) : failed
}
