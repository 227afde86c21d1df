/** Mutants of the webhook worker: leases, shutdown, crashes and failures of the store. */
import type { Mutant } from "./mutant.ts"

export const webhookWorkerMutants: ReadonlyArray<Mutant> = [
  {
    name: "settle-without-lease-check",
    says: "A worker with an expired lease still records the result of its attempt.",
    file: "src/webhooks/settle.ts",
    text: "if (found?.leaseToken !== send.token) continue",
    becomes: "if (found === undefined) continue",
    killedBy: ["attempts are counted under a lease", "every webhook is delivered"],
    scenarios: ["races/batched-results", "races/late-result-after-lease"]
  },
  {
    name: "repeat-batch-of-unknown-commit",
    says: "A batch whose COMMIT may have taken effect is recorded again, one send at a time.",
    file: "src/webhooks/batch.ts",
    text: "batch.length === 1 || mayBeCommitted(exit.cause)",
    becomes: "batch.length === 1 || exit.cause === undefined",
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/batched-results"],
    needs: "database commit-lost-unknown"
  },
  {
    name: "count-no-attempt",
    says: "An attempt is not counted before it is sent, so that crashes never exhaust a delivery.",
    file: "src/webhooks/attempt.ts",
    text: "scheduledAttempts: delivery.scheduledAttempts + 1,",
    becomes: "scheduledAttempts: delivery.scheduledAttempts,",
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/worker-takeover"]
  },
  {
    name: "lease-without-expiry",
    says: "A delivery that a worker claimed is never claimed again, even after the worker crashed.",
    file: "src/webhooks/claim.ts",
    text: "{ leasedUntil: until, leaseToken: token })",
    becomes: "{ leasedUntil: never, leaseToken: token })",
    killedBy: ["no delivery is lost"],
    scenarios: ["races/worker-takeover"]
  },
  {
    name: "lease-of-one-hour",
    says: "A delivery that a worker claimed is claimed again only after an hour, even if the worker crashed.",
    file: "src/webhooks/claim.ts",
    text: "const until = addMilliseconds(now, lease)",
    becomes: "const until = addMilliseconds(now, lease * 120)",
    killedBy: ["expired lease is reclaimed"],
    scenarios: ["races/worker-crash-during-send"],
    needs: "crashWorker"
  },
  {
    name: "event-lease-without-expiry",
    says: "An event is never numbered after its worker crashed while it was numbering it.",
    file: "src/webhooks/fan-out.ts",
    text: "leaseUntil: addMilliseconds(dueBy, lease)",
    becomes: "leaseUntil: never",
    killedBy: ["expired lease is reclaimed"],
    scenarios: ["races/worker-crash-during-fan-out"],
    needs: "worker crash before-commit"
  },
  {
    name: "no-release-at-stop",
    says: "A stopped worker does not release its leases.",
    file: "src/webhooks/send.ts",
    text: 'if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ kind: "RELEASED" })',
    becomes: 'if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed("LOST")',
    killedBy: ["graceful stop releases leases"],
    scenarios: ["races/worker-shutdown-during-send"],
    needs: "stopWorker"
  },
  {
    name: "ignore-clock-skew",
    says: "A worker with a wrong clock continues to send and signs with its own time.",
    file: "src/webhooks/dispatch.ts",
    text: "isHealthy(found) ? pass",
    becomes: "found.writable ? pass",
    killedBy: ["webhook signatures are valid"],
    scenarios: ["races/worker-clock-skew"],
    needs: "clock of the worker"
  },
  {
    name: "store-failure-ends-worker",
    says: "A worker ends after a pass that fails because of the store.",
    file: "src/webhooks/dispatch.ts",
    text: 'Effect.catchCause((cause) => Effect.as(Effect.logError("webhook pass failed", cause), undefined))',
    becomes: 'Effect.tapCause((cause) => Effect.logError("webhook pass failed", cause))',
    killedBy: ["every webhook is delivered"],
    scenarios: ["races/worker-begin-failures"],
    needs: "database at begin"
  },
  {
    name: "store-failure-counts-as-receiver-failure",
    says: "An attempt that fails because of the store counts as a failure of the receiver.",
    file: "src/webhooks/send.ts",
    text: [
      '    Effect.andThen(countOwnFailure({ unreachable: "STORE" })),',
      "    Effect.andThen(ownFailure)",
      "  )",
      "}"
    ].join("\n"),
    becomes: [
      "    Effect.andThen(currentTime),",
      "    Effect.map((at): SendResult => {",
      '      const failed = { outcome: "CONNECTION", statusCode: null, durationMs: 0, recorded: undefined } as const',
      '      return { kind: "ATTEMPTED", at, ...failed }',
      "    })",
      "  )",
      "}"
    ].join("\n"),
    killedBy: ["attempt outcome matches observation"],
    scenarios: ["races/store-failure-at-one-point"],
    needs: "database at lock"
  },
  {
    name: "failed-poll-ends-worker",
    says: "A worker that cannot read its next due time never polls again.",
    file: "src/webhooks/dispatch.ts",
    text: ".pipe(Effect.catchCause(() => Effect.succeed(interval)))",
    becomes: "",
    killedBy: ["every webhook is delivered"],
    scenarios: ["races/best-effort-writes"],
    needs: "database at read"
  },
  {
    name: "collect-outside-transaction",
    says: "A worker collects its claims outside the transaction, so that a retry collects them twice.",
    file: "src/webhooks/claim.ts",
    text: [
      "  return yield* inTransaction({ locks }, function* (transaction) {",
      "    const found = yield* readUpcoming(transaction, claimed, room.places)",
      "    const now = yield* transaction.now",
      "    const until = addMilliseconds(now, lease)",
      "    const left = { ...room }",
      "    const sends: Array<LeasedSend> = []"
    ].join("\n"),
    becomes: [
      "  const sends: Array<LeasedSend> = []",
      "  return yield* inTransaction({ locks }, function* (transaction) {",
      "    const found = yield* readUpcoming(transaction, claimed, room.places)",
      "    const now = yield* transaction.now",
      "    const until = addMilliseconds(now, lease)",
      "    const left = { ...room }"
    ].join("\n"),
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/store-failure-at-one-point"],
    needs: "database at commit"
  }
]
