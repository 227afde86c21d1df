/** Runs the blocks of `paying.md`, as its reader does, and compares the operating page with what the service does. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderAct } from "../../simulator/payments/acts.ts"
import { requestStatus } from "../support/commerce-status.ts"
import { installationOn } from "../support/installation.ts"
import { blocksOf, checkout, missingCommands, runInOneShell } from "../support/learning-pages.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { exportRecord, paid, payableResult } from "../support/orders.ts"
import { freePort } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { serveOnSocket } from "../support/socket-service.ts"
import { eventsAfter } from "../support/stripe/notifications.ts"
import { openedAttempt, performAt } from "../support/stripe/payments.ts"
import { commerceOrderId } from "../support/stripe/requests.ts"
import { startStripeServer, testKey } from "../support/stripe/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const [key, files, simulated, ...others] = blocksOf("paying.md") as [string, string, string]
const operating = fs.readFileSync(path.join(root, "docs/operating/running.md"), "utf8")

it("Every block of paying.md is one that a test runs.", () => {
  assert.isEmpty(others)
  const page = fs.readFileSync(path.join(root, "docs/learning/paying.md"), "utf8")
  assert.lengthOf(page.match(/^```/gm) ?? [], 2 * 3)
})

it.live.skipIf(missingCommands().length > 0)(
  "The first block of paying.md finds that Stripe takes the key of its test mode.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const stripe = yield* startStripeServer()
        const { environment } = yield* installationOn(yield* freshService)
        const port = String(yield* freePort)
        const settings = { ...environment, PORT: port, STRIPE_API_ORIGIN: stripe.origin, STRIPE_SECRET_KEY: testKey }
        const { code, output } = yield* runInOneShell(yield* checkout, settings, [key])
        assert.strictEqual(code, 0, output)
        assert.match(output, /^ok +STRIPE_SECRET_KEY: Stripe takes the key, which is one of its TEST mode$/m)
      })
    )
)

it.live.skipIf(missingCommands().length > 0)(
  "The second block of paying.md proves the status of a saved Commerce Record (needs curl).",
  () =>
    Effect.gen(function* () {
      const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
      const folder = yield* checkout
      const save = (name: string, { text }: { readonly text: string }) =>
        fs.writeFileSync(path.join(folder, name), text)
      save("commerce-record.json", yield* exportRecord(buyer, commerceOrderId))
      save("commerce-status.json", yield* requestStatus(buyer, commerceOrderId))
      const { code, output } = yield* runInOneShell(folder, { SITE: yield* serveOnSocket }, [files])
      assert.strictEqual(code, 0, output)
      const { verdict, currentStatus, commerce } = JSON.parse(output)
      assert.deepStrictEqual([verdict, currentStatus.outcome], ["VERIFIED_WITH_LIMITATIONS", "PROVEN"])
      assert.lengthOf(commerce.status.components, 6)
    }).pipe(Effect.scoped, Effect.provide(memoryTestService))
)

it.live.skipIf(missingCommands().length > 0)("The third block of paying.md runs a scenario without Stripe.", () =>
  Effect.gen(function* () {
    const { code, output } = yield* runInOneShell(root, {}, [simulated])
    assert.strictEqual(code, 0, output)
    assert.include(output, "A saved Commerce Record is asked what has become of it")
  })
)

it.live("The operating page names an event of each act at Stripe that can change a payment, at its endpoint.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const eventsOf = (endpoint: string): ReadonlyArray<string> => {
        const row = operating.split("\n").find((line) => line.startsWith(`| ${endpoint} | `)) ?? assert.fail(endpoint)
        return [...row.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, type]) => type!)
      }
      const ofPlatform = eventsOf("of the platform's own account")
      const ofAccounts = eventsOf("of connected accounts")
      const { server, accountId } = yield* openedAttempt()
      const acts: ReadonlyArray<ProviderAct> = [
        { act: "decline", commerceOrderId },
        { act: "pay", commerceOrderId },
        { act: "refund", commerceOrderId, amountMinor: 5 },
        { act: "failRefund", commerceOrderId },
        { act: "dispute", commerceOrderId },
        { act: "closeDispute", commerceOrderId, status: "won" },
        { act: "reverseTransfer", commerceOrderId, amountMinor: 5 },
        { act: "payOut", accountId },
        { act: "failPayout", accountId }
      ]
      for (const act of acts) {
        performAt(server, act)
        const events = eventsAfter(server, act, server.now())
        const isTold = events.some(({ type, account }) =>
          (account === undefined ? ofPlatform : ofAccounts).includes(type)
        )
        assert.isTrue(isTold, act.act)
      }
      assert.include(ofPlatform, "checkout.session.expired")
    })
  )
)

it("The operating page lists exactly the metrics of payments.", () => {
  const metrics = fs.readFileSync(path.join(root, "src/commerce/metrics.ts"), "utf8")
  const named = [...metrics.matchAll(/"(countersign_payment_\w+)"/g)].map(([, name]) => name)
  const listed = [...operating.matchAll(/^\| `(countersign_payment_\w+)/gm)].map(([, name]) => name)
  assert.isAtLeast(named.length, 7)
  assert.sameMembers(listed, named)
})
