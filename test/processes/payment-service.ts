/**
 * `countersign serve` with a payment provider, as a process for tests: the production layers and the worker of payments, but
 * the provider is the simulated one at the address in `PAYMENT_PROVIDER`, and a pass begins 50 milliseconds after the last.
 * The program itself cannot be configured this way.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Schedule } from "effect"
import { listen } from "../../src/adapters/http-server.ts"
import { production, reportFailure } from "../../src/command-line/production.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { Payments } from "../../src/ports/payments.ts"
import { Service } from "../../src/service.ts"
import { paymentsAt } from "./payment-provider.ts"

const payments = Layer.succeed(Payments, paymentsAt(process.env["PAYMENT_PROVIDER"] ?? ""))

const program = Effect.gen(function* () {
  yield* listen
  yield* Effect.forkScoped(Effect.repeat(paymentPass, Schedule.spaced("50 millis")))
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide(Service.pipe(Layer.provideMerge(payments.pipe(Layer.provideMerge(production))))),
  reportFailure,
  NodeRuntime.runMain
)
