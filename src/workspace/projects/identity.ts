/** Identifies a project independently of its title: id, creator, creation time and parties. */
import { h } from "preact"
import type { PartyNames, ProjectWithPartyNames } from "../../projects/party-names.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { paragraph, time } from "../kit/parts.ts"
import { stateLabels } from "../kit/labels.ts"

/** Identifies a project beside its title, which is the agreement's text. */
export const identityOf = (project: ProjectWithPartyNames): Content => {
  const { projectId, createdAt, state, buyer, supplier } = project
  return [
    h("code", null, projectId),
    h("br", null),
    "Made by ",
    partyName(buyer),
    " on ",
    time(createdAt),
    "; supplier: ",
    partyName(supplier),
    "; ",
    stateLabels[state].name,
    ".",
    h("br", null),
    "The title and these names are the agreement’s own text: ",
    statedParties(project)
  ]
}

/** The same with the title, at the top of a project's page. */
export const titleWithIdentity = (project: ProjectWithPartyNames): Element =>
  paragraph(untrusted(project.title), h("br", null), identityOf(project))

/** The registered name of a party with its kind; names are freely chosen and not unique. */
export const partyName = ({ personName, organizationName }: PartyNames): Content => [
  personName === null ? "not named yet" : untrusted(personName),
  personName === null ? null : organizationName === null ? " (organization not known yet)" : " for ",
  organizationName === null ? null : untrusted(organizationName)
]

/** A person with their id: names are freely chosen, ids are unique. */
export const personOf = (personId: string, nameOf: (personId: string) => string): Content => {
  const name = nameOf(personId)
  const id = h("code", null, personId)
  return name === personId ? id : [untrusted(name), " (", id, ")"]
}

/** The parties as the agreement's text names them. */
export const statedParties = ({ buyerName, supplierName }: ProjectWithPartyNames): Content => [
  untrusted(buyerName),
  " buys, ",
  untrusted(supplierName),
  " supplies."
]
