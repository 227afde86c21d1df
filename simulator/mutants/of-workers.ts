/** Mutants of the webhook worker: leases, shutdown, crashes and failures of the store. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfWorkers: ReadonlyArray<Mutant> = [
  {
    name: "acknowledge-by-id-alone",
    says: "A worker with an expired lease still records the result of its attempt.",
    file: "src/webhooks/settle.ts",
    text: "if (delivery?.leaseToken !== send.token) continue",
    becomes: "if (delivery === undefined) continue",
    noticedBy: ["attempts are counted", "every callback arrives"],
    scenarios: ["183-three-answers-at-once", "128-an-acknowledgement-after-the-lease"]
  },
  {
    name: "count-no-attempt",
    says: "An attempt is not counted before it is sent, so that crashes never exhaust a delivery.",
    file: "src/webhooks/attempt.ts",
    text: "scheduledAttempts: delivery.scheduledAttempts + 1,",
    becomes: "scheduledAttempts: delivery.scheduledAttempts,",
    noticedBy: ["attempts are counted"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "lease-for-ever",
    says: "A delivery that a worker claimed is never claimed again, even after the worker crashed.",
    file: "src/webhooks/claim.ts",
    text: "{ dueAt: until, leaseToken: token })",
    becomes: "{ dueAt: never, leaseToken: token })",
    noticedBy: ["every delivery is somewhere"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "lease-for-an-hour",
    says: "A delivery that a worker claimed is claimed again only after an hour, even if the worker crashed.",
    file: "src/webhooks/claim.ts",
    text: "const until = addMilliseconds(now, lease)",
    becomes: "const until = addMilliseconds(now, lease * 120)",
    noticedBy: ["what a dead worker held is taken over"],
    scenarios: ["177-a-worker-crashes-during-a-send"],
    needs: "crashWorker"
  },
  {
    name: "lease-an-event-for-ever",
    says: "An event is never numbered after its worker crashed while it was numbering it.",
    file: "src/webhooks/fan-out.ts",
    text: "leaseUntil: addMilliseconds(dueBy, lease)",
    becomes: "leaseUntil: never",
    noticedBy: ["what a dead worker held is taken over"],
    scenarios: ["179-a-worker-dies-while-it-numbers"],
    needs: "crash of a worker before-commit"
  },
  {
    name: "keep-what-it-held",
    says: "A stopped worker does not release its leases.",
    file: "src/webhooks/send.ts",
    text: 'if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ kind: "GIVEN_BACK" })',
    becomes: 'if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed("LOST")',
    noticedBy: ["a stopped worker holds nothing"],
    scenarios: ["178-a-worker-stops-during-a-send"],
    needs: "stopWorker"
  },
  {
    name: "work-by-any-clock",
    says: "A worker with a wrong clock continues to send and signs with its own time.",
    file: "src/webhooks/dispatch.ts",
    text: "isHealthy(found) ? pass",
    becomes: "found.writable ? pass",
    noticedBy: ["callbacks verify from the first byte"],
    scenarios: ["180-a-worker-whose-clock-is-wrong"],
    needs: "clock of the worker"
  },
  {
    name: "end-with-a-pass",
    says: "A worker ends after a pass that fails because of the store.",
    file: "src/webhooks/dispatch.ts",
    text: 'Effect.catchCause((cause) => Effect.as(Effect.logError("callback pass", cause), undefined))',
    becomes: 'Effect.tapCause((cause) => Effect.logError("callback pass", cause))',
    noticedBy: ["every callback arrives"],
    scenarios: ["184-a-store-that-cannot-begin"],
    needs: "database at begin"
  },
  {
    name: "blame-the-receiver",
    says: "An attempt that fails because of the store counts as a failure of the receiver.",
    file: "src/webhooks/send.ts",
    text: ['    Effect.andThen(countOwnFailure("STORE")),', "    Effect.andThen(ownFailure)", "  )", "}"].join("\n"),
    becomes: [
      "    Effect.andThen(currentTime),",
      "    Effect.map((at): Ending => {",
      '      const failed = { outcome: "CONNECTION", statusCode: null, durationMs: 0, recorded: undefined } as const',
      '      return { kind: "ATTEMPTED", at, ...failed }',
      "    })",
      "  )",
      "}"
    ].join("\n"),
    noticedBy: ["an attempt ends as it went"],
    scenarios: ["181-a-store-that-fails-at-one-point"],
    needs: "database at lock"
  },
  {
    name: "end-with-a-look",
    says: "A worker that cannot read its next due time never polls again.",
    file: "src/webhooks/dispatch.ts",
    text: ".pipe(Effect.catchCause(() => Effect.succeed(interval)))",
    becomes: "",
    noticedBy: ["every callback arrives"],
    scenarios: ["182-what-only-goes-beside"],
    needs: "database at read"
  },
  {
    name: "gather-outside-the-transaction",
    says: "A worker collects its claims outside the transaction, so that a retry collects them twice.",
    file: "src/webhooks/claim.ts",
    text: [
      "  return yield* storage.transaction({ roots }, (transaction) =>",
      "    Effect.gen(function* () {",
      "      const found = yield* readUpcoming(transaction, claimed)",
      "      const now = yield* transaction.now",
      "      const until = addMilliseconds(now, lease)",
      "      const left = { ...room }",
      "      const sends: Array<LeasedSend> = []"
    ].join("\n"),
    becomes: [
      "  const sends: Array<LeasedSend> = []",
      "  return yield* storage.transaction({ roots }, (transaction) =>",
      "    Effect.gen(function* () {",
      "      const found = yield* readUpcoming(transaction, claimed)",
      "      const now = yield* transaction.now",
      "      const until = addMilliseconds(now, lease)",
      "      const left = { ...room }"
    ].join("\n"),
    noticedBy: ["attempts are counted"],
    scenarios: ["181-a-store-that-fails-at-one-point"],
    needs: "database at commit"
  }
]
