/**
 * Two servers on one Postgres, which open checkouts and capture payments: in each round one of them is killed with -9 while
 * a checkout is opened by both and earlier payments are captured. The provider is another process's, and slow at random.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect, Fiber, Layer, type Scope } from "effect"
import { Service } from "../../src/service.ts"
import { Payments } from "../../src/ports/payments.ts"
import { now } from "../../src/vocabulary/instant.ts"
import type { ProviderAct } from "../../simulator/payments/acts.ts"
import { paymentServiceOfTests } from "../support/built-program.ts"
import { operator, type TestInstallation } from "../support/installation.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { commandOrder, offer, type Order } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { freePort, overSockets, startServer, type ServerProcess } from "../support/server.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, post, RequestOrigin } from "../support/workspace.ts"
import { problemsOf, type PaidAttempt } from "./payment-checks.ts"
import { paymentsAt, startPaymentProvider, type PaymentProviderServer } from "./payment-provider.ts"

export interface KillsResult {
  readonly wrong: ReadonlyArray<string>
  /** Kills after which the provider had a checkout that no process had stored. */
  readonly lostOpenings: number
  /** Kills after which the journal of a payment was behind the provider. */
  readonly lostCaptures: number
  readonly unanswered: number
}

export interface Kills {
  readonly installation: TestInstallation
  readonly rounds: number
  /** From 0 up to 1. */
  readonly random: () => number
}

/** Milliseconds: the most of each wait of the provider, and from the requests to a kill at any moment. */
const providerDelay = 40
const killWithin = 250

export const killDuringPayments = Effect.fnUntraced(function* ({ installation, rounds, random }: Kills) {
  const provider = yield* startPaymentProvider(() => random() * providerDelay)
  const siteUrl = `http://127.0.0.1:${yield* freePort}`
  const environment = { ...installation.environment, SITE_URL: siteUrl, PAYMENT_PROVIDER: provider.origin }
  const session = yield* Effect.orDie(PgConnection.make(installation.connection))
  const start = startServer(environment, paymentServiceOfTests())
  const payments = Layer.succeed(Payments, paymentsAt(provider.origin))
  const here = Service.pipe(Layer.provideMerge(payments.pipe(Layer.provideMerge(operator(environment)))))
  return yield* runRounds({ rounds, random, provider, session, start }).pipe(
    Effect.provide(here),
    Effect.provideService(RequestOrigin, siteUrl)
  )
})

interface Arena extends Pick<Kills, "rounds" | "random"> {
  readonly provider: PaymentProviderServer
  readonly session: PgConnection.PgConnection
  readonly start: Effect.Effect<ServerProcess, never, Scope.Scope>
}

