/** Bugs in where a callback goes, and in what the service makes of what its receiver does. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfReceivers: ReadonlyArray<Mutant> = [
  {
    name: "check-the-first-address-alone",
    says: "Of several addresses of a name only the first is checked.",
    file: "src/webhooks/addresses.ts",
    text: "answers.find((answer) => !isPublic(answer)",
    becomes: "answers.slice(0, 1).find((answer) => !isPublic(answer)",
    noticedBy: ["no private address is connected"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS mixed"
  },
  {
    name: "every-address-is-public",
    says: "A name may lead into a private network.",
    file: "src/webhooks/addresses.ts",
    text: 'return parsed.range() === "unicast" && !cloudPlatforms',
    becomes: "return !cloudPlatforms",
    noticedBy: ["no private address is connected"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "DNS private"
  },
  {
    name: "take-a-redirect-for-a-success",
    says: "A receiver that points elsewhere has acknowledged.",
    file: "src/webhooks/delivery.ts",
    text: "if (statusCode >= 200 && statusCode < 300)",
    becomes: "if (statusCode >= 200 && statusCode < 400)",
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver redirect"
  },
  {
    name: "take-a-refusal-for-a-success",
    says: "A receiver that answers with an error has acknowledged.",
    file: "src/webhooks/delivery.ts",
    text: '("REDIRECT" as const) : ("HTTP_STATUS" as const)',
    becomes: '("REDIRECT" as const) : ("ACKNOWLEDGED" as const)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver status"
  },
  {
    name: "take-silence-for-a-success",
    says: "A receiver that never answers has acknowledged.",
    file: "src/webhooks/send.ts",
    text: ': this.attempted("TIMEOUT")',
    becomes: ': this.attempted("ACKNOWLEDGED")',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "receiver timeout"
  },
  {
    name: "take-a-broken-connection-for-a-success",
    says: "A receiver whose answer is lost with its connection has acknowledged.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "CONNECTION" ? "ACKNOWLEDGED" : failure.fault)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"]
  },
  {
    name: "trust-any-certificate",
    says: "A receiver that shows a certificate of somebody else has acknowledged.",
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
    says: "An answer that was lost on its way was a success.",
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
    says: "A receiver whose name does not exist has acknowledged.",
    file: "src/webhooks/send.ts",
    text: "return yield* flight.attempted(failure.fault)",
    becomes: 'return yield* flight.attempted(failure.fault === "DNS_FAILURE" ? "ACKNOWLEDGED" : failure.fault)',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS NXDOMAIN"
  },
  {
    name: "take-no-resolver-for-a-success",
    says: "A callback for which no resolver could be asked has been acknowledged.",
    file: "src/webhooks/send.ts",
    text: 'yield* countOwnFailure("RESOLVER")\n  return yield* ownFailure',
    becomes: 'return yield* flight.attempted("ACKNOWLEDGED")',
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS no resolver"
  },
  {
    name: "keep-a-connection-for-good",
    says: "What was connected to once is used for every later attempt, wherever its name leads by then.",
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
    says: "A callback whose acknowledgement took long is sent once more.",
    file: "src/webhooks/settle.ts",
    text: "...afterAttempt(counts, outcome, now, backoff)",
    becomes: '...afterAttempt(counts, durationMs > limits.callbackSlow ? "TIMEOUT" : outcome, now, backoff)',
    noticedBy: ["every callback arrives"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver slow"
  },
  {
    name: "send-again-over-a-broken-connection",
    says: "A request whose connection broke is sent once more at once, and counted once.",
    file: "src/webhooks/send.ts",
    text: "yield* connection.send(recorded.request)",
    becomes: "yield* Effect.retry(connection.send(recorded.request), { times: 1 })",
    noticedBy: ["a request is an attempt of its own"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver reset"
  },
  {
    name: "count-what-was-connected-alone",
    says: "An attempt that comes to no connection is not counted, and so it is made for ever.",
    file: "src/webhooks/settle.ts",
    text: "? { scheduledAttempts: scheduledAttempts + 1, totalAttempts: totalAttempts + 1 }",
    becomes: "? { scheduledAttempts, totalAttempts }",
    noticedBy: ["attempts are counted"],
    scenarios: ["170-slow-broken-off-or-refused"],
    needs: "receiver refused"
  },
  {
    name: "give-up-at-a-401",
    says: "A receiver that took callbacks, and then takes one for stale, is never called again.",
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
