/** Labels of drafts: author, state and missing fields. */
import type { DraftView } from "../../drafts/person-wire.ts"
import { pathText } from "../../projects/terms.ts"
import { fields } from "../agreements/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { badge } from "../kit/parts.ts"

type Draft = typeof DraftView.Type

export const preparerText = ({ name, agentName }: Draft["preparedBy"]): Content =>
  agentName === null ? untrusted(name) : [untrusted(agentName), ", an agent of ", untrusted(name)]

export const draftStateBadge = (state: Draft["state"]): Element => {
  const { kind, name } = draftStateLabels[state]
  return badge(kind, name)
}

export const draftStateLabels = {
  DRAFT: { kind: "waiting", name: "draft" },
  COMMITTED: { kind: "good", name: "finished" },
  DISCARDED: { kind: "ended", name: "discarded" }
} as const

/** The label of a missing member of the creation input. */
export const missingFieldLabel = (name: string): string => {
  const [, row, part] = /^criteria\[(\d+)\]\.(\w+)$/.exec(name) ?? []
  if (row !== undefined) return `the ${part} of criterion ${Number(row) + 1}`
  const field = fields.find(({ path }) => pathText(path) === name)
  return field?.missing ?? field?.noun ?? otherLabels[name] ?? name
}

const otherLabels: { readonly [name: string]: string } = {
  criteria: "a criterion",
  "recipient.actorId": "which person receives it",
  "recipient.reference": "which of your contacts that is"
}
