/** Mutants of webhook sending: addresses, connections, and the interpretation of answers. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfReceivers: ReadonlyArray<Mutant> = [
  {
    name: "check-the-first-address-alone",
    says: "Of several addresses of a host name only the first is checked.",
    file: "src/webhooks/addresses.ts",
    text: "answers.find((answer) => !isPublic(answer)",
    becomes: "answers.slice(0, 1).find((answer) => !isPublic(answer)",
    noticedBy: ["no private address is connected"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS mixed"
  },
  {
    name: "every-address-is-public",
    says: "A host name may resolve to a private network.",
    file: "src/webhooks/addresses.ts",
    text: 'return parsed.range() === "unicast" && !cloudPlatforms',
    becomes: "return !cloudPlatforms",
    noticedBy: ["no private address is connected"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "DNS private"
  },
  {
    name: "take-a-redirect-for-a-success",
    says: "A redirect counts as an acknowledgement.",
    file: "src/webhooks/delivery.ts",
    text: "if (statusCode >= 200 && statusCode < 300)",
    becomes: "if (statusCode >= 200 && statusCode < 400)",
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver redirect"
  },
  {
    name: "take-a-refusal-for-a-success",
    says: "An error status counts as an acknowledgement.",
    file: "src/webhooks/delivery.ts",
    text: '("REDIRECT" as const) : ("HTTP_STATUS" as const)',
    becomes: '("REDIRECT" as const) : ("ACKNOWLEDGED" as const)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver status"
  },
  {
    name: "take-silence-for-a-success",
    says: "A timeout counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: ': this.attempted("TIMEOUT")',
    becomes: ': this.attempted("ACKNOWLEDGED")',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver timeout"
  },
  {
    name: "take-a-broken-connection-for-a-success",
    says: "An answer lost with its connection counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "CONNECTION" ? "ACKNOWLEDGED" : failure.fault)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"]
  },
  {
    name: "trust-any-certificate",
    says: "A receiver with a certificate of another host counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: 'if (failure._tag === "CallbackFailed") return yield*',
    becomes:
      'if (failure._tag === "CallbackFailed" && failure.fault === "TLS") return yield* flight.attempted("ACKNOWLEDGED")\n' +
      '  if (failure._tag === "CallbackFailed") return yield*',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver untrusted"
  },
  {
    name: "make-up-an-answer",
    says: "A lost answer counts as status 200.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes:
      'return yield* failure.fault === "CONNECTION" ? flight.attempted("ACKNOWLEDGED", 200) : flight.attempted(failure.fault)',
    noticedBy: ["an acknowledgement was answered"],
    scenarios: ["130-a-reply-that-is-lost"],
    needs: "receiver lost answer"
  },
  {
    name: "take-a-name-of-nobody-for-a-success",
    says: "A host name that does not exist counts as an acknowledgement.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "DNS_FAILURE" ? "ACKNOWLEDGED" : failure.fault)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS NXDOMAIN"
  },
  {
    name: "take-no-resolver-for-a-success",
    says: "A webhook whose host no resolver could look up counts as acknowledged.",
    file: "src/webhooks/send.ts",
    text: 'yield* countOwnFailure("RESOLVER")\n  return yield* ownFailure',
    becomes: 'return yield* flight.attempted("ACKNOWLEDGED")',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS no resolver"
  },
  {
    name: "keep-a-connection-for-good",
    says: "A connection is reused for every later attempt, even if its host name resolves to another address by then.",
    file: "src/webhooks/send.ts",
    text: "const connection = yield* sender.open(planned.subscription.target)",
    becomes: [
      "const { target } = planned.subscription",
      "  const opened = yield* sender.open(target)",
      "  const kept = (sender.kept ??= new Map())",
      "  const connection = kept.get(target) ?? opened",
      "  kept.set(target, connection)"
    ].join("\n"),
    noticedBy: ["a connection serves one callback"],
    scenarios: ["176-a-name-that-moves-between-two-callbacks"],
    needs: "DNS other addresses"
  },
  {
    name: "wait-for-a-faster-answer",
    says: "A webhook with a slow acknowledgement is sent again.",
    file: "src/webhooks/settle.ts",
    text: "...afterAttempt(counts, outcome, now, backoff)",
    becomes: '...afterAttempt(counts, durationMs > limits.callbackSlow ? "TIMEOUT" : outcome, now, backoff)',
    noticedBy: ["every callback arrives"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver slow"
  },
  {
    name: "send-again-over-a-broken-connection",
    says: "A request with a broken connection is retried at once without a second attempt being counted.",
    file: "src/webhooks/send.ts",
    text: "yield* connection.send(recorded.request)",
    becomes: "yield* Effect.retry(connection.send(recorded.request), { times: 1 })",
    noticedBy: ["a request is an attempt of its own"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver reset"
  },
  {
    name: "count-what-was-connected-alone",
    says: "An attempt without a connection is not counted, so that it is retried forever.",
    file: "src/webhooks/settle.ts",
    text: "? { scheduledAttempts: scheduledAttempts + 1, totalAttempts: totalAttempts + 1 }",
    becomes: "? { scheduledAttempts, totalAttempts }",
    noticedBy: ["attempts are counted"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver refused"
  },
  {
    name: "give-up-at-a-401",
    says: "A delivery that a receiver rejects as stale with 401 after accepted ones is never retried.",
    file: "src/webhooks/settle.ts",
    text: "const changes = changesBy(ending, delivery, now, backoff)",
    becomes: [
      "const isLockedOut =",
      '      ending.kind === "ATTEMPTED" && ending.statusCode === 401 && failures === 0 && delivery.number > 1',
      '    const givenUp = isLockedOut ? { state: "EXHAUSTED" as const, dueAt: never } : {}',
      "    const changes = { ...changesBy(ending, delivery, now, backoff), ...givenUp }"
    ].join("\n"),
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["171-a-receiver-whose-clock-is-set"],
    needs: "receiver clock skew"
  }
]
