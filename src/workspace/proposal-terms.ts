/** The terms of a proposal in the version that the viewer sees. */
import type { Element } from "./html.ts"
import { termsFacts } from "./project-terms.ts"
import type { SeenProposal } from "./proposal-seen.ts"

export const proposedTerms = ({ view, nameOf }: SeenProposal): Element => termsFacts(view.proposal.terms, nameOf)
