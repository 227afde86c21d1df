/** The operations of agents on proposals (4.4). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { Digest } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { AnswerInput, CreateProposal, HandoffInput, UpdateInput, VersionedInput } from "./input.ts"
import { ProposalList, ProposalView, PublishedProposal } from "./output.ts"

/** The path format of a proposal id (2.1); any other format is 404. */
const ProposalId = Schema.String.check(Schema.isPattern(/^proposal_[a-f0-9-]{36}$/u, { expected: "a proposal id" }))

export const ProposalPath = { id: ProposalId }

const command = <
  const Name extends string,
  I extends Schema.Constraint,
  S extends Schema.Top,
  const Codes extends ReadonlyArray<RefusalCode>
>(
  name: Name,
  path: `/${string}`,
  input: I,
  success: S,
  summary: string,
  codes: Codes
) =>
  HttpApiEndpoint.post(name, `/proposals/:id${path}`, {
    params: ProposalPath,
    payload: Schema.Struct({
      expectedProposalHead: Digest,
      automationRevision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
      input
    }),
    success,
    error: refuses(...codes)
  }).annotateMerge(OpenApi.annotations({ summary }))

/** Canonical decimal notation only. */
const PageSize = Schema.String.check(
  Schema.isPattern(/^([1-9][0-9]?|100)$/u, { expected: `a whole number from 1 to ${limits.proposalsOnPageMost}` })
)

export class ProposalsGroup extends HttpApiGroup.make("proposals", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listProposals", "/proposals", {
      query: { after: Schema.optionalKey(ProposalId), limit: Schema.optionalKey(PageSize) },
      success: ProposalList
    }).annotateMerge(OpenApi.annotations({ summary: "The proposals in this grant's scope, oldest link first" })),
    HttpApiEndpoint.post("createProposal", "/proposals", {
      payload: CreateProposal,
      success: ProposalView.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.requestId,
        ...checks.terms,
        "FORBIDDEN_AGENT_ACTION",
        ...checks.authorityEvent,
        "CREATED_PROPOSAL_LIMIT",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
      )
    }).annotateMerge(OpenApi.annotations({ summary: "Write a proposal; the buyer sees it once it is published" })),
    HttpApiEndpoint.get("readProposal", "/proposals/:id", {
      params: ProposalPath,
      success: ProposalView,
      error: refuses(...checks.agentScope)
    }).annotateMerge(OpenApi.annotations({ summary: "Read one proposal" })),
    command(
      "updateProposal",
      "/update",
      UpdateInput,
      ProposalView,
      "Replace it by a new version, to be published again",
      [...checks.agentProposalCommand, ...checks.terms, "PROPOSAL_VERSION_STALE", "SUBJECT_REQUIREMENTS_NOT_PRESERVED"]
    ),
    command("publishProposal", "/publish", VersionedInput, PublishedProposal, "Show this version to its named buyer", [
      ...checks.agentProposalCommand,
      ...checks.terms,
      "PROPOSAL_VERSION_STALE",
      ...checks.contact,
      "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
    ]),
    command("respondProposal", "/respond", AnswerInput, ProposalView, "Answer it as the named buyer", [
      ...checks.agentProposalCommand,
      ...checks.newAgreement,
      ...checks.authorityEvent,
      "CREATED_PROJECT_LIMIT",
      "HUMAN_DECISION_REQUIRED",
      "PROPOSAL_DIGEST_MISMATCH",
      "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
    ]),
    command("withdrawProposal", "/withdraw", VersionedInput, ProposalView, "Take it back", [
      ...checks.agentProposalCommand,
      "PROPOSAL_VERSION_STALE"
    ]),
    command("handoffProposal", "/handoff", HandoffInput, ProposalView, "Stop the agents and ask for a person", [
      ...checks.agentScope,
      ...checks.requestId,
      "AGENT_PAUSED",
      "AGENT_CHANGED_REFRESH_REQUIRED",
      "STALE_PROPOSAL_HEAD"
    ])
  )
  .middleware(StrictBody)
  .middleware(Bearer)
  .prefix("/api/agents/v1") {}
