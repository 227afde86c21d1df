/** Labels of drafts: author, state and missing fields. */
import type { DraftView } from "../../drafts/person-wire.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { badge } from "../kit/parts.ts"

type Draft = typeof DraftView.Type

export const preparerText = ({ name, agentName }: Draft["preparedBy"]): Content =>
  agentName === null ? untrusted(name) : [untrusted(agentName), ", an agent of ", untrusted(name)]

export const draftStateBadge = (state: Draft["state"]): Element => {
  const { kind, text } = badges[state]
  return badge(kind, text)
}

const badges = {
  DRAFT: { kind: "waiting", text: "draft" },
  COMMITTED: { kind: "good", text: "finished" },
  DISCARDED: { kind: "ended", text: "discarded" }
} as const

/** The label of a missing member of the creation input. */
export const missingFieldLabel = (name: string): string => {
  const [, row, part] = /^criteria\[(\d+)\]\.(\w+)$/.exec(name) ?? []
  return row === undefined ? (fieldLabels[name] ?? name) : `the ${part} of criterion ${Number(row) + 1}`
}

const fieldLabels: Readonly<Record<string, string>> = {
  title: "a title",
  scope: "the scope",
  buyerName: "the buyer’s name",
  supplierName: "the supplier’s name",
  supplierReference: "the reference of the supplier",
  criteria: "a criterion",
  deadline: "the delivery date",
  reviewDeadline: "the review date",
  baselineStatement: "the state at the start",
  "termsPolicy.purpose": "the purpose",
  "termsPolicy.contractBasis": "which contract it is",
  "termsPolicy.contractReference": "the reference of the contract",
  "termsPolicy.contractClauses": "the clauses of the contract",
  "termsPolicy.sharing": "what is shared with whom",
  "originals.custodian": "who keeps the originals",
  "originals.location": "where the originals are",
  "originals.access": "who may open the originals",
  "signing.method": "how it is signed",
  "signing.principal": "who signs for the buyer",
  "signing.agreementSignBy": "the date for signing the agreement",
  "signing.acceptanceSignBy": "the date for signing the acceptance",
  "recipient.actorId": "which person receives it",
  "recipient.reference": "which of your contacts that is"
}
