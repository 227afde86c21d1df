/** Mutants of proposal commands. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfProposals: ReadonlyArray<Mutant> = [
  {
    name: "decide-on-what-was-read-before",
    says: "A command is judged by the proposal as it was before its transaction began.",
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
    says: "A command on any earlier head of a proposal is committed.",
    file: "src/proposals/commit.ts",
    text: 'if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })',
    becomes: "",
    noticedBy: ["no command on a stale head"],
    scenarios: ["161-rewritten-and-handed-over"]
  },
  {
    name: "answer-a-paused-proposal",
    says: "An agent that reads a paused proposal again can act on it.",
    file: "src/proposals/commit.ts",
    text: "pauseObstacle({ isPaused: row.pauses.length > 0 }, by)",
    becomes: "pauseObstacle({ isPaused: false }, by)",
    noticedBy: ["answered means over"],
    scenarios: ["160-a-paused-proposal"]
  }
]
