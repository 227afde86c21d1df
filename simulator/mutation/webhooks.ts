/** Mutants of webhooks: queueing, the authority of a send, history and verification. */
import type { Mutant } from "./mutant.ts"

export const webhookMutants: ReadonlyArray<Mutant> = [
  {
    name: "no-authority-recheck-after-connect",
    says: "The authority is not checked again between the open connection and the first byte.",
    file: "src/webhooks/first-byte.ts",
    text: "return (yield* refusalOf(reader, row, event.projectId, now)) ?? row",
    becomes: "return row",
    killedBy: ["no send without live authority"],
    scenarios: ["races/revocation-between-lookup-and-send"]
  },
  {
    name: "judge-batch-by-first-send",
    says: "All sends of a batch are judged by the authority of its first one.",
    file: "src/webhooks/first-byte.ts",
    text: "sends.map((one, index) => judge(transaction, one, rows[index], now))",
    becomes: [
      "sends.map((_, index) =>",
      '      Effect.map(judge(transaction, sends[0]!, rows[0], now), (first) => typeof first === "string" ? first : rows[index]!)',
      "    )"
    ].join("\n"),
    killedBy: ["no send without live authority"],
    scenarios: ["races/revocation-inside-a-batch"],
    needs: "receiver stalled handshake"
  },
  {
    name: "first-byte-before-commit",
    says: "A webhook is sent before the transaction that records its attempt.",
    file: "src/webhooks/send.ts",
    text: "  const recorded = yield* steps.record({ send, plan })\n",
    becomes: `  yield* flight.begin(connection, { headers: { "service-delivery-id": send.deliveryId }, body: "{}" })
  const recorded = yield* steps.record({ send, plan })
`,
    killedBy: ["no send without live authority"],
    scenarios: ["races/worker-shutdown-during-send"]
  },
  {
    name: "remove-sent-attempts",
    says: "An attempt without a result is removed although its request was sent.",
    file: "src/webhooks/send.ts",
    text: "return this.#hasBegun ? undefined : this.#recorded",
    becomes: "return this.#recorded",
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/worker-shutdown-during-send"],
    needs: "receiver stalled response"
  },
  {
    name: "queue-while-paused",
    says: "Events are queued for a paused subscription and sent once it is resumed.",
    file: "src/webhooks/change.ts",
    text: [
      "      yield* stopListeningAnywhere(transaction, row)",
      "      // Clearing the lease token fences off a worker that has just claimed the subscription."
    ].join("\n"),
    becomes: "",
    killedBy: ["event is queued once per active subscription"],
    scenarios: ["races/subscription-pause-and-commit"]
  },
  {
    name: "queue-nothing-after-resume",
    says: "A resumed subscription gets no event that is committed after the resumption was acknowledged.",
    file: "src/webhooks/change.ts",
    text: "if (side === undefined) continue",
    becomes: "if (side !== undefined) continue",
    killedBy: ["event is queued once per active subscription"],
    scenarios: ["races/subscription-resumption-and-commit"]
  },
  {
    name: "skip-first-event",
    says: "A new subscription begins one event too late.",
    file: "src/webhooks/create.ts",
    text: "{ subscriptionId, projectId, numberedThrough })",
    becomes: "{ subscriptionId, projectId, numberedThrough: numberedThrough + 1 })",
    killedBy: ["event is queued once per active subscription"],
    scenarios: ["races/subscription-and-commit"]
  },
  {
    name: "queue-after-revocation",
    says: "Events after the revocation of an agent are queued for it until a worker has ended its subscription.",
    file: "src/webhooks/fan-out.ts",
    text: ".filter(({ committedAt }) => endedAt === undefined || committedAt < endedAt)",
    becomes: "",
    killedBy: ["event is queued once per active subscription"],
    scenarios: ["races/revocation-and-event"]
  },
  {
    name: "quota-slot-for-replay",
    says: "A replayed request for a subscription takes another quota slot.",
    file: "src/webhooks/create.ts",
    text: [
      "    if (yield* isReplay(earlier, request)) return { again: earlier!.target }",
      "    yield* checkEnd(input.expiresAt, now)",
      "    yield* takeQuotaSlot(transaction, by.owner, { subscriptionId, endsAt: input.expiresAt }, now)"
    ].join("\n"),
    becomes: [
      "    yield* checkEnd(input.expiresAt, now)",
      "    yield* takeQuotaSlot(transaction, by.owner, { subscriptionId, endsAt: input.expiresAt }, now)",
      "    if (yield* isReplay(earlier, request)) return { again: earlier!.target }"
    ].join("\n"),
    killedBy: ["reads and refusals write nothing"],
    scenarios: ["races/subscription-created-once"]
  },
  {
    name: "drop-unnumbered-event",
    says: "An event that could not be numbered for a subscription, because the store failed, counts as numbered.",
    file: "src/webhooks/fan-out.ts",
    text: "const done = due.filter((event) => !event.subscriptionIds.some((id) => left.has(id)))",
    becomes: "const done = due",
    killedBy: ["event is queued once per active subscription"],
    scenarios: ["races/store-failures-of-a-worker"],
    needs: "database 57014"
  },
  {
    name: "no-wake-up-for-retry",
    says: "After a failed attempt the subscription is not scheduled again until another event of it.",
    file: "src/webhooks/settle.ts",
    text: "[...others.map(claimableAt), ...dues.values()]",
    becomes: "others.map(claimableAt)",
    killedBy: ["due delivery is attempted"],
    scenarios: ["races/receiver-answers"]
  },
  {
    name: "skip-one-after-checkpoint",
    says: "A reader that continues a history from a checkpoint misses one delivery.",
    file: "src/webhooks/history.ts",
    text: "after: [start],",
    becomes: "after: [after === undefined ? start : start + 1],",
    killedBy: ["delivery history lists each delivery once"],
    scenarios: ["races/history-reader-and-commits"]
  },
  {
    name: "sign-event-only",
    says: "A webhook is signed over its event and not over the sent bytes.",
    file: "src/webhooks/first-byte.ts",
    text: "timestamp: String(timestamp) }, body)",
    becomes: "timestamp: String(timestamp) }, event.event)",
    killedBy: ["webhook signatures are valid"],
    scenarios: ["races/worker-takeover"]
  },
  {
    name: "redelivery-steals-lease",
    says: "A redelivery request for a webhook in flight takes it from the worker that sends it.",
    file: "src/webhooks/redeliver.ts",
    text: [
      '  if (state === "PENDING") return {}',
      '  if (state === "CANCELLED") {',
      '    return yield* refuse("STATE_CONFLICT", {',
      '      detail: "The delivery is cancelled because the authority behind it has ended."',
      "    })",
      "  }",
      '  if (totalAttempts >= limits.webhookAttemptsTotal) return yield* refuse("REDELIVERY_LIMIT")',
      '  const queued = { state: "PENDING" as const, scheduledAttempts: 0, dueAt: now }'
    ].join("\n"),
    becomes:
      '  const queued = { state: "PENDING" as const, scheduledAttempts: 0, dueAt: now, leasedUntil: now, leaseToken: "" }',
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/redelivery-during-attempt"],
    needs: "receiver stalled response"
  },
  {
    name: "verify-only-once",
    says: "A verified webhook is unknown afterwards, so that it cannot be verified again.",
    file: "src/webhooks/verify.ts",
    text: 'if (sent === undefined) return yield* refuse("WEBHOOK_EVENT_UNKNOWN")',
    becomes: [
      'if (sent === undefined) return yield* refuse("WEBHOOK_EVENT_UNKNOWN")',
      '  const locks = [{ kind: "subscription", id: subscriptionId, mode: "exclusive" }] as const',
      '  const storage = (yield* Effect.context<any>()).mapUnsafe.get("countersign/ports/Storage")',
      "  yield* storage.transaction({ locks }, (transaction) =>",
      "    Effect.flatMap(",
      '      transaction.range(WebhookAttempts, "key", { prefix: [sent.deliveryId], limit: 1, direction: "descending" }),',
      "      ([last]) =>",
      '        transaction.update(WebhookAttempts, [sent.deliveryId, last!.attempt, last!.at], { envelopeDigest: "" })',
      "    )",
      "  )"
    ].join("\n"),
    killedBy: ["sent webhooks verify"],
    scenarios: ["races/duplicate-verification"],
    needs: "receiver duplicate"
  },
  {
    name: "verify-only-newest",
    says: "A webhook is unknown once a newer one was queued for its subscription.",
    file: "src/webhooks/verify.ts",
    text: "if (attempt === undefined) return undefined",
    becomes: [
      'const newest = { prefix: [subscriptionId], limit: 1, direction: "descending" } as const',
      '      const [last] = yield* reader.range(WebhookDeliveries, "byNumber", newest)',
      "      if (attempt === undefined || attempt.deliveryId !== last?.deliveryId) return undefined"
    ].join("\n"),
    killedBy: ["sent webhooks verify"],
    scenarios: ["races/late-verification"],
    needs: "receiver reordered"
  }
]
