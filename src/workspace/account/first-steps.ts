/** The first steps of a person whose organizations have nothing yet. */
import { Effect } from "effect"
import { listGrantPage } from "../../access/grants.ts"
import { confers, type Authority } from "../../people/membership.ts"
import { listNextActions } from "../../projects/newest-projects.ts"
import { listProposalPage } from "../../proposals/person-operations.ts"
import type { NewestPage } from "../../ports/storage/newest-page.ts"
import { linkTo, list, section } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { Membership } from "../organization/own-membership.ts"
import { newProposalPath } from "../proposals/path.ts"

/** Null for a person with a project, a proposal or an agent, or without a step to take. */
export const firstSteps = Effect.fnUntraced(function* (
  person: Visitor["person"],
  memberships: ReadonlyArray<Membership>
) {
  const steps = possibleSteps.filter(({ authority }) =>
    memberships.some(({ authorities }) => confers(authorities, authority))
  )
  if (steps.length === 0 || (yield* hasAnything(person, memberships))) return null
  return section(
    "First steps",
    "Your organizations have no project, proposal or agent yet. You can begin with any of these:",
    list(steps.map(({ path, label, text }) => [linkTo(path, label), `: ${text}`]))
  )
})

const hasAnything = Effect.fnUntraced(function* (person: Visitor["person"], memberships: ReadonlyArray<Membership>) {
  const one = { limit: 1 }
  if (hasItem(yield* listNextActions(person, memberships, {}, one))) return true
  if (hasItem(yield* listProposalPage(person, {}, one))) return true
  return hasItem(yield* listGrantPage(person, {}, one))
})

/** Also where the newest one is not shown to the person, and older ones follow. */
const hasItem = ({ items, older }: NewestPage<unknown>): boolean => items.length > 0 || older !== null

interface FirstStep {
  readonly authority: Authority
  readonly path: `/workspace/${string}`
  readonly label: string
  readonly text: string
}

const possibleSteps: ReadonlyArray<FirstStep> = [
  {
    authority: "AGREEMENT_CREATE",
    path: "/workspace/projects/new",
    label: "Make an agreement",
    text: "you buy, and name the terms and the supplier."
  },
  {
    authority: "PROPOSAL_MANAGE",
    path: newProposalPath,
    label: "Write a proposal",
    text: "you supply, and offer terms to one person."
  },
  {
    authority: "DELEGATE",
    path: "/workspace/connect",
    label: "Connect an agent",
    text: "it acts in your name, as far as you let it."
  },
  {
    authority: "MEMBERS_MANAGE",
    path: "/workspace/members",
    label: "Invite a member",
    text: "another person acts for your organization."
  }
]
