/**
 * The commands on a proposal, a row each: path, summary and refusals, and the name, the body and the answer of its endpoint
 * for agents and for people.
 */
import { Schema } from "effect"
import { operationEndpoint, type CallerRow, type OperationRow } from "../http/operation-row.ts"
import { OrganizationId } from "../people/wire.ts"
import { Digest } from "../vocabulary/ids.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { AnswerInput, HandoffInput, ProposalId, UpdateInput, VersionedInput } from "./input.ts"
import { PersonProposalView, PersonPublishedProposal, ProposalView, PublishedProposal } from "./output.ts"

export const ProposalPath = { id: ProposalId }

/** The body of a command by an agent: the input under both preconditions. */
const agentBody = <I extends Schema.Constraint>(input: I) =>
  Schema.Struct({
    expectedProposalHead: Digest,
    automationRevision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    input
  })

/** A person sends no automation revision: no pause stops people. */
const personBody = <I extends Schema.Constraint>(input: I) => Schema.Struct({ expectedProposalHead: Digest, input })

const PersonAnswer = Schema.Struct({
  expectedProposalHead: Digest,
  organizationId: Schema.optionalKey(OrganizationId).annotate({
    description: "Required if the recipient is a member of several organizations."
  }),
  input: AnswerInput
})

interface ProposalCallerRow extends CallerRow {
  readonly success: Schema.Top
}

export const proposalCommands = {
  update: {
    path: "update",
    summary: "Replace it by a new version",
    refusals: [...checks.proposalCommand, ...checks.terms, "PROPOSAL_VERSION_STALE"],
    agent: {
      name: "updateProposal",
      payload: agentBody(UpdateInput),
      success: ProposalView,
      summary: "Replace it by a new version, to be published again",
      refusals: ["SUBJECT_REQUIREMENTS_NOT_PRESERVED"]
    },
    person: { name: "updateAsPerson", payload: personBody(UpdateInput), success: PersonProposalView }
  },
  publish: {
    path: "publish",
    summary: "Show it to its named buyer",
    refusals: [...checks.proposalCommand, ...checks.terms, "PROPOSAL_VERSION_STALE", ...checks.contact],
    agent: {
      name: "publishProposal",
      payload: agentBody(VersionedInput),
      success: PublishedProposal,
      summary: "Show this version to its named buyer",
      refusals: ["SUBJECT_REQUIREMENTS_NOT_PRESERVED"]
    },
    person: { name: "publishAsPerson", payload: personBody(VersionedInput), success: PersonPublishedProposal }
  },
  respond: {
    path: "respond",
    summary: "Answer it as the named buyer",
    refusals: [...checks.proposalCommand, ...checks.newAgreement, "PROPOSAL_DIGEST_MISMATCH"],
    agent: {
      name: "respondProposal",
      payload: agentBody(AnswerInput),
      success: ProposalView,
      refusals: [
        ...checks.authorityEvent,
        "CREATED_PROJECT_LIMIT",
        "HUMAN_DECISION_REQUIRED",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
      ]
    },
    person: { name: "answerProposal", payload: PersonAnswer, success: PersonProposalView }
  },
  withdraw: {
    path: "withdraw",
    summary: "Take it back",
    refusals: [...checks.proposalCommand, "PROPOSAL_VERSION_STALE"],
    agent: { name: "withdrawProposal", payload: agentBody(VersionedInput), success: ProposalView },
    person: { name: "withdrawAsPerson", payload: personBody(VersionedInput), success: PersonProposalView }
  },
  handoff: {
    path: "handoff",
    summary: "Stop the agents and ask for a person",
    refusals: [...checks.requestId, "STALE_PROPOSAL_HEAD"],
    agent: { name: "handoffProposal", payload: agentBody(HandoffInput), success: ProposalView }
  }
} as const satisfies {
  readonly [name: string]: OperationRow & { readonly agent: ProposalCallerRow; readonly person?: ProposalCallerRow }
}

const subject = { path: "/proposals/:id", params: ProposalPath } as const

/** The endpoint of a command for agents. */
export const agentCommand = <const C extends OperationRow & { readonly agent: ProposalCallerRow }>(row: C) =>
  operationEndpoint(subject, row, row.agent as C["agent"], row.agent.success as C["agent"]["success"], [
    ...checks.agentScope,
    ...checks.agentPreconditions
  ])

/** The endpoint of a command for people. */
export const personCommand = <const C extends OperationRow & { readonly person: ProposalCallerRow }>(row: C) =>
  operationEndpoint(
    subject,
    row,
    row.person as C["person"],
    row.person.success as C["person"]["success"],
    checks.person
  )

/** A decoded request for a command: `payload` is the envelope of an agent or of a person, and the input. */
export interface ProposalRequest<Envelope, Input> {
  readonly endpoint: { readonly identifier: string }
  readonly params: { readonly id: string }
  readonly payload: Envelope & { readonly input: Input }
}
