/** Mutants of proposal commands. */
import type { Mutant } from "./mutant.ts"

export const proposalMutants: ReadonlyArray<Mutant> = [
  {
    name: "decide-on-read-before-transaction",
    says: "A command is judged by the proposal as it was before its transaction began.",
    file: "src/proposals/commit.ts",
    text: [
      "    headGuard: ({ stored: { row } }, by) =>",
      "      expectedProposalHead === row.headEventHash",
      "        ? undefined",
      '        : refusal("STALE_PROPOSAL_HEAD", { current: proposalPreconditions(row, by.side) }),',
      "    commandGuard: ({ stored }, by) => commandGuard(stored, command, by),"
    ].join("\n"),
    becomes: [
      "    headGuard: ({ stored }) =>",
      "      expectedProposalHead === (plan.stored ?? stored).row.headEventHash",
      "        ? undefined",
      '        : refusal("STALE_PROPOSAL_HEAD"),',
      "    commandGuard: ({ stored }, by) => commandGuard(plan.stored ?? stored, command, by),"
    ].join("\n"),
    killedBy: ["one project per proposal"],
    scenarios: ["races/two-acceptances"]
  },
  {
    name: "accept-earlier-proposal-head",
    says: "A command on any earlier head of a proposal is committed.",
    file: "src/proposals/commit.ts",
    text: "expectedProposalHead === row.headEventHash",
    becomes: "true",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/new-version-and-hand-off"]
  },
  {
    name: "act-on-paused-proposal",
    says: "An agent that reads a paused proposal again can act on it.",
    file: "src/proposals/commit.ts",
    text: "pauseGuard({ isPaused: stored.row.pauses.length > 0 }, by)",
    becomes: "pauseGuard({ isPaused: false }, by)",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/proposal-pause"]
  }
]
