/** The addresses of proposals among the pages. */

export const proposalsPath = "/workspace/proposals"
export const newProposalPath = "/workspace/proposals/new"
