/** The simulated payment provider behind HTTP on loopback: it survives the kills of the processes that ask it. */
import * as http from "node:http"
import type * as net from "node:net"
import { once } from "node:events"
import { Effect, Result, type Scope } from "effect"
import { simulatedPayments, SimulatedProvider } from "../../simulator/payments/layer.ts"
import { failedReadback } from "../../src/ports/payment-readback.ts"
import {
  NotificationInvalid,
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider
} from "../../src/ports/payments.ts"

/** The calls of the port that a process can send. */
const calls = ["openRecipientAccount", "readRecipientAccount", "openCheckout", "readBack"] as const
type Call = (typeof calls)[number]

type Answer = { readonly value: unknown } | { readonly refused: string } | { readonly unavailable: string }

export interface PaymentProviderServer {
  readonly provider: SimulatedProvider
  readonly origin: string
  /** The openings that have begun. */
  readonly openings: () => number
}

/** Each call waits up to so many milliseconds before its effect, and again before its answer. */
export const startPaymentProvider = (delay: () => number): Effect.Effect<PaymentProviderServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const provider = new SimulatedProvider()
    let openings = 0
    const server = http.createServer((request, response) => {
      // A killed process closes its connection.
      request.on("error", () => {})
      response.on("error", () => {})
      if (request.url === "/openCheckout") openings += 1
      answer(simulatedPayments(provider), request, delay).then(
        (answered) => response.end(JSON.stringify(answered)),
        () => response.writeHead(500).end()
      )
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () => Effect.sync(() => (server.close(), server.closeAllConnections()))
    )
    return {
      provider,
      openings: () => openings,
      origin: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
    }
  })

const answer = async (
  payments: PaymentProvider,
  request: http.IncomingMessage,
  delay: () => number
): Promise<Answer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const sent = JSON.parse(Buffer.concat(chunks).toString("utf8"))
  const call = calls.find((name) => request.url === `/${name}`)
  if (call === undefined) throw new Error(`no call has the path ${request.url}`)
  await pause(delay())
  // A process sends what it gave to the port, so that the arguments are those of the call.
  const perform = payments[call] as (
    ...sent: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, ProviderUnavailable | ProviderRefused>
  const called = perform(...sent)
  const result = await Effect.runPromise(Effect.result(called))
  await pause(delay())
  if (Result.isSuccess(result)) return { value: result.success }
  const { _tag, reason } = result.failure
  return _tag === "ProviderRefused" ? { refused: reason } : { unavailable: reason }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The port of a process that asks the provider at this origin. */
export const paymentsAt = (origin: string): PaymentProvider => {
  const { provider, environment, currencies } = simulatedPayments(new SimulatedProvider())
  const send = <A>(call: Call, ...sent: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: async (signal): Promise<any> => {
        const response = await fetch(`${origin}/${call}`, { method: "POST", body: JSON.stringify(sent), signal })
        return response.json()
      },
      catch: (error) => new ProviderUnavailable({ reason: String(error) })
    }).pipe(
      Effect.flatMap((answered): Effect.Effect<A, ProviderUnavailable | ProviderRefused> => {
        if ("refused" in answered) return Effect.fail(new ProviderRefused({ reason: answered.refused }))
        return "value" in answered
          ? Effect.succeed(answered.value)
          : Effect.fail(new ProviderUnavailable({ reason: answered.unavailable }))
      })
    )
  return {
    kind: "PROVIDER",
    provider,
    environment,
    currencies,
    openRecipientAccount: (...sent) => send("openRecipientAccount", ...sent),
    readRecipientAccount: (...sent) => send("readRecipientAccount", ...sent),
    openCheckout: (request) => send("openCheckout", request),
    readBack: (request) =>
      Effect.catch(send("readBack", request), () => Effect.succeed(failedReadback("PROVIDER_UNAVAILABLE"))),
    authenticate: () => Effect.fail(new NotificationInvalid({ reason: "this provider sends none" }))
  }
}
