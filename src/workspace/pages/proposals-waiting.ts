/** Which proposals wait for a person, and those on the start page. */
import { Effect } from "effect"
import type { readStanding } from "../../people/standing.ts"
import { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { untrusted, type Content } from "../html.ts"
import { linkTo, paragraph, table } from "../parts.ts"
import { proposalPath } from "../proposal-identity.ts"
import { isStepOf, proposalStateWords } from "../proposal-words.ts"
import { proposalsPath } from "./proposals-path.ts"

export type OwnProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]
type Membership = Effect.Success<ReturnType<typeof readStanding>>["memberships"][number]

/** True where it waits for the person's side, and the person may do what it waits for. */
export const isWaiting = (
  { state, role, supplier }: OwnProposal,
  memberships: ReadonlyArray<Pick<Membership, "isInForce" | "organizationId" | "authorities">>
): boolean =>
  isStepOf(state, role) &&
  memberships.some(
    ({ isInForce, organizationId, authorities }) =>
      isInForce &&
      authorities.includes("PROPOSAL_MANAGE") &&
      (organizationId === supplier.organizationId) === (role === "SUPPLIER")
  )

/** How many the start page shows of them. */
const mostAtStart = 20

/** Those that wait for the person's answer; nothing where none does. The list has those that have no room here. */
export const answersTable = (proposals: ReadonlyArray<OwnProposal>): Content =>
  proposals.length === 0
    ? null
    : [
        table({
          caption: "Proposals that wait for your answer",
          columns: ["Proposal", "What is next"],
          rows: proposals
            .slice(0, mostAtStart)
            .map(({ id, title, state }) => [
              linkTo(proposalPath(id), untrusted(title)),
              proposalStateWords[state].BUYER.step
            ]),
          empty: ""
        }),
        proposals.length <= mostAtStart
          ? null
          : paragraph(
              `Only the newest ${mostAtStart} are shown. `,
              linkTo(proposalsPath, "See all that wait for your answer")
            )
      ]
