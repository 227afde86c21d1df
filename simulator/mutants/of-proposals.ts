/** Bugs in how a proposal changes and becomes an agreement. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfProposals: ReadonlyArray<Mutant> = [
  {
    name: "decide-on-what-was-read-before",
    says: "A command is judged by the proposal as it was when its transaction had not begun.",
    file: "src/proposals/commit.ts",
    text: [
      "      yield* requirePreconditions(command, stored, by)",
      "      const obstacle = commandObstacle(stored, command.command, by)"
    ].join("\n"),
    becomes: [
      "      yield* requirePreconditions(command, planned.stored ?? stored, by)",
      "      const obstacle = commandObstacle(planned.stored ?? stored, command.command, by)"
    ].join("\n"),
    noticedBy: ["one final project a proposal"],
    scenarios: ["124-proposal-race"]
  },
  {
    name: "take-an-earlier-proposal",
    says: "A command on a proposal is committed, whichever event it was planned on.",
    file: "src/proposals/commit.ts",
    text: 'if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })',
    becomes: "",
    noticedBy: ["no command on a stale head"],
    scenarios: ["161-rewritten-and-handed-over"]
  },
  {
    name: "answer-a-paused-proposal",
    says: "An agent that has read a paused proposal again acts on it.",
    file: "src/proposals/commit.ts",
    text: "pauseObstacle({ isPaused: row.pauses.length > 0 }, by)",
    becomes: "pauseObstacle({ isPaused: false }, by)",
    noticedBy: ["answered means over"],
    scenarios: ["160-a-paused-proposal"]
  }
]
