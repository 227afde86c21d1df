/** What tells one project from another that uses the same words: its id, who made it and when; its words come last. */
import { h } from "preact"
import type { NamedParty, NamedProject } from "../projects/named.ts"
import { untrusted, type Content, type Element } from "./html.ts"
import { paragraph, time } from "./parts.ts"
import { stateWords } from "./words.ts"

/** Beside a title, which is the agreement's own. */
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
    "The title and this are the agreement’s own words: ",
    ownWords(project)
  ]
}

/** The same with the title, at the head of a page that is about one of them. */
export const titledIdentity = (project: NamedProject): Element =>
  paragraph(untrusted(project.title), h("br", null), identityOf(project))

/** A name that a person or an organization has here; anybody may choose one, so it stands with its kind. */
export const partyName = ({ personName, organizationName }: NamedParty): Content => [
  personName === null ? "nobody named yet" : untrusted(personName),
  personName === null ? null : organizationName === null ? " (organization not known yet)" : " for ",
  organizationName === null ? null : untrusted(organizationName)
]

/** A person with their id: anybody may choose a name, and nobody an id. */
export const personOf = (personId: string, nameOf: (personId: string) => string): Content => {
  const name = nameOf(personId)
  const id = h("code", null, personId)
  return name === personId ? id : [untrusted(name), " (", id, ")"]
}

/** The parties as whoever made the agreement calls them. */
export const ownWords = ({ buyerName, supplierName }: NamedProject): Content => [
  untrusted(buyerName),
  " buys, ",
  untrusted(supplierName),
  " supplies."
]
