/** Callbacks over real sockets: resolve, check, connect, and speak TLS; then one request by undici. */
import type { Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { rootCertificates } from "node:tls"
import { Effect, Layer, Result, Schedule, type Scope } from "effect"
import { CallbackFailed, CallbackSender, type CallbackRequest } from "../../ports/callback-sender.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkAnswers } from "../../webhooks/addresses.ts"
import { CallbackPace } from "../../ports/callback-pace.ts"
import { connect, trusting } from "./connect.ts"
import { connectionOver, post, type Connection } from "./connection.ts"
import { makeIdleConnections } from "./idle.ts"
import { resolveThrough, type Resolve } from "./resolve.ts"

/** What decides where a callback goes. Nothing of it can be configured: only a test has another. */
export interface CallbackSenderSettings {
  readonly resolve: Resolve
  /** The answers to connect to, or why none of them. */
  readonly acceptAddresses: (answers: ReadonlyArray<string>) => Result.Result<ReadonlyArray<string>, string>
  readonly port: number
  /** Certificate authorities, as PEM. */
  readonly ca: ReadonlyArray<string>
}

export const layer = Layer.effect(
  CallbackSender,
  Effect.flatMap(CallbackPace, ({ timeout }) => makeCallbackSender(production(timeout)))
)

/** `timeout` is that of a whole send, in milliseconds: whether a resolver is there at all shows well before it. */
export const production = (timeout: number): CallbackSenderSettings => ({
  resolve: resolveThrough(undefined, Math.min(limits.callbackResolution, timeout * 0.4)),
  acceptAddresses: (answers) => checkAnswers(answers, ownAddresses()),
  port: 443,
  // Those that come with Node, and none that a variable adds.
  ca: rootCertificates
})

/** Its connections that wait for another send end with the scope. */
export const makeCallbackSender = Effect.fnUntraced(function* (
  settings: CallbackSenderSettings
): Effect.fn.Return<CallbackSender["Service"], never, Scope.Scope> {
  const trust = trusting(settings.ca)
  const idle = yield* Effect.acquireRelease(Effect.sync(makeIdleConnections), (idle) => Effect.sync(() => idle.end()))
  const sweeping = Schedule.spaced(limits.callbackConnectionIdle / 2)
  yield* Effect.forkScoped(Effect.repeat(Effect.sync(idle.sweep), sweeping))
  /** Whatever was begun ends with the scope of whoever asked, wherever an interruption falls. */
  const connectionTo = Effect.fnUntraced(function* (host: string, addresses: ReadonlyArray<string>) {
    const begun: Array<Socket> = []
    let connection: Connection | undefined
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (connection === undefined) begun.forEach((socket) => socket.destroy())
        else idle.give(connection)
      })
    )
    connection = idle.take(host, addresses)
    if (connection !== undefined) return connection
    const endpoint = { host, port: settings.port, trust, onBegin: (socket: Socket) => void begun.push(socket) }
    connection = connectionOver(host, yield* connect(endpoint, addresses))
    return connection
  })
  const open = Effect.fn("callbacks.open")(function* (target: string) {
    const { hostname: host, pathname, search } = new URL(target)
    const answers = yield* settings.resolve(host)
    const accepted = settings.acceptAddresses(answers)
    if (Result.isFailure(accepted)) {
      yield* Effect.annotateCurrentSpan("refused", accepted.failure)
      return yield* new CallbackFailed({ fault: "DNS_REJECTED" })
    }
    const connection = yield* connectionTo(host, accepted.success)
    return {
      send: (request: CallbackRequest) =>
        post(connection, `${pathname}${search}`, request).pipe(Effect.withSpan("callbacks.send"))
    }
  })
  return { open }
})

const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
