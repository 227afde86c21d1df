/** The fields for an agent's scope: individual projects and proposals. */
import { h } from "preact"
import type { Role } from "../../access/actions.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkboxGroup } from "../kit/choices.ts"
import { descriptions, idOf, type FormState } from "../kit/fields.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { paragraph } from "../kit/parts.ts"
import { identityOf } from "../projects/identity.ts"
import type { GrantChoices } from "./grant-choices.ts"
import { identityOfProposal } from "./grant-proposals.ts"

export const scopeFields = (state: FormState, choices: GrantChoices): ReadonlyArray<Element> => [
  projectsField(state, choices),
  proposalsField(state, choices)
]

const projectsField = (state: FormState, { projects, role }: GrantChoices): Element =>
  projects.length === 0
    ? emptyChoice(
        state,
        "projects",
        role === "BUYER"
          ? "There is no project yet. The agent has access only to projects that it creates itself."
          : "You are the supplier of no project yet. You can create another grant for the agent later."
      )
    : checkboxGroup(state, {
        name: "projects",
        legend: "Which projects may it access?",
        hint: "It has access to exactly these and to those that it creates itself.",
        choices: projects.map((project) => ({
          value: project.projectId,
          label: untrusted(project.title),
          hint: identityOf(project)
        }))
      })

const proposalsField = (state: FormState, { proposals, areMoreProposals, role }: GrantChoices): Element =>
  proposals.length === 0
    ? emptyChoice(state, "proposals", noProposalTexts[role])
    : checkboxGroup(state, {
        name: "proposals",
        legend: "Which proposals may it access?",
        hint: [
          proposalHints[role],
          areMoreProposals === true ? ` Only the first ${proposals.length} are shown.` : null
        ],
        choices: proposals.map((proposal) => ({
          value: proposal.id,
          label: untrusted(proposal.title),
          hint: identityOfProposal(proposal)
        }))
      })

const proposalHints: { readonly [R in Role]: string } = {
  BUYER: "It has access to exactly these, and to the agreement made when one is accepted for this organization.",
  SUPPLIER: `It has access to exactly these and to those that it writes itself, up to ${limits.proposalsPerGrant} in all, and to the agreement made when one is accepted.`
}

const noProposalTexts: { readonly [R in Role]: string } = {
  BUYER: "No open proposal is addressed to you.",
  SUPPLIER: `Your organization has no open proposal. The agent has access only to those that it writes itself, up to ${limits.proposalsPerGrant}, and to the agreement made when one is accepted.`
}

/** The error summary links here where the options of the field no longer exist. */
const emptyChoice = (state: FormState, name: string, text: string): Element =>
  h("div", { id: idOf(name), tabIndex: -1 }, descriptions(state, { name }), paragraph(text))