const runRounds = Effect.fnUntraced(function* (arena: Arena) {
  const { rounds, random, provider, session, start } = arena
  const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
  const path = `/organizations/${supplier.organizationId}/recipient-account`
  const { accountId } = createdBody(yield* post(supplier, path))
  yield* perform(provider, { act: "onboard", accountId })
  const servers = [yield* start, yield* start]
  const told = { lostOpenings: 0, lostCaptures: 0, unanswered: 0 }
  const attempts: Array<PaidAttempt> = []
  for (let round = 0; round < rounds; round++) {
    const projectId = yield* agreementWithRecord({ buyer, supplier })
    const offered = createdBody(yield* offer(supplier, projectId))
    const order: Order = createdBody(yield* commandOrder(buyer, offered, "approve"))
    const pay = commandOrder(buyer, order, "payments", { requestId: uuid() })
    const victim = random() < 0.5 ? 0 : 1
    const [last, beforeLast] = attempts.slice(-2).toReversed()
    if (last !== undefined) yield* perform(provider, { act: "pay", commerceOrderId: last.commerceOrderId })
    if (beforeLast !== undefined) {
      yield* perform(provider, { act: "refund", commerceOrderId: beforeLast.commerceOrderId, amountMinor: 1 + round })
    }
    yield* makeDue(session)
    const opened = provider.openings()
    // In half of the rounds both servers get the same request.
    const asked = servers.filter((_, index) => index === victim || random() < 0.5)
    const requests = yield* Effect.forEach(asked, ({ origin }) =>
      Effect.forkChild(Effect.provide(pay, overSockets(origin)))
    )
    yield* momentOf(arena, opened)
    servers[victim]!.child.kill("SIGKILL")
    yield* Effect.promise(() => servers[victim]!.ended)
    const answers = yield* Effect.forEach(requests, Fiber.await)
    told.unanswered += answers.filter(({ _tag }) => _tag === "Failure").length
    const behind = yield* stateOf(session, order)
    const hasPurchase = provider.provider.state.purchases.some(
      ({ request }) => request.commerceOrderId === behind.commerceOrderId
    )
    if (hasPurchase && behind.checkoutId === null) told.lostOpenings += 1
    if (last !== undefined && (yield* problemsOf(session, provider.provider, last)).length > 0) told.lostCaptures += 1
    servers[victim] = yield* start
    const replayed = createdBody(yield* Effect.provide(pay, overSockets(servers[random() < 0.5 ? 0 : 1]!.origin)))
    attempts.push({ resultOrderId: order.resultOrderId, commerceOrderId: replayed.attempts[0].commerceOrderId })
    yield* untilSettled(arena, attempts.at(-1)!, last)
  }
  const wrong: Array<string> = []
  yield* makeDue(session)
  for (const attempt of attempts) {
    yield* untilCaptured(arena, attempt)
    wrong.push(...(yield* problemsOf(session, provider.provider, attempt)))
  }
  return { ...told, wrong } satisfies KillsResult
})

/** A random moment; mostly one at which an opening has begun. */
const momentOf = Effect.fnUntraced(function* ({ provider, random }: Arena, opened: number) {
  if (random() < 0.25) return yield* Effect.sleep(random() * killWithin)
  for (let waited = 0; waited < 4 * killWithin && provider.openings() === opened; waited += 5) yield* Effect.sleep(5)
  yield* Effect.sleep(random() * 3 * providerDelay)
})

const perform = Effect.fnUntraced(function* ({ provider }: PaymentProviderServer, act: ProviderAct) {
  const performed = provider.perform(act, yield* now)
  if (performed._tag === "Failure") throw new Error(performed.failure.reason)
})

/** Every attempt is due, and no lease is left, as if time had passed. */
const makeDue = (session: PgConnection.PgConnection) =>
  Effect.orDie(
    session.query("update commerce_orders set due_at = now(), leased_until = now() where due_at < '9999-01-01'")
  )

const stateOf = Effect.fnUntraced(function* (session: PgConnection.PgConnection, { resultOrderId }: Order) {
  const [row] = yield* Effect.orDie(
    session.queryValues("select commerce_order_id, checkout_id from commerce_orders where result_order_id = $1", [
      PgTypes.text(resultOrderId)
    ])
  )
  return { commerceOrderId: row?.[0] ?? null, checkoutId: row?.[1] ?? null }
})

/** Waits until the new attempt is open and the paid one is captured; the checks report what never is. */
const untilSettled = Effect.fnUntraced(function* (arena: Arena, opened: PaidAttempt, paid: PaidAttempt | undefined) {
  const { session } = arena
  for (let asked = 0; asked < 300; asked++) {
    const { checkoutId } = yield* stateOf(session, { ...opened, termsDigest: "", financialHead: "" })
    if (checkoutId !== null) break
    if (asked % 20 === 0) yield* makeDue(session)
    yield* Effect.sleep(50)
  }
  if (paid !== undefined) yield* untilCaptured(arena, paid)
})

const untilCaptured = Effect.fnUntraced(function* ({ session, provider }: Arena, attempt: PaidAttempt) {
  for (let asked = 0; asked < 300; asked++) {
    if ((yield* problemsOf(session, provider.provider, attempt)).length === 0) return
    if (asked % 20 === 0) yield* makeDue(session)
    yield* Effect.sleep(50)
  }
})
