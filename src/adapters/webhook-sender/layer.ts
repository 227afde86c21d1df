/** Sends webhooks over real sockets: resolve, check, connect, and speak TLS; then one request by undici. */
import type { Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { rootCertificates } from "node:tls"
import { Clock, Effect, Layer, Result, Schedule, type Scope } from "effect"
import { WebhookFailure, WebhookSender, type WebhookRequest } from "../../ports/webhook-sender.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkAnswers } from "../../webhooks/addresses.ts"
import { ConfiguredWebhookTiming } from "../../ports/webhook-timing.ts"
import { connect, monotonicMilliseconds, secureContextOf } from "./connect.ts"
import { connectionOver, post, type Connection } from "./connection.ts"
import { makeIdleConnections } from "./idle-connections.ts"
import { resolveThrough, type Resolve } from "./resolve.ts"
import { makeTlsSessions } from "./tls-sessions.ts"
import { traced } from "../../vocabulary/traced.ts"

/** Decides where a webhook goes. Not configurable: only tests use other values. */
export interface WebhookSenderSettings {
  readonly resolve: Resolve
  /** The addresses to connect to, or the reason why there are none. */
  readonly acceptAddresses: (answers: ReadonlyArray<string>) => Result.Result<ReadonlyArray<string>, string>
  readonly port: number
  /** Certificate authorities, as PEM. */
  readonly ca: ReadonlyArray<string>
}

export const layer = Layer.effect(
  WebhookSender,
  Effect.flatMap(ConfiguredWebhookTiming, ({ timeout }) => makeWebhookSender(production(timeout)))
)

/** `timeout` is that of a whole attempt, in milliseconds; an unreachable resolver is detected well before it. */
export const production = (timeout: number): WebhookSenderSettings => ({
  resolve: resolveThrough(undefined, Math.min(limits.webhookResolution, timeout * 0.4)),
  acceptAddresses: (answers) => checkAnswers(answers, ownAddresses()),
  port: 443,
  // The authorities that come with Node, and none that a variable adds.
  ca: rootCertificates
})

/** Idle connections are closed with the scope. */
export const makeWebhookSender = Effect.fnUntraced(function* (
  settings: WebhookSenderSettings
): Effect.fn.Return<WebhookSender["Service"], never, Scope.Scope> {
  const trust = secureContextOf(settings.ca)
  const clock = yield* Clock.Clock
  const now = () => monotonicMilliseconds(clock)
  const sessions = makeTlsSessions(now)
  const idle = yield* Effect.acquireRelease(
    Effect.sync(() => makeIdleConnections(now)),
    (idle) => Effect.sync(() => idle.end())
  )
  const sweeping = Schedule.spaced(limits.webhookConnectionIdle / 2)
  yield* Effect.forkScoped(Effect.repeat(Effect.sync(idle.sweep), sweeping))
  /** Every socket is closed with the scope of the caller, wherever an interruption falls. */
  const connectionTo = Effect.fnUntraced(function* (host: string, addresses: ReadonlyArray<string>) {
    const sockets: Array<Socket> = []
    let connection: Connection | undefined
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        // Whatever the failure was, the next attempt does not depend on a session.
        if (connection?.isClean !== true) sessions.drop(host)
        if (connection === undefined) sockets.forEach((socket) => socket.destroy())
        else idle.release(connection)
      })
    )
    connection = idle.acquire(host, addresses)
    if (connection !== undefined) return connection
    const onBegin = (socket: Socket) => void sockets.push(socket)
    const endpoint = { host, port: settings.port, trust, sessions, clock, onBegin }
    connection = connectionOver(host, yield* connect(endpoint, addresses))
    return connection
  })
  const open = traced("webhooks.connect")(function* (target: string) {
    const { hostname: host, pathname, search } = new URL(target)
    const answers = yield* settings.resolve(host)
    const accepted = settings.acceptAddresses(answers)
    if (Result.isFailure(accepted)) {
      yield* Effect.annotateCurrentSpan("refused", accepted.failure)
      return yield* new WebhookFailure({ fault: "DNS_REJECTED" })
    }
    const connection = yield* connectionTo(host, accepted.success)
    return {
      send: (request: WebhookRequest) =>
        Effect.map(post(connection, `${pathname}${search}`, request), Effect.withSpan("webhooks.post"))
    }
  })
  return { open }
})

const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
