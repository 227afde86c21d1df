/** The proposals that await a person's action, and their table on the start page. */
import { Effect } from "effect"
import type { readProfile } from "../../people/profile.ts"
import { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { linkTo, paragraph, table } from "../kit/parts.ts"
import { proposalPath } from "./identity.ts"
import { hasNextAction, proposalStateLabels } from "./labels.ts"
import { proposalsPath } from "./path.ts"

export type OwnProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]
type Membership = Effect.Success<ReturnType<typeof readProfile>>["memberships"][number]

/** True where the proposal awaits an action of the person's party that the person may take. */
export const awaitsPerson = (
  { state, role, supplier }: OwnProposal,
  memberships: ReadonlyArray<Pick<Membership, "isInForce" | "organizationId" | "authorities">>
): boolean =>
  hasNextAction(state, role) &&
  memberships.some(
    ({ isInForce, organizationId, authorities }) =>
      isInForce &&
      authorities.includes("PROPOSAL_MANAGE") &&
      (organizationId === supplier.organizationId) === (role === "SUPPLIER")
  )

/** The maximum number of rows on the start page. */
const maxRows = 20

/** The proposals that await the person's answer; the list of proposals has the remaining ones. */
export const awaitingAnswerTable = (proposals: ReadonlyArray<OwnProposal>): Content =>
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
              proposalStateLabels[state].BUYER.step
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
