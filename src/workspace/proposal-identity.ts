/** What tells one proposal from another that uses the same words: its id, who proposes it, and to whom. */
import { h } from "preact"
import { untrusted, type Content, type Element } from "./html.ts"
import { facts, paragraph } from "./parts.ts"
import { personOf } from "./project-identity.ts"
import type { SeenProposal } from "./proposal-seen.ts"
import { isProposalAct, proposalStateWords } from "./proposal-words.ts"

export const proposalPath = (proposalId: string): `/workspace/${string}` => `/workspace/proposals/${proposalId}`

/** At the head of a page that is about one of them; the title is its author's own. */
export const titledProposal = (seen: SeenProposal): Element => {
  const { view, proposalId } = seen
  return paragraph(
    untrusted(view.proposal.terms.title),
    h("br", null),
    h("code", null, proposalId),
    `, version ${view.proposal.version}`,
    h("br", null),
    "Proposed by ",
    authorOf(seen),
    " to ",
    recipientOf(seen),
    "."
  )
}

export const authorOf = ({ view, organizationName, nameOf }: SeenProposal): Content => [
  untrusted(organizationName),
  ", with ",
  personOf(view.proposal.supplier.actorId, nameOf),
  " for the supplier"
]

/** Under the author's own reference, which nobody else is shown. */
export const recipientOf = ({ view, nameOf }: SeenProposal): Content => {
  const { actorId, reference } = view.proposal.recipient
  return [personOf(actorId, nameOf), reference === null ? null : [", known to you as ", untrusted(reference)]]
}

/** Said to whoever stands on the side that is to act, and may not. */
const notTheirs = "This is not yours to do: it takes a membership that lets you write, send and answer proposals."

/** How it stands, what this side does next, and what the other one does. */
export const standingFacts = ({ view }: SeenProposal): Element => {
  const { role, proposal, availableActions, blockedActions } = view
  const mayAct = [...availableActions, ...blockedActions.map(({ action }) => action)].some(isProposalAct)
  const { name, meaning, step } = proposalStateWords[proposal.state][role]
  const other = proposalStateWords[proposal.state][role === "BUYER" ? "SUPPLIER" : "BUYER"]
  const ownStep = step === undefined || mayAct ? step : `It waits for your side. ${notTheirs}`
  return facts([
    ["State", [`${name}. `, meaning]],
    ["You", ownStep ?? (other.step === undefined ? "Nothing more here." : "You wait for the other side.")],
    ["Version", `${proposal.version}`],
    ...(role === "SUPPLIER"
      ? [
          [
            "Version published last",
            proposal.publishedVersion === null ? "none" : `${proposal.publishedVersion}`
          ] as const
        ]
      : [])
  ])
}
