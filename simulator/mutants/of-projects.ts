/** Mutants of project commands: preconditions, events and available actions. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfProjects: ReadonlyArray<Mutant> = [
  {
    name: "skip-the-pause-check",
    says: "An agent that reads the project again after a pause can act on it.",
    file: "src/projects/admission.ts",
    text: "pauseObstacle(row.pauses.length > 0, move, { by, circumstances })",
    becomes: "pauseObstacle(false, move, { by, circumstances })",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "compare-the-revision-with-at-most",
    says: "A command that was planned before a pause and its resumption is committed after them.",
    file: "src/projects/admission.ts",
    text: "automationRevision === null || automationRevision === stored.row.automationRevision",
    becomes: "automationRevision === null || automationRevision <= stored.row.automationRevision",
    noticedBy: ["no command on a stale head"],
    scenarios: ["151-paused-and-resumed-meanwhile"]
  },
  {
    name: "take-an-earlier-head",
    says: "A command on an earlier head of the project is committed.",
    file: "src/projects/admission.ts",
    text: "expectedEventHash === stored.project.head",
    becomes: "stored.project.events.some(({ hash }) => hash === expectedEventHash)",
    noticedBy: ["no command on a stale head"],
    scenarios: ["152-a-hold-and-its-end-at-once"]
  },
  {
    name: "hand-over-and-go-on",
    says: "A hand-off does not pause the project.",
    file: "src/projects/automation-log.ts",
    text: "[...row.pauses, { side, by, at, reason }]",
    becomes: "row.pauses",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "stop-people-too",
    says: "A pause blocks people as well, so that no person can contest or withdraw during it.",
    file: "src/projects/obstacles.ts",
    text: "return !by.isPerson && stops ?",
    becomes: "return stops ?",
    noticedBy: ["the brake always works"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "lift-every-pause",
    says: "A side that resumes also removes the pause of the other side.",
    file: "src/projects/pause.ts",
    text: "pauses.filter(({ side }) => side !== lifting)",
    becomes: "[]",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "hint-in-spite-of-a-pause",
    says: "The view of an agent lists actions on a paused project.",
    file: "src/projects/hints.ts",
    text: "pauseObstacle(pausedBy.length > 0, move, moment) ??",
    becomes: "",
    noticedBy: ["available actions tell the truth"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "hint-in-spite-of-the-date",
    says: "The view of an agent lists the submission after its deadline.",
    file: "src/projects/hints.ts",
    text: "placeObstacle(project, move, moment) ??",
    becomes: "placeObstacle(project, move, { ...moment, now: project.agreement.terms.deadline }) ??",
    noticedBy: ["available actions tell the truth"],
    scenarios: ["129-deadline-tie"]
  },
  {
    name: "chain-to-the-first-event",
    says: "Every event names the first event as its predecessor, so that events between them can be omitted.",
    file: "src/projects/history.ts",
    text: "previous: project.head,",
    becomes: "previous: project.events[0]?.hash ?? project.head,",
    noticedBy: ["every chain verifies"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "the-first-of-two-times",
    says: "An event is dated by the clock of its process alone, even if its predecessor has a later date.",
    file: "src/vocabulary/instant.ts",
    text: "(a < b ? b : a)",
    becomes: "a",
    noticedBy: ["time never falls"],
    scenarios: ["163-a-clock-that-is-set-back"],
    needs: "clock of the service"
  },
  {
    name: "the-time-before-the-lock",
    says: "A command is judged and dated by the time at which it began to wait for the lock of its project.",
    file: "src/projects/commit.ts",
    text: [
      "  return yield* storage.transaction(plan, (transaction) =>",
      "    Effect.gen(function* (): Effect.fn.Return<Committed, Refused, Signer | Installation | CommittedEvents> {"
    ].join("\n"),
    becomes: [
      "  const before = yield* storage.transaction({ roots: [] }, (early) => early.now)",
      "  return yield* storage.transaction(plan, (held) =>",
      "    Effect.gen(function* (): Effect.fn.Return<Committed, Refused, Signer | Installation | CommittedEvents> {",
      "      const transaction = { ...held, now: Effect.succeed(before) }"
    ].join("\n"),
    noticedBy: ["dates are kept"],
    scenarios: ["164-long-before-its-turn"]
  },
  {
    name: "no-date-for-a-delivery",
    says: "A delivery is accepted after its deadline.",
    file: "src/projects/obstacles.ts",
    text: 'return passed(dueAt) ? refusal("DELIVERY_DEADLINE_PASSED", { dueAt }) : undefined',
    becomes: "return undefined",
    noticedBy: ["dates are kept"],
    scenarios: ["129-deadline-tie"]
  }
]
