/** Mutants of webhooks: queueing, the authority of a send, history and verification. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfCallbacks: ReadonlyArray<Mutant> = [
  {
    name: "skip-the-recheck-after-connecting",
    says: "The authority is not checked again between the open connection and the first byte.",
    file: "src/webhooks/attempt.ts",
    text: "const refusal = yield* refusalOf(transaction, row, event.projectId, now)",
    becomes: "const refusal: Refusal | undefined = undefined",
    noticedBy: ["no send without live authority"],
    scenarios: ["173-revoked-during-a-handshake", "131-revoked-between-a-look-up-and-a-send"],
    needs: "receiver stalls the handshake"
  },
  {
    name: "listen-while-paused",
    says: "Events are queued for a paused subscription and sent once it is resumed.",
    file: "src/webhooks/change.ts",
    text: [
      "      yield* stopListeningAnywhere(transaction, row)",
      "      // A worker that has just claimed it takes nothing of it."
    ].join("\n"),
    becomes: "",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["133-paused-beside-a-commit"]
  },
  {
    name: "resume-and-hear-nothing",
    says: "A resumed subscription gets no event that is committed after the resumption was acknowledged.",
    file: "src/webhooks/change.ts",
    text: "if (side !== undefined) yield* listen(transaction, row, projectId, side)",
    becomes: "if (side === undefined) yield* listen(transaction, row, projectId, side)",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["134-resumed-beside-a-commit"]
  },
  {
    name: "miss-the-first-event",
    says: "A new subscription begins one event too late.",
    file: "src/webhooks/create.ts",
    text: "{ subscriptionId, projectId, numberedThrough })",
    becomes: "{ subscriptionId, projectId, numberedThrough: numberedThrough + 1 })",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["132-a-subscription-beside-a-commit"]
  },
  {
    name: "queue-past-the-end",
    says: "Events after the revocation of an agent are queued for it until a worker has ended its subscription.",
    file: "src/webhooks/fan-out.ts",
    text: ".filter(({ committedAt }) => endedAt === undefined || committedAt < endedAt)",
    becomes: "",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["167-revoked-beside-an-event"]
  },
  {
    name: "take-a-place-for-a-replay",
    says: "A replayed request for a subscription takes another quota slot.",
    file: "src/webhooks/create.ts",
    text: [
      "      if (yield* isReplay(earlier, request)) return { again: earlier!.target }",
      "      yield* checkEnd(input.expiresAt, now)",
      "      yield* takePlace(transaction, by.owner, { subscriptionId, endsAt: input.expiresAt }, now)"
    ].join("\n"),
    becomes: [
      "      yield* checkEnd(input.expiresAt, now)",
      "      yield* takePlace(transaction, by.owner, { subscriptionId, endsAt: input.expiresAt }, now)",
      "      if (yield* isReplay(earlier, request)) return { again: earlier!.target }"
    ].join("\n"),
    noticedBy: ["reads write nothing"],
    scenarios: ["165-subscribed-once"]
  },
  {
    name: "forget-what-could-not-be-numbered",
    says: "An event that could not be numbered for a subscription, because the store failed, counts as numbered.",
    file: "src/webhooks/fan-out.ts",
    text: "const done = due.filter((event) => !event.subscriptionIds.some((id) => left.has(id)))",
    becomes: "const done = due",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["166-a-store-that-fails-a-worker"],
    needs: "database 57014"
  },
  {
    name: "forget-to-look-again",
    says: "After a failed attempt the subscription is not scheduled again until another event of it.",
    file: "src/webhooks/settle.ts",
    text: "const next = [...others, ...[...dues.values()].map((dueAt) => ({ dueAt }))]",
    becomes: "const next = others",
    noticedBy: ["a due delivery moves on"],
    scenarios: ["158-what-a-receiver-makes-of-it"]
  },
  {
    name: "skip-one-behind-a-place",
    says: "A reader that continues a history from a checkpoint misses one delivery.",
    file: "src/webhooks/history.ts",
    text: 'after: [start, "~"],',
    becomes: 'after: [after === undefined ? start : start + 1, "~"],',
    noticedBy: ["a reader sees every delivery once"],
    scenarios: ["121-cursor-race"]
  },
  {
    name: "sign-the-event-alone",
    says: "A webhook is signed over its event and not over the sent bytes.",
    file: "src/webhooks/attempt.ts",
    text: "signatureOf(secret, String(timestamp), body)",
    becomes: "signatureOf(secret, String(timestamp), event.event)",
    noticedBy: ["callbacks verify from the first byte"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "take-over-at-a-redelivery",
    says: "A redelivery request for a webhook in flight takes it from the worker that sends it.",
    file: "src/webhooks/redeliver.ts",
    text: '  if (state === "PENDING") return {}\n',
    becomes: "",
    noticedBy: ["attempts are counted"],
    scenarios: ["172-queued-again-while-it-is-under-way"],
    needs: "receiver stalls the answer"
  },
  {
    name: "verify-once",
    says: "A verified webhook is unknown afterwards, so that it cannot be verified again.",
    file: "src/webhooks/verify.ts",
    text: 'if (sent === undefined) return yield* refuse("WEBHOOK_EVENT_UNKNOWN")',
    becomes: [
      'if (sent === undefined) return yield* refuse("WEBHOOK_EVENT_UNKNOWN")',
      '  const roots = [{ kind: "subscription", id: subscriptionId, mode: "exclusive" }] as const',
      "  yield* storage.transaction({ roots }, (transaction) =>",
      "    Effect.flatMap(",
      '      transaction.range(WebhookAttempts, "key", { prefix: [sent.deliveryId], limit: 1, direction: "descending" }),',
      "      ([last]) =>",
      '        transaction.update(WebhookAttempts, [sent.deliveryId, last!.attempt], { envelopeDigest: "" })',
      "    )",
      "  )"
    ].join("\n"),
    noticedBy: ["what was sent verifies"],
    scenarios: ["174-asked-about-twice"],
    needs: "receiver duplicate"
  },
  {
    name: "verify-the-newest-alone",
    says: "A webhook is unknown once a newer one was queued for its subscription.",
    file: "src/webhooks/verify.ts",
    text: "if (attempt === undefined) return undefined",
    becomes: [
      'const newest = { prefix: [subscriptionId], limit: 1, direction: "descending" } as const',
      '      const [last] = yield* reader.range(WebhookDeliveries, "byPlace", newest)',
      "      if (attempt === undefined || attempt.deliveryId !== last?.deliveryId) return undefined"
    ].join("\n"),
    noticedBy: ["what was sent verifies"],
    scenarios: ["175-asked-about-late"],
    needs: "receiver reordered"
  }
]
