/** Identifies a project independently of its title: id, creator, creation time and parties. */
import { h } from "preact"
import type { NamedParty, NamedProject } from "../projects/named.ts"
import { untrusted, type Content, type Element } from "./html.ts"
import { paragraph, time } from "./parts.ts"
import { stateWords } from "./words.ts"

/** Identifies a project beside its title, which is the agreement's text. */
export const identityOf = (project: NamedProject): Content => {
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
    stateWords[state].name,
    ".",
    h("br", null),
    "The title and these names are the agreement’s own text: ",
    ownWords(project)
  ]
}

/** The same with the title, at the top of a project's page. */
export const titledIdentity = (project: NamedProject): Element =>
  paragraph(untrusted(project.title), h("br", null), identityOf(project))

/** The registered name of a party with its kind; names are freely chosen and not unique. */
export const partyName = ({ personName, organizationName }: NamedParty): Content => [
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
export const ownWords = ({ buyerName, supplierName }: NamedProject): Content => [
  untrusted(buyerName),
  " buys, ",
  untrusted(supplierName),
  " supplies."
]
