/** Mutants of webhook sending: addresses, connections, and the interpretation of answers. */
import type { Mutant } from "./mutant.ts"

export const webhookSendingMutants: ReadonlyArray<Mutant> = [
  {
    name: "check-first-address-only",
    says: "Of several addresses of a host name only the first is checked.",
    file: "src/webhooks/addresses.ts",
    text: "answers.find((answer) => !isPublic(answer)",
    becomes: "answers.slice(0, 1).find((answer) => !isPublic(answer)",
    killedBy: ["no connection to private addresses"],
    scenarios: ["races/receiver-answers"],
    needs: "DNS mixed"
  },
  {
    name: "accept-private-addresses",
    says: "A host name may resolve to a private network.",
    file: "src/webhooks/addresses.ts",
    text: 'return parsed.range() === "unicast" && !cloudPlatforms',
    becomes: "return !cloudPlatforms",
    killedBy: ["no connection to private addresses"],
    scenarios: ["races/slow-or-aborted-attempts"],
    needs: "DNS private"
  },
  {
    name: "redirect-counts-as-acknowledged",
    says: "A redirect counts as an acknowledgement.",
    file: "src/webhooks/delivery.ts",
    text: "if (statusCode >= 200 && statusCode < 300)",
    becomes: "if (statusCode >= 200 && statusCode < 400)",
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "receiver redirect"
  },
  {
    name: "error-status-counts-as-acknowledged",
    says: "An error status counts as an acknowledgement.",
    file: "src/webhooks/delivery.ts",
    text: '("REDIRECT" as const) : ("HTTP_STATUS" as const)',
    becomes: '("REDIRECT" as const) : ("ACKNOWLEDGED" as const)',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "receiver status"
  },
  {
    name: "timeout-counts-as-acknowledged",
    says: "A timeout counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: ': this.attempted("TIMEOUT")',
    becomes: ': this.attempted("ACKNOWLEDGED")',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "receiver timeout"
  },
  {
    name: "broken-connection-counts-as-acknowledged",
    says: "An answer lost with its connection counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "CONNECTION" ? "ACKNOWLEDGED" : failure.fault)',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"]
  },
  {
    name: "trust-any-certificate",
    says: "A receiver with a certificate of another host counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: 'if (failure._tag === "WebhookFailure") return yield*',
    becomes:
      'if (failure._tag === "WebhookFailure" && failure.fault === "TLS") return yield* flight.attempted("ACKNOWLEDGED")\n' +
      '  if (failure._tag === "WebhookFailure") return yield*',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "receiver untrusted"
  },
  {
    name: "lost-answer-counts-as-200",
    says: "A lost answer counts as status 200.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes:
      'return yield* failure.fault === "CONNECTION" ? flight.attempted("ACKNOWLEDGED", 200) : flight.attempted(failure.fault)',
    killedBy: ["recorded status matches response"],
    scenarios: ["races/lost-reply-and-worker-crash"],
    needs: "receiver lost response"
  },
  {
    name: "unknown-host-counts-as-acknowledged",
    says: "A host name that does not exist counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "DNS_FAILURE" ? "ACKNOWLEDGED" : failure.fault)',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "DNS NXDOMAIN"
  },
  {
    name: "resolver-outage-counts-as-acknowledged",
    says: "A webhook whose host no resolver could look up counts as acknowledged.",
    file: "src/webhooks/send.ts",
    text: 'yield* countOwnFailure({ unreachable: "RESOLVER" })\n  return yield* ownFailure',
    becomes: 'return yield* flight.attempted("ACKNOWLEDGED")',
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-answers"],
    needs: "DNS no resolver"
  },
  {
    name: "reuse-connection-for-host",
    says: "A connection is reused for every later attempt, even if its host name resolves to another address by then.",
    file: "src/webhooks/send.ts",
    text: "const connection = yield* sender.open(plan.subscription.target)",
    becomes: [
      "const { target } = plan.subscription",
      "  const opened = yield* sender.open(target)",
      "  const kept = (sender.kept ??= new Map())",
      "  const connection = kept.get(target) ?? opened",
      "  kept.set(target, connection)"
    ].join("\n"),
    killedBy: ["one webhook per connection"],
    scenarios: ["races/address-change-between-attempts"],
    needs: "DNS changed addresses"
  },
  {
    name: "slow-acknowledgement-is-retried",
    says: "A webhook with a slow acknowledgement is sent again.",
    file: "src/webhooks/settle.ts",
    text: "...afterAttempt(counts, outcome, now, backoff)",
    becomes: '...afterAttempt(counts, durationMs > limits.webhookSlow ? "TIMEOUT" : outcome, now, backoff)',
    killedBy: ["every webhook is delivered"],
    scenarios: ["races/slow-or-aborted-attempts"],
    needs: "receiver slow"
  },
  {
    name: "uncounted-retry-after-reset",
    says: "A request with a broken connection is retried at once without a second attempt being counted.",
    file: "src/webhooks/send.ts",
    text: "connection.send(request),",
    becomes:
      "Effect.map(connection.send(request), (first) => Effect.catch(first, () => Effect.flatten(connection.send(request)))),",
    killedBy: ["each webhook request is one attempt"],
    scenarios: ["races/slow-or-aborted-attempts"],
    needs: "receiver reset"
  },
  {
    name: "count-only-connected-attempts",
    says: "An attempt without a connection is not counted, so that it is retried forever.",
    file: "src/webhooks/settle.ts",
    text: "? { scheduledAttempts: scheduledAttempts + 1, totalAttempts: totalAttempts + 1 }",
    becomes: "? { scheduledAttempts, totalAttempts }",
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/slow-or-aborted-attempts"],
    needs: "receiver refused"
  },
  {
    name: "exhaust-at-401",
    says: "A delivery that a receiver rejects as stale with 401 after accepted ones is never retried.",
    file: "src/webhooks/settle.ts",
    text: "const changes = { ...counts, ...changesBy(result, delivery, now, backoff) }",
    becomes: [
      "const isLockedOut =",
      '      result.kind === "ATTEMPTED" && result.statusCode === 401 && failures === 0 && delivery.number > 1',
      '    const givenUp = isLockedOut ? { state: "EXHAUSTED" as const, dueAt: never } : {}',
      "    const changes = { ...counts, ...changesBy(result, delivery, now, backoff), ...givenUp }"
    ].join("\n"),
    killedBy: ["no delivery is lost"],
    scenarios: ["races/receiver-clock-correction"],
    needs: "receiver clock skew"
  }
]
