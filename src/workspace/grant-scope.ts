/** The fields in which a person chooses what an agent reaches: exact projects and exact proposals. */
import { h } from "preact"
import type { Role } from "../access/actions.ts"
import { limits } from "../vocabulary/limits.ts"
import { checkboxGroup } from "./choices.ts"
import { descriptions, idOf, type FormState } from "./fields.ts"
import type { GrantChoices } from "./grant-choices.ts"
import { identityOfProposal } from "./grant-proposals.ts"
import { untrusted, type Element } from "./html.ts"
import { paragraph } from "./parts.ts"
import { identityOf } from "./project-identity.ts"

export const scopeFields = (state: FormState, choices: GrantChoices): ReadonlyArray<Element> => [
  projectsField(state, choices),
  proposalsField(state, choices)
]

const projectsField = (state: FormState, { projects, role }: GrantChoices): Element =>
  projects.length === 0
    ? nothingToChoose(
        state,
        "projects",
        role === "BUYER"
          ? "There is no project yet. The agent reaches those that it creates itself, and no other."
          : "You are the supplier of no project yet. You can give the agent new access later."
      )
    : checkboxGroup(state, {
        name: "projects",
        legend: "Which projects may it reach?",
        hint: "It reaches exactly these, and those that it creates itself.",
        choices: projects.map((project) => ({
          value: project.projectId,
          label: untrusted(project.title),
          hint: identityOf(project)
        }))
      })

const proposalsField = (state: FormState, { proposals, areMoreProposals, role }: GrantChoices): Element =>
  proposals.length === 0
    ? nothingToChoose(state, "proposals", withoutProposals[role])
    : checkboxGroup(state, {
        name: "proposals",
        legend: "Which proposals may it reach?",
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
  BUYER: "It reaches exactly these; of one that is accepted for this organization, the agreement too that comes of it.",
  SUPPLIER: `It reaches exactly these, and those that it writes itself, up to ${limits.proposalsPerGrant} in all; of one that is accepted, the agreement too that comes of it.`
}

const withoutProposals: { readonly [R in Role]: string } = {
  BUYER: "No open proposal is addressed to you.",
  SUPPLIER: `There is no open proposal of your organization. The agent reaches those that it writes itself, up to ${limits.proposalsPerGrant}, and no other; of one that is accepted, the agreement too that comes of it.`
}

/** The summary's link leads here too, where what was chosen is gone. */
const nothingToChoose = (state: FormState, name: string, said: string): Element =>
  h("div", { id: idOf(name), tabIndex: -1 }, descriptions(state, { name }), paragraph(said))
