/** Mutants of proposal commands. */
import type { Mutant } from "./mutant.ts"

export const proposalMutants: ReadonlyArray<Mutant> = [
  {
    name: "decide-on-read-before-transaction",
    says: "A command is judged by the proposal as it was before its transaction began.",
    file: "src/proposals/commit.ts",
    text: [
      "    yield* requirePreconditions(command as ProposalCommandRequest, stored, by)",
      "    const refused = commandGuard(stored, command.command, by)"
    ].join("\n"),
    becomes: [
      "    yield* requirePreconditions(command as ProposalCommandRequest, plan.stored ?? stored, by)",
      "    const refused = commandGuard(plan.stored ?? stored, command.command, by)"
    ].join("\n"),
    killedBy: ["one project per proposal"],
    scenarios: ["races/two-acceptances"]
  },
  {
    name: "accept-earlier-proposal-head",
    says: "A command on any earlier head of a proposal is committed.",
    file: "src/proposals/commit.ts",
    text: 'if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })',
    becomes: "",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/new-version-and-hand-off"]
  },
  {
    name: "act-on-paused-proposal",
    says: "An agent that reads a paused proposal again can act on it.",
    file: "src/proposals/commit.ts",
    text: "pauseGuard({ isPaused: row.pauses.length > 0 }, by)",
    becomes: "pauseGuard({ isPaused: false }, by)",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/proposal-pause"]
  }
]
