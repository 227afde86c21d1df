/**
 * Opens a connection to one of the checked addresses, with TLS for the target's name. Sends no part of a request, not even
 * as early data of a resumed TLS session.
 */
import * as net from "node:net"
import * as tls from "node:tls"
import { type Clock, Effect } from "effect"
import { WebhookFailure } from "../../ports/webhook-sender.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { TlsSessions } from "./tls-sessions.ts"

export interface Endpoint {
  /** The name that the certificate must be valid for. */
  readonly host: string
  readonly port: number
  readonly trust: tls.SecureContext
  readonly sessions: TlsSessions
  readonly clock: Clock.Clock
  /** Called with each socket when it is created, so that none leaks between two steps. */
  readonly onBegin: (socket: net.Socket) => void
}

export interface SecureConnection {
  readonly socket: tls.TLSSocket
  readonly address: string
  /** The end of the time for which the certificate counts as verified, as `monotonicMilliseconds`. */
  readonly verifiedUntil: number
}

export const monotonicMilliseconds = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

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
  { host, trust, sessions, clock, onBegin }: Endpoint
): Effect.Effect<SecureConnection, WebhookFailure> =>
  Effect.callback((resume) => {
    const offered = sessions.take(host)
    const socket = tls.connect({
      socket: underneath,
      servername: host,
      secureContext: trust,
      ...(offered !== undefined && { session: offered.state }),
      ALPNProtocols: ["http/1.1"],
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
      rejectUnauthorized: true
    })
    onBegin(socket)
    const close = () => {
      socket.destroy()
      underneath.destroy()
    }
    let verifiedUntil = 0
    socket.once("secureConnect", () => {
      verifiedUntil =
        offered !== undefined && socket.isSessionReused() ? offered.verifiedUntil : verifiedEnd(socket, clock)
      resume(Effect.succeed({ socket, address, verifiedUntil }))
    })
    // Each is emitted after `secureConnect`, that is, after the certificate of a full handshake was verified.
    socket.on("session", (state) => sessions.keep(host, { state, verifiedUntil }))
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

/** A certificate that was verified now counts for a while, and not beyond its own validity. Resumed, a socket shows none. */
const verifiedEnd = (socket: tls.TLSSocket, clock: Clock.Clock): number => {
  const validTo = socket.getPeerX509Certificate()?.validToDate.getTime() ?? 0
  return (
    monotonicMilliseconds(clock) +
    Math.min(limits.webhookCertificateVerified, validTo - clock.currentTimeMillisUnsafe())
  )
}

/** True where the connection broke; any other error during the TLS handshake concerns the certificate or the protocol. */
const isTransportError = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined &&
  ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"].includes(code)
