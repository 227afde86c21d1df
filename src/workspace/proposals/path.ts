/** The paths of proposal pages. */

export const proposalsPath = "/workspace/proposals"
export const newProposalPath = "/workspace/proposals/new"
export const proposalFromEntriesPath = "/workspace/proposals/new/entries"
