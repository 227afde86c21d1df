/**
 * Mutants under which every safety and liveness property holds vacuously, since a situation is never reached. The
 * reachability properties kill them.
 */
import type { Mutant } from "./mutant.ts"

export const vacuousSearchMutants: ReadonlyArray<Mutant> = [
  {
    name: "new-delivery-id-per-attempt",
    says: "Each attempt has its own delivery id, so that a receiver cannot detect duplicates.",
    file: "src/webhooks/first-byte.ts",
    text: "{ eventId: event.eventId, deliveryId, timestamp",
    becomes: "{ eventId: event.eventId, deliveryId: `${deliveryId}-${timestamp}`, timestamp",
    killedBy: ["duplicate delivery"],
    scenarios: ["races/lost-receiver-answer"]
  },
  {
    name: "one-lease-token-for-all-workers",
    says: "All passes of all workers use one lease token, so that leases have no owner.",
    file: "src/webhooks/claim.ts",
    text: "const token = yield* random.uuidV4()",
    becomes: 'const token = "worker"',
    killedBy: ["lease expiry"],
    scenarios: ["races/worker-takeover"]
  },
  {
    name: "no-retries",
    says: "A delivery is never due again after a failed attempt.",
    file: "src/webhooks/delivery.ts",
    text: "dueAt: addMilliseconds(at, backoffAfter(counts.scheduledAttempts, backoff)) }",
    becomes: "dueAt: never }",
    killedBy: ["cancelled delivery"],
    scenarios: ["races/revocation-before-send"]
  },
  {
    name: "inverted-submission-deadline",
    says: "The deadline is inverted: submissions in time are refused.",
    file: "src/projects/conditions.ts",
    text: "due !== undefined && now > due",
    becomes: "due !== undefined && (dueAt === submissionDueAt ? now <= due : now > due)",
    killedBy: ["commit with unknown outcome"],
    scenarios: ["races/duplicate-request"]
  },
  {
    name: "renewal-requires-end",
    says: "A renewal without an end is refused.",
    file: "src/access/grants.ts",
    text: 'if (wrong !== undefined) return yield* refuse("INVALID_REQUEST", { detail: wrong })\n    const renewed',
    becomes:
      'if (expiresAt === undefined || wrong !== undefined) return yield* refuse("INVALID_REQUEST")\n    const renewed',
    killedBy: ["response lost after commit"],
    scenarios: ["races/renewal-and-submission"]
  },
  {
    name: "replay-only-at-same-head",
    says: "A request counts as a replay only while its project has the same head, which the request itself changed.",
    file: "src/pipeline/pipeline.ts",
    text: "if (yield* isReplay(context.earlierRequest, checks.request)) {",
    becomes:
      "if (checks.headGuard(context, actor) === undefined && (yield* isReplay(context.earlierRequest, checks.request))) {",
    killedBy: ["replay answered"],
    scenarios: ["races/duplicate-request"]
  },
  {
    name: "forbid-renewed-credential",
    says: "An agent with an invalid credential is refused with 403 instead of 401, so that it requests no new one.",
    file: "src/access/authorize.ts",
    text: ': refuse("AUTH_INVALID")',
    becomes: ': refuse("FORBIDDEN_AGENT_ACTION")',
    killedBy: ["renewal during request"],
    scenarios: ["races/renewal-and-submission"]
  },
  {
    name: "review-deadline-for-submission",
    says: "A submission is accepted until the review deadline.",
    file: "src/projects/conditions.ts",
    text: 'deadline("DELIVERY_DEADLINE_PASSED", submissionDueAt)',
    becomes: 'deadline("DELIVERY_DEADLINE_PASSED", ({ agreement: { terms } }) => terms.reviewDeadline)',
    killedBy: ["refusal after a deadline"],
    scenarios: ["races/last-millisecond"]
  },
  {
    name: "state-conflict-for-stale-generation",
    says: "A renewal of a stale generation is refused with `STATE_CONFLICT` instead of `GENERATION_STALE`.",
    file: "src/access/grants.ts",
    text: 'refuse("GENERATION_STALE")',
    becomes: 'refuse("STATE_CONFLICT")',
    killedBy: ["refusal of a concurrent renewal"],
    scenarios: ["races/two-renewals"]
  },
  {
    name: "revision-before-pause",
    says: "A paused agent is refused with a stale revision instead of the pause.",
    file: "src/pipeline/pipeline.ts",
    text: [
      "  yield* pass(checks.pauseGuard(context, actor))",
      "  yield* pass(checks.revisionGuard(context, actor))"
    ].join("\n"),
    becomes: [
      "  yield* pass(checks.revisionGuard(context, actor))",
      "  yield* pass(checks.pauseGuard(context, actor))"
    ].join("\n"),
    killedBy: ["refusal by a pause"],
    scenarios: ["races/pause-and-submission"]
  },
  {
    name: "state-before-head",
    says: "A command on a stale head is refused with the state instead of the stale head.",
    file: "src/pipeline/pipeline.ts",
    text: [
      "  yield* pass(checks.headGuard(context, actor))",
      "  yield* pass(checks.commandGuard(context, actor))"
    ].join("\n"),
    becomes: [
      "  yield* pass(checks.commandGuard(context, actor))",
      "  yield* pass(checks.headGuard(context, actor))"
    ].join("\n"),
    killedBy: ["refusal of a stale head"],
    scenarios: ["races/acceptance-and-withdrawal"]
  }
]
