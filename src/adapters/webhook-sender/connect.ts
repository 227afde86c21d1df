/** Opens a connection to one of the checked addresses, with TLS for the target's name. Sends no part of a request. */
import * as net from "node:net"
import * as tls from "node:tls"
import { Effect } from "effect"
import { WebhookFailure } from "../../ports/webhook-sender.ts"
import { limits } from "../../vocabulary/limits.ts"

export interface Endpoint {
  /** The name that the certificate must be valid for. */
  readonly host: string
  readonly port: number
  readonly trust: tls.SecureContext
  /** Called with each socket when it is created, so that none leaks between two steps. */
  readonly onBegin: (socket: net.Socket) => void
}

export interface SecureConnection {
  readonly socket: tls.TLSSocket
  readonly address: string
}

/** Trusts these certificate authorities only, whatever flags and environment variables the process was started with. */
export const secureContextOf = (authorities: ReadonlyArray<string>): tls.SecureContext =>
  tls.createSecureContext({ ca: [...authorities], minVersion: "TLSv1.2" })

/** The first address that accepts the connection must speak TLS as well. An interruption closes every socket. */
export const connect = (
  endpoint: Endpoint,
  addresses: ReadonlyArray<string>
): Effect.Effect<SecureConnection, WebhookFailure> => {
  const [address, ...others] = addresses
  if (address === undefined) return failed
  const socket = reach(address, endpoint)
  if (others.length === 0) return Effect.flatMap(socket, (socket) => secure(socket, address, endpoint))
  return Effect.timeoutOrElse(socket, { duration: limits.webhookConnect, orElse: () => failed }).pipe(
    Effect.matchEffect({
      onFailure: () => connect(endpoint, others),
      onSuccess: (socket) => secure(socket, address, endpoint)
    })
  )
}

const failed = Effect.fail(new WebhookFailure({ fault: "CONNECTION" }))

const reach = (address: string, { port, onBegin }: Endpoint): Effect.Effect<net.Socket, WebhookFailure> =>
  Effect.callback((resume) => {
    const socket = net.connect({ host: address, port, autoSelectFamily: false, noDelay: true })
    onBegin(socket)
    socket.once("connect", () => resume(Effect.succeed(socket)))
    // For the lifetime of the socket: an error without a listener would end the process.
    socket.on("error", () => resume(failed))
    return Effect.sync(() => socket.destroy())
  })

const secure = (
  underneath: net.Socket,
  address: string,
  { host, trust, onBegin }: Endpoint
): Effect.Effect<SecureConnection, WebhookFailure> =>
  Effect.callback((resume) => {
    const socket = tls.connect({
      socket: underneath,
      servername: host,
      secureContext: trust,
      ALPNProtocols: ["http/1.1"],
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
      rejectUnauthorized: true
    })
    onBegin(socket)
    const close = () => {
      socket.destroy()
      underneath.destroy()
    }
    socket.once("secureConnect", () => resume(Effect.succeed({ socket, address })))
    socket.on("error", (error: NodeJS.ErrnoException) => {
      close()
      resume(Effect.fail(new WebhookFailure({ fault: isTransportError(error) ? "CONNECTION" : "TLS" })))
    })
    socket.once("close", () => {
      underneath.destroy()
      resume(failed)
    })
    return Effect.sync(close)
  })

/** True where the connection broke; any other error during the TLS handshake concerns the certificate or the protocol. */
const isTransportError = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined &&
  ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"].includes(code)
