/** Refusals beside those of a single operation: unrelated tenants, contested results, and a provider that fails. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exportCommerceRecord } from "../../src/commerce/export.ts"
import {
  approveResultOrder,
  declineResultOrder,
  payResultOrder,
  withdrawResultOrder
} from "../../src/commerce/operations.ts"
import { readResultOrder } from "../../src/commerce/reading.ts"
import { openRecipientAccount, readRecipientAccount } from "../../src/commerce/recipient-account.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession } from "../../src/people/sessions.ts"
import { ProviderRefused } from "../../src/ports/payments.ts"
import type { Storage } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { changeAttempt, during, rowOf, withProvider } from "../support/attempts.ts"
import { withCommitFault } from "../support/commit-faults.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { approved, commandOrder, payableResult, paying, readOrder, type Order } from "../support/orders.ts"
import { contest } from "../support/publications.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { outcome, post, read } from "../support/workspace.ts"

const ends: ReadonlyArray<
  readonly [string, (person: SignedInPerson) => Effect.Effect<unknown, unknown, Storage>, RefusalCode]
> = [
  ["session ended", endSession, "SIGN_IN_REQUIRED"],
  ["membership ended", ({ membershipId }: SignedInPerson) => endMembership("OPERATOR", { membershipId }), "FORBIDDEN"]
]

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("refusals of payments %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A finance member of an unrelated tenant is refused with 404 before any transaction begins.", () =>
      Effect.gen(function* () {
        const { order, commerceOrderId } = yield* paying(yield* payableResult)
        // Holds every authority, in an organization of its own.
        const unrelated = yield* signInNewPerson("Una")
        const request = yield* nonIdempotentRequest(unrelated.personId)
        const reasoned = { ...(order as Order), reason: "Not agreed." }
        const refusals = yield* Effect.all([
          Effect.flip(withCommitFault(1, "ROLLED_BACK", declineResultOrder(unrelated, request, reasoned))),
          Effect.flip(withCommitFault(1, "ROLLED_BACK", withdrawResultOrder(unrelated, request, reasoned))),
          Effect.flip(withCommitFault(1, "ROLLED_BACK", approveResultOrder(unrelated, request, order as Order))),
          Effect.flip(withCommitFault(1, "ROLLED_BACK", payResultOrder(unrelated, request, order as Order))),
          Effect.flip(withCommitFault(1, "ROLLED_BACK", exportCommerceRecord(unrelated, commerceOrderId))),
          Effect.flip(readResultOrder(unrelated, order.resultOrderId))
        ])
        for (const { code } of refusals) assert.strictEqual(code, "NOT_FOUND")
      })
    )

    it.effect("A result that was contested after the approval is not paid, and no checkout is opened.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId, order } = yield* approved(yield* payableResult)
        yield* contest({ buyer, supplier, projectId })
        const refused = yield* commandOrder(buyer, order, "payments")
        assert.deepStrictEqual(outcome(refused), [409, "STATE_CONFLICT"])
        assert.include(refused.body.detail, "BUYER_CONFIRMED")
        assert.deepStrictEqual((yield* readOrder(buyer, order)).attempts, [])
      })
    )

    it.effect("While the provider is down or refuses, accounts are 503, and a refused one cannot be paid.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order } = yield* approved(yield* payableResult)
        const path = `/organizations/${supplier.organizationId}/recipient-account`
        for (const [availability, code] of [
          ["DOWN", "TEMPORARILY_UNAVAILABLE"],
          ["REFUSING", "PAYMENTS_NOT_CONFIGURED"]
        ] as const) {
          assert.deepStrictEqual(outcome(yield* during({ availability }, post(supplier, path))), [503, code])
          assert.deepStrictEqual(outcome(yield* during({ availability }, read(supplier, path))), [503, code])
        }
        const refused = yield* during({ availability: "REFUSING" }, commandOrder(buyer, order, "payments"))
        assert.deepStrictEqual(outcome(refused), [409, "RECIPIENT_NOT_PAYABLE"])
        assert.deepStrictEqual((yield* readOrder(buyer, order)).attempts, [])
      })
    )

    it.effect.each(ends)("No checkout is shown to a payer whose %s while the provider opens it.", ([, end]) =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const ending = Effect.provideContext(end(buyer), yield* Effect.context<Storage>())
        const paid = payResultOrder(buyer, yield* nonIdempotentRequest(buyer.personId), order as Order).pipe(
          withProvider(({ openCheckout }) => ({
            openCheckout: (request) => Effect.tap(openCheckout(request), () => Effect.orDie(ending))
          }))
        )
        const { attempts, stored } = yield* paid
        assert.strictEqual(stored.row.state, "PAYING", "what was committed stays")
        assert.deepStrictEqual(
          attempts.map(({ row }) => row.checkoutUrl),
          [null]
        )
      })
    )

    it.effect.each(ends)("No account is shown to a person whose %s while the provider answers.", ([, end, code]) =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Storage>()
        const endingDuring = (operation: typeof readRecipientAccount) =>
          Effect.gen(function* () {
            const { supplier } = yield* payableResult
            const ending = Effect.provideContext(end(supplier), context)
            return yield* operation(supplier, supplier.organizationId).pipe(
              withProvider(({ readRecipientAccount }) => ({
                readRecipientAccount: (...of) =>
                  Effect.map(
                    Effect.tap(readRecipientAccount(...of), () => Effect.orDie(ending)),
                    (account) => ({ ...account, onboardingUrl: "https://provider.test/account" })
                  )
              }))
            )
          })
        assert.strictEqual((yield* Effect.flip(endingDuring(readRecipientAccount))).code, code)
        assert.isNull((yield* endingDuring(openRecipientAccount)).onboardingUrl, "an open account stays open")
      })
    )

    it.effect("A payment at a provider that refuses the installation's key asks for the operator.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const paid = payResultOrder(buyer, yield* nonIdempotentRequest(buyer.personId), order as Order).pipe(
          withProvider(() => ({
            readRecipientAccount: () => Effect.fail(new ProviderRefused({ reason: "401", isKeyRefused: true }))
          }))
        )
        assert.strictEqual((yield* Effect.flip(paid)).code, "PAYMENTS_NOT_CONFIGURED")
        assert.deepStrictEqual((yield* readOrder(buyer, order)).attempts, [])
      })
    )

    it.effect.each([{ provider: "STRIPE" } as const, { environment: "LIVE" } as const])(
      "An installation with %o puts off an attempt of another, without a call of its provider.",
      (installed) =>
        Effect.gen(function* () {
          const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
          yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
          const asked = Effect.die(new Error("the provider is not asked"))
          yield* paymentPass.pipe(withProvider(() => ({ ...installed, readBack: () => asked })))
          const row = yield* rowOf(commerceOrderId)
          assert.deepStrictEqual([row.leaseToken, row.journalCount, row.state], ["", 0, "OPEN"])
          assert.isTrue(row.dueAt > addMilliseconds(yield* now, limits.paymentDeferral - 60_000))
          const open = yield* readOrder(buyer, order)
          const another = yield* Effect.flip(
            payResultOrder(buyer, yield* nonIdempotentRequest(buyer.personId), open as Order).pipe(
              withProvider(() => installed)
            )
          )
          assert.strictEqual(another.code, "PAYMENT_ATTEMPT_OPEN")
        })
    )
  })
})
