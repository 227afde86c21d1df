/** A connection to one of the checked addresses, with TLS for the target's name. Nothing of a request is written here. */
import * as net from "node:net"
import * as tls from "node:tls"
import { Effect } from "effect"
import { CallbackFailed } from "../../ports/callback-sender.ts"
import { limits } from "../../vocabulary/limits.ts"

export interface Endpoint {
  /** The name that the certificate must be for. */
  readonly host: string
  readonly port: number
  readonly trust: tls.SecureContext
  /** Told of each socket as it is made, so that none is lost between two steps. */
  readonly onBegin: (socket: net.Socket) => void
}

export interface Secured {
  readonly socket: tls.TLSSocket
  readonly address: string
}

/** Who the target's certificate must come from. What the process was started with in flags and variables changes none. */
export const trusting = (authorities: ReadonlyArray<string>): tls.SecureContext =>
  tls.createSecureContext({ ca: [...authorities], minVersion: "TLSv1.2" })

/** The first of the addresses that takes the connection has to speak TLS as well. Interrupted, it leaves nothing open. */
export const connect = (
  endpoint: Endpoint,
  addresses: ReadonlyArray<string>
): Effect.Effect<Secured, CallbackFailed> => {
  const [address, ...others] = addresses
  if (address === undefined) return failed
  const reached = reach(address, endpoint)
  if (others.length === 0) return Effect.flatMap(reached, (socket) => secure(socket, address, endpoint))
  return Effect.timeoutOrElse(reached, { duration: limits.callbackConnect, orElse: () => failed }).pipe(
    Effect.matchEffect({
      onFailure: () => connect(endpoint, others),
      onSuccess: (socket) => secure(socket, address, endpoint)
    })
  )
}

const failed = Effect.fail(new CallbackFailed({ fault: "CONNECTION" }))

const reach = (address: string, { port, onBegin }: Endpoint): Effect.Effect<net.Socket, CallbackFailed> =>
  Effect.callback((resume) => {
    const socket = net.connect({ host: address, port, autoSelectFamily: false, noDelay: true })
    onBegin(socket)
    socket.once("connect", () => resume(Effect.succeed(socket)))
    // For as long as it lives: an error that nobody listens to would end the process.
    socket.on("error", () => resume(failed))
    return Effect.sync(() => socket.destroy())
  })

const secure = (
  underneath: net.Socket,
  address: string,
  { host, trust, onBegin }: Endpoint
): Effect.Effect<Secured, CallbackFailed> =>
  Effect.callback((resume) => {
    const socket = tls.connect({
      socket: underneath,
      servername: host,
      secureContext: trust,
      ALPNProtocols: ["http/1.1"],
      // Said here, because NODE_TLS_REJECT_UNAUTHORIZED turns what is not said.
      rejectUnauthorized: true
    })
    onBegin(socket)
    const end = () => {
      socket.destroy()
      underneath.destroy()
    }
    socket.once("secureConnect", () => resume(Effect.succeed({ socket, address })))
    socket.on("error", (error: NodeJS.ErrnoException) => {
      end()
      resume(Effect.fail(new CallbackFailed({ fault: isOfTransport(error) ? "CONNECTION" : "TLS" })))
    })
    socket.once("close", () => {
      underneath.destroy()
      resume(failed)
    })
    return Effect.sync(end)
  })

/** Whether the connection broke; what remains while TLS begins is a certificate or a handshake that went wrong. */
const isOfTransport = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined &&
  ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"].includes(code)
