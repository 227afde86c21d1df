/** Bugs in callbacks: what is queued, who holds a send, under which authority it leaves, and what an answer means. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfCallbacks: ReadonlyArray<Mutant> = [
  {
    name: "skip-the-recheck-after-connecting",
    says: "Between the open connection and the first byte nobody asks any more whose authority this is sent under.",
    file: "src/webhooks/attempt.ts",
    text: "const refusal = yield* refusalOf(transaction, row, event.projectId, now)",
    becomes: "const refusal: Refusal | undefined = undefined",
    noticedBy: ["no send without live authority"],
    scenarios: ["131-revoked-between-a-look-up-and-a-send"]
  },
  {
    name: "acknowledge-by-id-alone",
    says: "A worker whose lease is over still notes what came of its send.",
    file: "src/webhooks/settle.ts",
    text: "if (delivery?.leaseToken !== send.token) continue",
    becomes: "if (delivery === undefined) continue",
    noticedBy: ["attempts are counted", "every callback arrives"],
    scenarios: ["128-an-acknowledgement-after-the-lease"]
  },
  {
    name: "count-no-attempt",
    says: "An attempt is not counted before it is made, so that no number of crashes ever ends a delivery.",
    file: "src/webhooks/attempt.ts",
    text: "scheduledAttempts: delivery.scheduledAttempts + 1,",
    becomes: "scheduledAttempts: delivery.scheduledAttempts,",
    noticedBy: ["attempts are counted"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "lease-for-ever",
    says: "What a worker has taken never comes up again, also where that worker is gone.",
    file: "src/webhooks/claim.ts",
    text: "{ dueAt: until, leaseToken: token })",
    becomes: "{ dueAt: never, leaseToken: token })",
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "listen-while-paused",
    says: "A subscription that is paused is still listened with, and what it slept through is sent once it is resumed.",
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
    says: "A subscription that was resumed gets nothing of what is committed after that was answered.",
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
    says: "What happens after an agent was revoked is still queued for it, where no worker has ended its subscription yet.",
    file: "src/webhooks/fan-out.ts",
    text: ".filter(({ committedAt }) => endedAt === undefined || committedAt < endedAt)",
    becomes: "",
    noticedBy: ["every event is queued exactly"],
    scenarios: ["167-revoked-beside-an-event"]
  },
  {
    name: "take-a-place-for-a-replay",
    says: "A request for a subscription that comes again takes another place before it is told what it made.",
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
    noticedBy: ["every callback arrives"],
    scenarios: ["166-a-store-that-fails-a-worker"],
    needs: "database 57014"
  },
  {
    name: "forget-to-look-again",
    says: "After an attempt that failed nobody looks at its subscription before something else happens to it.",
    file: "src/webhooks/settle.ts",
    text: "const next = [...others, ...[...dues.values()].map((dueAt) => ({ dueAt }))]",
    becomes: "const next = others",
    noticedBy: ["a due delivery moves on"],
    scenarios: ["158-what-a-receiver-makes-of-it"]
  },
  {
    name: "skip-one-behind-a-place",
    says: "A reader of a history who goes on from its place misses one delivery.",
    file: "src/webhooks/history.ts",
    text: 'after: [start, "~"],',
    becomes: 'after: [after === undefined ? start : start + 1, "~"],',
    noticedBy: ["a reader sees every delivery once"],
    scenarios: ["121-cursor-race"]
  },
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
    scenarios: ["158-what-a-receiver-makes-of-it"],
    needs: "DNS private"
  },
  {
    name: "sign-the-event-alone",
    says: "A callback is signed over its event, and not over the bytes that leave.",
    file: "src/webhooks/attempt.ts",
    text: "signatureOf(secret, String(timestamp), body)",
    becomes: "signatureOf(secret, String(timestamp), event.event)",
    noticedBy: ["callbacks verify from the first byte"],
    scenarios: ["127-lease-race"]
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
  }
]
