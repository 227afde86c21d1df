/** The terms of a proposal in the version that the viewer sees. */
import type { Element } from "../kit/html.ts"
import { termsFacts } from "../projects/terms.ts"
import type { ProposalPageModel } from "./read-model.ts"

export const proposalTermsFacts = ({ view, nameOf }: ProposalPageModel): Element =>
  termsFacts(view.proposal.terms, nameOf)
