/** Proposals as subjects of commands. */
import { Effect } from "effect"
import type { ProposalCommand } from "../../proposals/decide.ts"
import { runProposalCommandAsPerson } from "../../proposals/person-operations.ts"
import { commandPageOf } from "../commands/command-page.ts"
import { eventsAfter, sinceSection } from "../commands/event-list.ts"
import type { Subject, SubjectView } from "../commands/subject.ts"
import { untrusted } from "../kit/html.ts"
import { proposalStateFacts, proposalTitleWithIdentity } from "./identity.ts"
import {
  nextStepOfRefusal,
  proposalActLabels,
  proposalBlockedReasonText,
  proposalRefusalText,
  type ProposalAct
} from "./labels.ts"
import { explainMissingOrganization } from "./missing-organization.ts"
import { readProposalPageModel, type ProposalPageModel } from "./read-model.ts"
import { proposalTimeline } from "./timeline.ts"

const kind = {
  name: "proposal",
  place: "proposals",
  idKind: "proposal",
  acts: proposalActLabels,
  blockedReason: proposalBlockedReasonText
} as const

export const viewOfProposal = (model: ProposalPageModel): SubjectView => ({
  ...kind,
  id: model.proposalId,
  head: model.view.proposal.proposalHead,
  hints: model.view,
  title: () => proposalTitleWithIdentity(model),
  stateFacts: () => proposalStateFacts(model),
  eventsSince: (head) => sinceSection(eventsAfter(model.events, head), (events) => proposalTimeline(model, events)),
  missingReason: (acts) =>
    acts.includes("RESPOND_PROPOSAL") === (model.view.role === "BUYER")
      ? "it requires a membership that permits writing, publishing and answering proposals."
      : "your role on this proposal does not permit it.",
  refusalText: (refused) => untrusted(proposalRefusalText(refused)),
  refusalStep: nextStepOfRefusal
})

type Services = Effect.Services<
  | ReturnType<typeof readProposalPageModel>
  | ReturnType<typeof runProposalCommandAsPerson>
  | ReturnType<typeof explainMissingOrganization>
>

export const proposals: Subject<ProposalPageModel, ProposalAct, ProposalCommand, Services> = {
  ...kind,
  headField: "expectedProposalHead",
  hiddenFields: ["confirmationDigest", "organizationId"],
  staleCode: "STALE_PROPOSAL_HEAD",
  open: (visitor, proposalId) =>
    Effect.map(readProposalPageModel(visitor, proposalId), (model) => ({
      visitor,
      model,
      view: viewOfProposal(model)
    })),
  run: ({ person }, request, { id: proposalId, expectedHead: expectedProposalHead, ...rest }) =>
    runProposalCommandAsPerson(person, request, { proposalId, expectedProposalHead, ...rest }),
  explain: explainMissingOrganization
}

/** The page of a command on a proposal. */
export const proposalCommand = commandPageOf(proposals)
