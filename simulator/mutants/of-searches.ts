/**
 * Bugs that leave a search nothing to find: everything that it judges holds, since what it is about never comes about.
 * Whatever has to come about sometimes is for these.
 */
import type { Mutant } from "./mutant.ts"

export const mutantsOfSearches: ReadonlyArray<Mutant> = [
  {
    name: "call-every-attempt-another-delivery",
    says: "Each attempt goes out under an id of its own, so that no receiver knows what it had before.",
    file: "src/webhooks/attempt.ts",
    text: '"service-delivery-id": deliveryId,',
    becomes: '"service-delivery-id": `${deliveryId}-${attempt}`,',
    noticedBy: ["a delivery comes twice"],
    scenarios: ["187-an-answer-that-never-arrives"]
  },
  {
    name: "one-name-for-every-worker",
    says: "All passes of all workers lease under one token, and nobody can tell whose a delivery is.",
    file: "src/webhooks/claim.ts",
    text: "const token = yield* random.uuidV4()",
    becomes: 'const token = "worker"',
    noticedBy: ["a lease runs out"],
    scenarios: ["127-lease-race"]
  },
  {
    name: "take-nothing-twice",
    says: "A worker takes no send that was tried before, and what failed once is never sent.",
    file: "src/webhooks/claim.ts",
    text: "const taken = due.filter(hasAttemptLeft).slice",
    becomes: "const taken = due.filter(({ totalAttempts }) => totalAttempts === 0).slice",
    noticedBy: ["a send is given up because its authority ended"],
    scenarios: ["186-revoked-before-a-send"]
  },
  {
    name: "deliver-after-the-date-alone",
    says: "A date is read the wrong way round: whoever delivers in time is refused.",
    file: "src/projects/obstacles.ts",
    text: "return passed(dueAt) ? refusal(",
    becomes: "return !passed(dueAt) ? refusal(",
    noticedBy: ["a commit goes unnoticed"],
    scenarios: ["136-the-same-request-twice"]
  },
  {
    name: "renew-until-a-date-alone",
    says: "A renewal that names no end is refused, as if none were ever meant.",
    file: "src/access/grants.ts",
    text: 'if (wrong !== undefined) return yield* refuse("INVALID_REQUEST", { detail: wrong })\n      const renewed',
    becomes:
      'if (expiresAt === undefined || wrong !== undefined) return yield* refuse("INVALID_REQUEST")\n      const renewed',
    noticedBy: ["an answer is lost after its commit"],
    scenarios: ["122-renewal-race"]
  },
  {
    name: "replay-while-nothing-moved",
    says: "A request that comes again counts as the same one only while its project has not moved, which it did by it.",
    file: "src/projects/admission.ts",
    text: "if (yield* isReplay(target.earlier, asked.request)) {",
    becomes:
      "if (sent.expectedEventHash === stored.project.head && (yield* isReplay(target.earlier, asked.request))) {",
    noticedBy: ["a replay is answered"],
    scenarios: ["136-the-same-request-twice"]
  },
  {
    name: "forbid-what-was-replaced",
    says: "An agent whose credential does not open anything any more is told that it may not do this, and asks for no other.",
    file: "src/access/authorize.ts",
    text: 'Effect.succeed(authority) : refuse("AUTH_INVALID")',
    becomes: 'Effect.succeed(authority) : refuse("FORBIDDEN_AGENT_ACTION")',
    noticedBy: ["a renewal overtakes a request"],
    scenarios: ["122-renewal-race"]
  },
  {
    name: "the-date-of-the-review",
    says: "A delivery may come as late as its review.",
    file: "src/projects/obstacles.ts",
    text: "const dueAt = submissionDueAt(project)",
    becomes: "const dueAt = reviewDeadline",
    noticedBy: ["a deadline refuses somebody"],
    scenarios: ["185-in-the-last-millisecond"]
  },
  {
    name: "call-another-renewal-a-state",
    says: "Whoever renews what was renewed meanwhile hears of a conflict, and not that another renewal came first.",
    file: "src/access/grants.ts",
    text: 'refuse("GENERATION_STALE")',
    becomes: 'refuse("STATE_CONFLICT")',
    noticedBy: ["another renewal refuses somebody"],
    scenarios: ["123-two-renewals"]
  },
  {
    name: "look-at-the-revision-first",
    says: "An agent that a person has paused is told to read again, and never that it has to wait for that person.",
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
    says: "Whoever acts on what has moved hears of its state, and not that they have to read it again.",
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
