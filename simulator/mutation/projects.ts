/** Mutants of project commands: preconditions, events and available actions. */
import type { Mutant } from "./mutant.ts"

export const projectMutants: ReadonlyArray<Mutant> = [
  {
    name: "skip-the-pause-check",
    says: "An agent that reads the project again after a pause can act on it.",
    file: "src/projects/command-checks.ts",
    text: "pauseGuard(row.pauses.length > 0, moveIn(context), {",
    becomes: "pauseGuard(false, moveIn(context), {",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/read-after-pause"]
  },
  {
    name: "accept-earlier-automation-revision",
    says: "A command that was planned before a pause and its resumption is committed after them.",
    file: "src/projects/command-checks.ts",
    text: "automationRevision === null || automationRevision === stored.row.automationRevision",
    becomes: "automationRevision === null || automationRevision <= stored.row.automationRevision",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/pause-and-resumption"]
  },
  {
    name: "accept-earlier-head",
    says: "A command on an earlier head of the project is committed.",
    file: "src/projects/command-checks.ts",
    text: "expectedEventHash === stored.project.head",
    becomes: "stored.project.events.some(({ hash }) => hash === expectedEventHash)",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/hold-and-its-end"]
  },
  {
    name: "hand-off-without-pause",
    says: "A hand-off does not pause the project.",
    file: "src/projects/automation-log.ts",
    text: "[...row.pauses, pause]",
    becomes: "row.pauses",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/read-after-pause"]
  },
  {
    name: "pause-blocks-people",
    says: "A pause blocks people as well, so that no person can contest or withdraw during it.",
    file: "src/projects/guards.ts",
    text: "return !by.isPerson && stops ?",
    becomes: "return stops ?",
    killedBy: ["stop is always available"],
    scenarios: ["races/pause-and-submission"]
  },
  {
    name: "resume-both-sides",
    says: "A side that resumes also removes the pause of the other side.",
    file: "src/projects/pause.ts",
    text: "{ side, by, at, reason }] : others",
    becomes: "{ side, by, at, reason }] : []",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/read-after-pause"]
  },
  {
    name: "list-actions-while-paused",
    says: "The view of an agent lists actions on a paused project.",
    file: "src/projects/hints.ts",
    text: "pauseGuard(pausedBy.length > 0, move, moment) ??",
    becomes: "",
    killedBy: ["available actions are accurate"],
    scenarios: ["races/pause-and-submission"]
  },
  {
    name: "list-submission-after-deadline",
    says: "The view of an agent lists the submission after its deadline.",
    file: "src/projects/hints.ts",
    text: "stateGuard(project, move, moment) ??",
    becomes: "stateGuard(project, move, { ...moment, now: project.agreement.terms.deadline }) ??",
    killedBy: ["available actions are accurate"],
    scenarios: ["races/deadline-and-grant-expiry"]
  },
  {
    name: "chain-to-first-event",
    says: "Every event names the first event as its predecessor, so that events between them can be omitted.",
    file: "src/projects/history.ts",
    text: "previous: project.head,",
    becomes: "previous: project.events[0]?.hash ?? project.head,",
    killedBy: ["every chain verifies"],
    scenarios: ["races/pause-and-submission"]
  },
  {
    name: "event-time-by-local-clock",
    says: "An event is dated by the clock of its process alone, even if its predecessor has a later date.",
    file: "src/vocabulary/instant.ts",
    text: "(a < b ? b : a)",
    becomes: "a",
    killedBy: ["event timestamps are monotonic"],
    scenarios: ["races/clock-set-back"],
    needs: "clock of the service"
  },
  {
    name: "time-before-lock",
    says: "A command is judged and dated by the time at which it began to wait for the lock of its project.",
    file: "src/pipeline/pipeline.ts",
    text: [
      "  inTransaction(plan, function* (transaction) {",
      "    const checked = yield* checkCommand(transaction, checks)",
      '    if (checked._tag !== "Decided") return checked',
      "    const result = yield* effect.apply(transaction, checked)",
      "    yield* effect.record(transaction, result, checked.now)",
      "    return { ...checked, result }",
      "  })"
    ].join("\n"),
    becomes: [
      "  Effect.gen(function* () {",
      "    const before = yield* inTransaction({ locks: [] }, (early) => early.now)",
      "    return yield* inTransaction(plan, function* (held) {",
      "      const transaction = { ...held, now: Effect.succeed(before) }",
      "      const checked = yield* checkCommand(transaction, checks)",
      '      if (checked._tag !== "Decided") return checked',
      "      const result = yield* effect.apply(transaction, checked)",
      "      yield* effect.record(transaction, result, checked.now)",
      "      return { ...checked, result }",
      "    })",
      "  })"
    ].join("\n"),
    killedBy: ["deadlines enforced at commit"],
    scenarios: ["races/judged-at-lock-time"]
  },
  {
    name: "no-submission-deadline",
    says: "A delivery is accepted after its deadline.",
    file: "src/projects/moves.ts",
    text: "deadlines: [conditions.submissionDeadline],",
    becomes: "",
    killedBy: ["deadlines enforced at commit"],
    scenarios: ["races/deadline-and-grant-expiry"]
  }
]
