/** Identifies a proposal independently of its title: id, author and recipient. */
import { h } from "preact"
import { isOwnAct } from "../commands/subject.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { facts, paragraph } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { proposalActLabels, proposalStateLabels } from "./labels.ts"

export const proposalPath = (proposalId: string): `/workspace/${string}` => `/workspace/proposals/${proposalId}`

/** The title and identity at the top of a proposal's page; the title is its author's text. */
export const proposalTitleWithIdentity = (model: ProposalPageModel): Element => {
  const { view, proposalId } = model
  return paragraph(
    untrusted(view.proposal.terms.title),
    h("br", null),
    h("code", null, proposalId),
    `, version ${view.proposal.version}`,
    h("br", null),
    "Proposed by ",
    authorOf(model),
    " to ",
    recipientOf(model),
    "."
  )
}

export const authorOf = ({ view, organizationName, nameOf }: ProposalPageModel): Content => [
  untrusted(organizationName),
  ", with ",
  personOf(view.proposal.supplier.actorId, nameOf),
  " for the supplier"
]

/** The recipient, with the author's own reference where the viewer may see it. */
export const recipientOf = ({ view, nameOf }: ProposalPageModel): Content => {
  const { actorId, reference } = view.proposal.recipient
  return [personOf(actorId, nameOf), reference === null ? null : [", known to you as ", untrusted(reference)]]
}

/** Shown to members of the acting party who lack the authority. */
const missingAuthority =
  "You cannot do this: it requires a membership that permits writing, publishing and answering proposals."

/** The state, and the next action of each party. */
export const proposalStateFacts = ({ view }: ProposalPageModel): Element => {
  const { role, proposal } = view
  const mayAct = isOwnAct({ hints: view }, Object.keys(proposalActLabels))
  const { name, meaning, step } = proposalStateLabels[proposal.state][role]
  const other = proposalStateLabels[proposal.state][role === "BUYER" ? "SUPPLIER" : "BUYER"]
  const ownStep = step === undefined || mayAct ? step : `It waits for your party. ${missingAuthority}`
  return facts([
    ["State", [`${name}. `, meaning]],
    ["You", ownStep ?? (other.step === undefined ? "Nothing more here." : "You wait for the other party.")],
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
