/** HTTP over one socket that is open already: one request at a time, and never another socket. */
import type { TLSSocket } from "node:tls"
import { Effect } from "effect"
import { Client } from "undici"
import { CallbackFailed, type CallbackRequest } from "../../ports/callback-sender.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Secured } from "./connect.ts"

export interface Connection {
  readonly host: string
  readonly address: string
  readonly socket: TLSSocket
  readonly client: Client
  /** Whether the last answer came whole and left the connection fit for another request. */
  isClean: boolean
}

export const connectionOver = (host: string, { address, socket }: Secured): Connection => ({
  host,
  address,
  socket,
  client: new Client(`https://${host}`, {
    connect: onlyThrough(socket),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.callbackResponseHeaderBytes,
    // Who keeps connections ends those that idle: a clock of its own would end one that somebody has just taken.
    keepAliveTimeout: idleUnderClient,
    keepAliveMaxTimeout: idleUnderClient,
    // The deadline is the caller's, who interrupts.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Said here, because UNDICI_USE_MILO turns what is not said.
    useMilo: false
  }),
  isClean: false
})

const idleUnderClient = 10 * 60_000

export const end = ({ socket, client }: Connection): void => {
  socket.destroy()
  void client.destroy()
}

/** POSTs once. Whoever says more than is read has answered, if the status came, and the connection ends. */
export const post = (
  connection: Connection,
  path: string,
  { headers, body }: CallbackRequest
): Effect.Effect<{ readonly statusCode: number }, CallbackFailed> =>
  Effect.callback((resume) => {
    const { client, socket } = connection
    let statusCode = 0
    let bodyBytes = 0
    const bytesBefore = socket.bytesRead
    const stop = () => {
      end(connection)
      resume(statusCode < 200 ? failed : Effect.succeed({ statusCode }))
    }
    // Informational answers and what surrounds the chunks of a body are in no other count.
    const watch = () => {
      if (socket.bytesRead - bytesBefore > mostBytes) stop()
    }
    connection.isClean = false
    const request = { method: "POST", path, headers: { ...headers }, body }
    client.dispatch(request, {
      // Behind the client, which first makes of the bytes what they are.
      onRequestStart: () => void socket.on("readable", watch),
      // The last one counts: those before are informational.
      onResponseStart: (_, status) => {
        statusCode = status
      },
      onResponseData: (_, chunk) => {
        bodyBytes += chunk.length
        if (bodyBytes > limits.callbackResponseBytes) stop()
      },
      // Only after this turn it shows whether the client ends the socket, or the target had more to say.
      onResponseEnd: () =>
        queueMicrotask(() => {
          socket.off("readable", watch)
          connection.isClean = true
          resume(Effect.succeed({ statusCode }))
        }),
      onResponseError: (_, error) => resume(failureOf(error))
    })
    return Effect.sync(() => end(connection))
  })

const mostBytes = limits.callbackResponseHeaderBytes + limits.callbackResponseBytes

/** A client that lost its socket asks for another, which nobody has checked. */
const onlyThrough = (socket: TLSSocket): NonNullable<Client.Options["connect"]> => {
  let isGiven = false
  return (_, answer) => {
    const isOpen = !isGiven && !socket.destroyed
    isGiven = true
    // Later: called back at once, the client would not go on.
    queueMicrotask(() => (isOpen ? answer(null, socket) : answer(new Error("the socket is gone"), null)))
  }
}

const failed = Effect.fail(new CallbackFailed({ fault: "CONNECTION" }))

const failureOf = (error: Error): Effect.Effect<never, CallbackFailed> => {
  const code = "code" in error ? String(error.code) : ""
  // A request that cannot be written is a defect of ours.
  if (code === "UND_ERR_INVALID_ARG") return Effect.die(error)
  return code.startsWith("ERR_SSL_") ? Effect.fail(new CallbackFailed({ fault: "TLS" })) : failed
}
