/** The outputs of proposals (2.8). */
import { Schema } from "effect"
import { actions, roles } from "../access/actions.ts"
import { OrganizationId } from "../people/wire.ts"
import { Automation, blockedActionsOf } from "../projects/output.ts"
import { ProposedTerms } from "./input.ts"
import { proposalStates } from "./proposal.ts"

const summary = {
  id: Schema.String,
  state: Schema.Literals(proposalStates),
  version: Schema.Int,
  publishedVersion: Schema.NullOr(Schema.Int),
  digest: Schema.String,
  proposalHead: Schema.String,
  supplier: Schema.Struct({ organizationId: Schema.String, actorId: Schema.String }),
  recipient: Schema.Struct({
    actorId: Schema.String,
    reference: Schema.NullOr(Schema.String).annotate({ description: "The author's own; null for the recipient." })
  }),
  projectId: Schema.NullOr(Schema.String).annotate({ description: "The final agreement, once the buyer accepted." })
}

export const ProposalView = Schema.Struct({
  proposal: Schema.Struct({ ...summary, terms: ProposedTerms }),
  automation: Automation,
  humanUrl: Schema.String,
  availableActions: Schema.Array(Schema.Literals(actions)),
  blockedActions: blockedActionsOf(actions),
  decisionReadiness: Schema.Struct({
    ready: Schema.Boolean,
    missing: Schema.Array(Schema.String).annotate({
      description:
        "Codes of the refusals that an acceptance would meet now, as far as the viewer can know. The confirmation digest and the project limit of the accepting grant are not checked."
    })
  }),
  replayed: Schema.optionalKey(Schema.Literal(true)),
  emailUpdate: Schema.optionalKey(Schema.Literals(["FAILED", "DISABLED"]))
}).annotate({ identifier: "ProposalView" })

export const PublishedProposal = Schema.Struct({
  ...ProposalView.fields,
  recipientUrl: Schema.String.annotate({ description: "For the recipient; other persons cannot open it." })
}).annotate({ identifier: "PublishedProposal" })

/** A proposal in a list, without its terms. */
export const ListedProposal = Schema.Struct({
  ...summary,
  title: Schema.String,
  createdAt: Schema.String,
  automation: Automation,
  humanUrl: Schema.String
}).annotate({ identifier: "ListedProposal" })

export const ProposalList = Schema.Struct({
  proposals: Schema.Array(ListedProposal),
  next: Schema.NullOr(Schema.String).annotate({ description: "The `after` of the next page; null on the last." })
}).annotate({ identifier: "ProposalList" })

/** The side of a person on a proposal, and the organization for which they act. */
const membershipFields = { role: Schema.Literals(roles), organizationId: OrganizationId }

export const PersonProposalView = Schema.Struct({ ...membershipFields, ...ProposalView.fields }).annotate({
  identifier: "PersonProposalView"
})

export const PersonPublishedProposal = Schema.Struct({ ...membershipFields, ...PublishedProposal.fields }).annotate({
  identifier: "PersonPublishedProposal"
})

export const OwnProposal = Schema.Struct({ ...membershipFields, ...ListedProposal.fields }).annotate({
  identifier: "OwnProposal"
})
