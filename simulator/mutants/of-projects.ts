/** Bugs in how a project changes: what is checked, what is written, and what people are told that they could do. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfProjects: ReadonlyArray<Mutant> = [
  {
    name: "skip-the-pause-check",
    says: "An agent that has read the project again after a pause acts as if there were none.",
    file: "src/projects/admission.ts",
    text: "pauseObstacle(row.pauses.length > 0, move, { by, circumstances })",
    becomes: "pauseObstacle(false, move, { by, circumstances })",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "compare-the-revision-with-at-most",
    says: "What was planned before a pause and its end is committed after them.",
    file: "src/projects/admission.ts",
    text: "automationRevision === null || automationRevision === stored.row.automationRevision",
    becomes: "automationRevision === null || automationRevision <= stored.row.automationRevision",
    noticedBy: ["no command on a stale head"],
    scenarios: ["151-paused-and-resumed-meanwhile"]
  },
  {
    name: "take-an-earlier-head",
    says: "A command that was planned on an earlier event of the project is committed on a later one.",
    file: "src/projects/admission.ts",
    text: "expectedEventHash === stored.project.head",
    becomes: "stored.project.events.some(({ hash }) => hash === expectedEventHash)",
    noticedBy: ["no command on a stale head"],
    scenarios: ["152-a-hold-and-its-end-at-once"]
  },
  {
    name: "hand-over-and-go-on",
    says: "An agent that handed over to a person has stopped no agent.",
    file: "src/projects/automation-log.ts",
    text: "[...row.pauses, { side, by, at, reason }]",
    becomes: "row.pauses",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "stop-people-too",
    says: "A pause stops people as well, so that nobody can contest or withdraw while it stands.",
    file: "src/projects/obstacles.ts",
    text: "return !by.isPerson && stops ?",
    becomes: "return stops ?",
    noticedBy: ["the brake always works"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "lift-every-pause",
    says: "One side that resumes lifts the pause of the other side, too.",
    file: "src/projects/pause.ts",
    text: "pauses.filter(({ side }) => side !== lifting)",
    becomes: "[]",
    noticedBy: ["answered means over"],
    scenarios: ["150-read-again-after-a-pause"]
  },
  {
    name: "hint-in-spite-of-a-pause",
    says: "An agent is told that it may act on a project that is paused.",
    file: "src/projects/hints.ts",
    text: "pauseObstacle(pausedBy.length > 0, move, moment) ??",
    becomes: "",
    noticedBy: ["available actions tell the truth"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "hint-in-spite-of-the-date",
    says: "An agent is told that it may deliver when the date has passed.",
    file: "src/projects/hints.ts",
    text: "placeObstacle(project, move, moment) ??",
    becomes: "placeObstacle(project, move, { ...moment, now: project.agreement.terms.deadline }) ??",
    noticedBy: ["available actions tell the truth"],
    scenarios: ["129-deadline-tie"]
  },
  {
    name: "chain-to-the-first-event",
    says: "Every event names the first one as its predecessor, and what lies between can be left out.",
    file: "src/projects/history.ts",
    text: "previous: project.head,",
    becomes: "previous: project.events[0]?.hash ?? project.head,",
    noticedBy: ["every chain verifies"],
    scenarios: ["120-pause-race"]
  },
  {
    name: "the-first-of-two-times",
    says: "An event is dated by the clock of its process alone, also where its predecessor came later.",
    file: "src/vocabulary/instant.ts",
    text: "(a < b ? b : a)",
    becomes: "a",
    noticedBy: ["time never falls"],
    scenarios: ["163-a-clock-that-is-set-back"],
    needs: "clock of the service"
  },
  {
    name: "the-time-before-the-lock",
    says: "A command is judged and dated by the moment at which it began to wait for its project.",
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
    says: "A delivery is taken after its date.",
    file: "src/projects/obstacles.ts",
    text: 'return passed(dueAt) ? refusal("DELIVERY_DEADLINE_PASSED", { dueAt }) : undefined',
    becomes: "return undefined",
    noticedBy: ["dates are kept"],
    scenarios: ["129-deadline-tie"]
  }
]
