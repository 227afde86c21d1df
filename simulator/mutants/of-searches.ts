/**
 * Mutants under which every safety and liveness property holds vacuously, since a situation is never reached. The
 * reachability properties kill them.
 */
import type { Mutant } from "./mutant.ts"

export const mutantsOfSearches: ReadonlyArray<Mutant> = [
  {
    name: "call-every-attempt-another-delivery",
    says: "Each attempt has its own delivery id, so that a receiver cannot detect duplicates.",
    file: "src/webhooks/attempt.ts",
    text: '"service-delivery-id": deliveryId,',
    becomes: '"service-delivery-id": `${deliveryId}-${attempt}`,',
    noticedBy: ["a delivery comes twice"],
    scenarios: ["187-an-answer-that-never-arrives"]
  },
  {
    name: "one-name-for-every-worker",
    says: "All passes of all workers use one lease token, so that leases have no owner.",
    file: "src/webhooks/claim.ts",
    text: "const token = yield* random.uuidV4()",
    becomes: 'const token = "worker"',
    noticedBy: ["a lease runs out"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "take-nothing-twice",
    says: "A worker claims no delivery with an earlier attempt, so that failed deliveries are never retried.",
    file: "src/webhooks/claim.ts",
    text: "const taken = due.filter(hasAttemptLeft).slice",
    becomes: "const taken = due.filter(({ totalAttempts }) => totalAttempts === 0).slice",
    noticedBy: ["a send is given up because its authority ended"],
    scenarios: ["186-revoked-before-a-send"]
  },
  {
    name: "deliver-after-the-date-alone",
    says: "The deadline is inverted: submissions in time are refused.",
    file: "src/projects/obstacles.ts",
    text: "return passed(dueAt) ? refusal(",
    becomes: "return !passed(dueAt) ? refusal(",
    noticedBy: ["a commit goes unnoticed"],
    scenarios: ["136-the-same-request-twice"]
  },
  {
    name: "renew-until-a-date-alone",
    says: "A renewal without an end is refused.",
    file: "src/access/grants.ts",
    text: 'if (wrong !== undefined) return yield* refuse("INVALID_REQUEST", { detail: wrong })\n      const renewed',
    becomes:
      'if (expiresAt === undefined || wrong !== undefined) return yield* refuse("INVALID_REQUEST")\n      const renewed',
    noticedBy: ["an answer is lost after its commit"],
    scenarios: ["122-renewal-race"]
  },
  {
    name: "replay-while-nothing-moved",
    says: "A request counts as a replay only while its project has the same head, which the request itself changed.",
    file: "src/projects/admission.ts",
    text: "if (yield* isReplay(target.earlier, asked.request)) {",
    becomes:
      "if (sent.expectedEventHash === stored.project.head && (yield* isReplay(target.earlier, asked.request))) {",
    noticedBy: ["a replay is answered"],
    scenarios: ["136-the-same-request-twice"]
  },
  {
    name: "forbid-what-was-replaced",
    says: "An agent with an invalid credential is refused with 403 instead of 401, so that it requests no new one.",
    file: "src/access/authorize.ts",
    text: 'Effect.succeed(authority) : refuse("AUTH_INVALID")',
    becomes: 'Effect.succeed(authority) : refuse("FORBIDDEN_AGENT_ACTION")',
    noticedBy: ["a renewal overtakes a request"],
    scenarios: ["122-renewal-race"]
  },
  {
    name: "the-date-of-the-review",
    says: "A submission is accepted until the review deadline.",
    file: "src/projects/obstacles.ts",
    text: "const dueAt = submissionDueAt(project)",
    becomes: "const dueAt = reviewDeadline",
    noticedBy: ["a deadline refuses somebody"],
    scenarios: ["185-in-the-last-millisecond"]
  },
  {
    name: "call-another-renewal-a-state",
    says: "A renewal of a stale generation is refused with `STATE_CONFLICT` instead of `GENERATION_STALE`.",
    file: "src/access/grants.ts",
    text: 'refuse("GENERATION_STALE")',
    becomes: 'refuse("STATE_CONFLICT")',
    noticedBy: ["another renewal refuses somebody"],
    scenarios: ["123-two-renewals"]
  },
  {
    name: "look-at-the-revision-first",
    says: "A paused agent is refused with a stale revision instead of the pause.",
    file: "src/projects/admission.ts",
    text: [
      "  yield* requireRunning(command, entered, stored, circumstances)",
      "  yield* requireRevision(sent, stored)"
    ].join("\n"),
    becomes: [
      "  yield* requireRevision(sent, stored)",
      "  yield* requireRunning(command, entered, stored, circumstances)"
    ].join("\n"),
    noticedBy: ["a pause refuses somebody"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "look-at-the-state-first",
    says: "A command on a stale head is refused with the state instead of the stale head.",
    file: "src/proposals/commit.ts",
    text: [
      "      yield* requirePreconditions(command, stored, by)",
      "      const obstacle = commandObstacle(stored, command.command, by)",
      "      if (obstacle !== undefined) return yield* Effect.fail(obstacle)"
    ].join("\n"),
    becomes: [
      "      const obstacle = commandObstacle(stored, command.command, by)",
      "      if (obstacle !== undefined) return yield* Effect.fail(obstacle)",
      "      yield* requirePreconditions(command, stored, by)"
    ].join("\n"),
    noticedBy: ["a stale head refuses somebody"],
    scenarios: ["125-acceptance-beside-withdrawal"]
  }
]
