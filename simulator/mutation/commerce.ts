/** Mutants of Result Orders, payment attempts, their journals and Commerce Records. */
import type { Mutant } from "./mutant.ts"

export const commerceMutants: ReadonlyArray<Mutant> = [
  {
    name: "readback-without-fence",
    says: "A readback is written although the attempt changed after it began.",
    file: "src/commerce/capture-attempt.ts",
    text: 'if (row === undefined || row.captureRevision !== captureRevision) return "DISCARDED"',
    becomes: 'if (row === undefined || row.captureRevision < captureRevision) return "DISCARDED"',
    killedBy: ["journals state observed facts", "every journal verifies"],
    scenarios: ["races/two-readbacks"]
  },
  {
    name: "observation-time-after-answer",
    says: "An observation is dated when the provider's answer arrived, and not when the provider was asked.",
    file: "src/commerce/capture-attempt.ts",
    text: [
      "  const startedAt = yield* currentTime",
      "  const { checkoutId, binding, observations } = attempt",
      "  const readback = yield* payments.readBack({ checkoutId, binding, known: observations })"
    ].join("\n"),
    becomes: [
      "  const { checkoutId, binding, observations } = attempt",
      "  const readback = yield* payments.readBack({ checkoutId, binding, known: observations })",
      "  const startedAt = yield* currentTime"
    ].join("\n"),
    killedBy: ["journals state observed facts"],
    scenarios: ["races/payment-while-the-provider-is-slow"],
    needs: "payments slow"
  },
  {
    name: "release-by-clock",
    says: "An attempt is released when the hour of its checkout has passed, whatever the provider says.",
    file: "src/commerce/attempt.ts",
    text: 'if (attempt.checkoutId !== null) return attempt.state === "OPENING" ? { state: "OPEN" } : undefined',
    becomes: [
      'if (attempt.checkoutId !== null && now >= attempt.expiresAt) return { state: "RELEASED", reason: "CHECKOUT_EXPIRED" }',
      '  if (attempt.checkoutId !== null) return attempt.state === "OPENING" ? { state: "OPEN" } : undefined'
    ].join("\n"),
    killedBy: ["one payment per order"],
    scenarios: ["races/expiry-while-the-provider-is-down"],
    needs: "payments down"
  },
  {
    name: "release-with-unread-payment",
    says: "An attempt is released at the end of its checkout, although its payment was not read.",
    file: "src/commerce/attempt.ts",
    text: "const mayStillPay = !attempt.isPaymentRead || payments",
    becomes: "const mayStillPay = payments",
    killedBy: ["one payment per order"],
    scenarios: ["races/payment-unread-at-expiry"],
    needs: "component unread"
  },
  {
    name: "source-over-head-after-opening",
    says: "The source digest of an attempt is over the head with its opening, and so is its record.",
    file: "src/commerce/new-attempt.ts",
    text: "const record = resultOrderPayload(order, { commerceOrderId,",
    becomes: "const record = resultOrderPayload(after.order, { commerceOrderId,",
    killedBy: ["result orders move as agreed"],
    scenarios: ["races/two-payments-of-an-order"]
  },
  {
    name: "label-without-account",
    says: "A payment to another account is labelled as the payment of the order.",
    file: "src/commerce/labels.ts",
    text: "    payment.recipientAccount === binding.recipientAccount &&\n",
    becomes: "",
    killedBy: ["one payment per order", "result orders move as agreed"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "wrong account"
  },
  {
    name: "label-without-amount",
    says: "A payment of another sum is labelled as the payment of the order.",
    file: "src/commerce/labels.ts",
    text: "      (sum) => sum === binding.amountMinor",
    becomes: "      (sum) => sum >= binding.amountMinor",
    killedBy: ["one payment per order", "result orders move as agreed"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "wrong amount"
  },
  {
    name: "label-without-currency",
    says: "A payment in another currency is labelled as the payment of the order.",
    file: "src/commerce/labels.ts",
    text: "    payment.currency === binding.currency &&\n",
    becomes: "",
    killedBy: ["one payment per order", "result orders move as agreed"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "wrong currency"
  },
  {
    name: "label-without-reference",
    says: "The payment of another attempt is labelled as the payment of this one.",
    file: "src/commerce/labels.ts",
    text: "    payment.commerceOrderId === binding.commerceOrderId &&\n",
    becomes: "",
    killedBy: ["one payment per order", "result orders move as agreed"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "wrong reference"
  },
  {
    name: "label-refund-of-another-charge",
    says: "A refund is labelled whatever its state and charge are.",
    file: "src/commerce/labels.ts",
    text: 'return isVerifiedRefund(binding, entry.facts, established) ? "PROVIDER_VERIFIED_REFUND" : null',
    becomes: 'return entry.entity === established.chargeId ? "PROVIDER_VERIFIED_REFUND" : null',
    killedBy: ["a journal head has one record"],
    scenarios: ["races/readbacks-after-a-refund"]
  },
  {
    name: "sign-head-again",
    says: "A later export of a head signs its record again.",
    file: "src/commerce/export.ts",
    text: "  if (exported !== undefined) return fileOf(exported)\n",
    becomes: [
      "  if (exported !== undefined) {",
      '    return fileOf({ ...exported, record: yield* signOrRefuse("COMMERCE", commerceRecordPayload(',
      "      parseCanonical(row.binding), [], (yield* Signer).keys, now)) })",
      "  }",
      ""
    ].join("\n"),
    killedBy: ["a journal head has one record"],
    scenarios: ["races/capture-and-export"]
  },
  {
    name: "capture-unchanged-facts",
    says: "Every readback adds an entry for each entity, whether or not its facts changed.",
    file: "src/commerce/capture.ts",
    text: "return before === undefined || canonicalText(before.facts) !== canonicalText(one.facts)",
    becomes: "return before === undefined || before.facts !== one.facts",
    killedBy: ["every journal verifies"],
    scenarios: ["races/two-readbacks"]
  },
  {
    name: "second-live-attempt",
    says: "A second payment attempt opens beside one that can still be paid.",
    file: "src/commerce/conditions.ts",
    text: "const live = attempts.find(({ state }) => isLiveAttempt(state))",
    becomes: 'const live = attempts.find(({ state }) => isLiveAttempt(state) && state !== "OPEN")',
    killedBy: ["one payment per order", "result orders move as agreed", "available actions are accurate"],
    scenarios: ["races/two-payments-of-an-order"]
  },
  {
    name: "export-without-authority-check",
    says: "The authority of an export is not checked again in the transaction that signs.",
    file: "src/commerce/export.ts",
    text: "    yield* requireReader(transaction, by, membershipId, row.projectId)\n",
    becomes: "",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/export-and-membership-end"]
  },
  {
    name: "pay-before-approval",
    says: "An order that the buyer has not approved can be paid.",
    file: "src/commerce/moves.ts",
    text: '    from: ["APPROVED", "PAYING"],',
    becomes: '    from: ["OFFERED", "APPROVED", "PAYING"],',
    killedBy: ["result orders move as agreed"],
    scenarios: ["races/order-approval-and-withdrawal"]
  },
  {
    name: "approve-on-stale-financial-head",
    says: "A command on an earlier financial head is committed.",
    file: "src/commerce/guards.ts",
    text: "  return named.financialHead === current.financialHead ? undefined : refusal(",
    becomes: "  return named.financialHead.length === 64 ? undefined : refusal(",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/order-approval-and-withdrawal"]
  },
  {
    name: "withdraw-only-offered-order",
    says: "An approved order cannot be withdrawn.",
    file: "src/commerce/moves.ts",
    text: '    from: ["OFFERED", "APPROVED", "PAYING"],\n    to: "WITHDRAWN"',
    becomes: '    from: ["OFFERED", "PAYING"],\n    to: "WITHDRAWN"',
    killedBy: ["stop is always available"],
    scenarios: ["races/faults-of-an-opening"]
  },
  {
    name: "offer-by-any-member",
    says: "The supplier's colleagues without its representation move its orders.",
    file: "src/commerce/financial-side.ts",
    text: 'side === "BUYER" || membership.personId === row.supplierActorId',
    becomes: 'side === "BUYER" || membership.personId !== ""',
    killedBy: ["result orders move as agreed", "available actions are accurate"],
    scenarios: ["races/orders-of-unauthorized-members"]
  },
  {
    name: "manage-with-reading-authority",
    says: "A member who may only read payments can approve and pay an order.",
    file: "src/commerce/financial-side.ts",
    text: 'return isRepresentative && holds(membership, "FINANCIAL_MANAGE", now) ? side : undefined',
    becomes: 'return isRepresentative && holds(membership, "FINANCIAL_READ", now) ? side : undefined',
    killedBy: ["result orders move as agreed"],
    scenarios: ["races/orders-of-unauthorized-members"]
  },
  {
    name: "release-unknown-checkout-at-expiry",
    says: "An attempt of which no checkout was learned is released at its expiry, when its payment may have begun.",
    file: "src/commerce/attempt.ts",
    text: "addMilliseconds(attempt.expiresAt, limits.checkoutUnknown)",
    becomes: "attempt.expiresAt",
    killedBy: ["one payment per order"],
    scenarios: ["races/lost-opening-until-expiry"],
    needs: "opening lost"
  },
  {
    name: "release-unanswered-opening",
    says: "An attempt is released when the provider does not answer its opening.",
    file: "src/commerce/opening.ts",
    text: "return { changes: { failures: row.failures + 1 }, outcome: undefined }",
    becomes:
      'return { changes: { failures: row.failures + 1 }, outcome: { state: "RELEASED", reason: "CHECKOUT_NOT_OPENED" } as AttemptOutcome }',
    killedBy: ["one payment per order"],
    scenarios: ["races/crash-around-opening"],
    needs: "opening lost"
  },
  {
    name: "lock-order-before-authorization",
    says: "The project of an order is locked before the person is known to be a party.",
    file: "src/commerce/export.ts",
    text: "const { row, membershipId, exported } = yield* inView((reader) => findExport(reader, by, commerceOrderId, now))",
    becomes: [
      "const named = yield* inView((reader) => reader.get(CommerceOrders, [commerceOrderId]))",
      '  if (named !== undefined) yield* inTransaction({ locks: [exclusive("project", named.projectId)] }, (transaction) => transaction.now)',
      "  const { row, membershipId, exported } = yield* inView((reader) => findExport(reader, by, commerceOrderId, now))"
    ].join("\n"),
    killedBy: ["tenant isolation"],
    scenarios: ["races/export-and-membership-end"]
  },
  {
    name: "date-unread-component",
    says: "A component that was not read gets the observation time of those that were.",
    file: "src/commerce/capture.ts",
    text: "lastObservedAt: isRead ? observedAt : (attempt.lastObservedAt[component] ?? null)",
    becomes: "lastObservedAt: isRead ? observedAt : later(attempt.lastObservedAt[component] ?? observedAt, observedAt)",
    killedBy: ["journals state observed facts"],
    scenarios: ["races/component-not-read"],
    needs: "component unread"
  },
  {
    name: "date-refused-readback",
    says: "A readback that the provider refused counts as read.",
    file: "src/commerce/capture.ts",
    text: 'const isRead = read.outcome === "READ"',
    becomes: 'const isRead = read.outcome === "READ" || (read as { reason: string }).reason === "PROVIDER_REFUSED"',
    killedBy: ["journals state observed facts"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "payments refusing"
  },
  {
    name: "guess-unknown-word",
    says: "A payment in an unknown state is captured.",
    file: "src/ports/payment-readback.ts",
    text: '  Option.getOrUndefined(decoders[component](facts, { onExcessProperty: "error" }))',
    becomes:
      '  Option.getOrUndefined(decoders[component](facts, { onExcessProperty: "error" })) ?? (JSON.stringify(facts).includes("RESTING") ? (facts as Facts<C>) : undefined)',
    killedBy: ["every journal verifies"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "unknown word"
  },
  {
    name: "capture-inexact-sum",
    says: "A sum that is no exact integer is captured.",
    file: "src/vocabulary/payment-facts.ts",
    text: "const sum = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))",
    becomes: "const sum = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))",
    killedBy: ["every journal verifies"],
    scenarios: ["races/answers-of-the-payment-provider"],
    needs: "unsafe amount"
  },
  {
    name: "open-refused-checkout",
    says: "An attempt whose checkout was refused is open.",
    file: "src/commerce/opening.ts",
    text: 'const outcome: AttemptOutcome = { state: "RELEASED", reason: "PROVIDER_REFUSED" }',
    becomes: 'const outcome: AttemptOutcome = { state: "OPEN" }',
    killedBy: ["one payment per order"],
    scenarios: ["races/faults-of-an-opening"],
    needs: "opening refused"
  },
  {
    name: "accept-step-back",
    says: "A paid checkout becomes open again.",
    file: "src/commerce/readback-checks.ts",
    text: 'return isBack ? "STEP_BACK" : undefined',
    becomes: 'return isBack && returned === null ? "STEP_BACK" : undefined',
    killedBy: ["journals state observed facts"],
    scenarios: ["races/readbacks-after-a-refund"],
    needs: "stale readback"
  },
  {
    name: "status-expiry-from-signing",
    says: "A status that is signed again is fresh for another hour.",
    file: "src/commerce/commerce-status.ts",
    text: "    components: components.map((component) =>\n      componentStatus(component, source)\n    )",
    becomes: [
      "    components: components.map((component) => ({",
      "      ...componentStatus(component, source), expiresAt: addMilliseconds(now, limits.commerceStatusWindow)",
      "    }))"
    ].join("\n"),
    killedBy: ["every export verifies"],
    scenarios: ["races/notification-and-readback"]
  },
  {
    name: "capture-notification",
    says: "An attempt is paid as soon as a notification names it.",
    file: "src/commerce/notifications.ts",
    text: "      captureRevision: row.captureRevision + 1,",
    becomes: '      captureRevision: row.captureRevision + 1, state: row.state === "OPEN" ? "PAID" : row.state,',
    killedBy: ["notifications are only hints", "one payment per order"],
    scenarios: ["races/notification-and-readback"]
  },
  {
    name: "compare-signature-by-prefix",
    says: "A signature is compared as far as it goes: a part of one is enough.",
    file: "src/canonical/hmac.ts",
    text: 'timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"))',
    becomes: "other.startsWith(one)",
    killedBy: ["notifications are only hints"],
    scenarios: ["races/untrusted-notifications"],
    needs: "notification forged"
  },
  {
    name: "accept-notification-of-the-future",
    says: "A notification is accepted however far its timestamp is ahead.",
    file: "src/ports/payment-notification.ts",
    text: "  Math.abs(receivedAt - sentAt) <=",
    becomes: "  receivedAt - sentAt <=",
    killedBy: ["notifications are only hints"],
    scenarios: ["races/untrusted-notifications"],
    needs: "notification ahead"
  }
]
