/** The proposals that await a person's action, and their table on the start page. */
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

/** True where the proposal awaits an action of the person's party that the person may take. */
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

/** The maximum number of rows on the start page. */
const maxRows = 20

/** The proposals that await the person's answer; the list of proposals has the remaining ones. */
export const answersTable = (proposals: ReadonlyArray<OwnProposal>): Content =>
  proposals.length === 0
    ? null
    : [
        table({
          caption: "Proposals that wait for your answer",
          columns: ["Proposal", "What is next"],
          rows: proposals
            .slice(0, maxRows)
            .map(({ id, title, state }) => [
              linkTo(proposalPath(id), untrusted(title)),
              proposalStateWords[state].BUYER.step
            ]),
          empty: ""
        }),
        proposals.length <= maxRows
          ? null
          : paragraph(
              `Only the newest ${maxRows} are shown. `,
              linkTo(proposalsPath, "See all that wait for your answer")
            )
      ]
