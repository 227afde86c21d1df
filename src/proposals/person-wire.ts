/** The operations of people on proposals: the commands of agents with a person as actor, and pauses. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { AnswerInput, newProposal, UpdateInput, VersionedInput } from "./input.ts"
import { ListedProposal, ProposalView, PublishedProposal } from "./output.ts"
import { ProposalPath } from "./wire.ts"

const titled = (summary: string) => OpenApi.annotations({ summary })

const membershipFields = { role: Schema.Literals(roles), organizationId: OrganizationId }

export const PersonProposalView = Schema.Struct({ ...membershipFields, ...ProposalView.fields }).annotate({
  identifier: "PersonProposalView"
})

const PersonPublishedProposal = Schema.Struct({ ...membershipFields, ...PublishedProposal.fields }).annotate({
  identifier: "PersonPublishedProposal"
})

export const OwnProposal = Schema.Struct({ ...membershipFields, ...ListedProposal.fields }).annotate({
  identifier: "OwnProposal"
})

/** A command of a person has no automation revision: a pause never stops people. */
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
    payload: Schema.Struct({ expectedProposalHead: Digest, input }),
    success,
    error: refuses(...codes)
  }).annotateMerge(titled(summary))

const change = <const Name extends string, const Codes extends ReadonlyArray<RefusalCode>>(
  name: Name,
  path: "/pause" | "/resume",
  summary: string,
  codes: Codes
) =>
  HttpApiEndpoint.post(name, `/proposals/:id${path}`, {
    params: ProposalPath,
    payload: Schema.Struct({ requestId: UuidV4, reason: Text }),
    success: Schema.Struct({
      proposalId: Schema.String,
      automation: ProposalView.fields.automation,
      replayed: Schema.optionalKey(Schema.Literal(true))
    }),
    error: refuses(...codes)
  }).annotateMerge(titled(summary))

export class OwnProposals extends HttpApiGroup.make("ownProposals", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOwnProposals", "/proposals", {
      success: Schema.Struct({ proposals: Schema.Array(OwnProposal) })
    }).annotateMerge(titled("The proposals on which this person acts for a side")),
    HttpApiEndpoint.post("createOwnProposal", "/proposals", {
      payload: Schema.Struct({ organizationId: OrganizationId, ...newProposal }).annotate({
        identifier: "PersonCreateProposal"
      }),
      success: PersonProposalView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, ...checks.terms, ...checks.signer)
    }).annotateMerge(titled("Write a proposal for an organization of this person")),
    HttpApiEndpoint.get("readOwnProposal", "/proposals/:id", {
      params: ProposalPath,
      success: PersonProposalView,
      error: refuses(...checks.person)
    }).annotateMerge(titled("Read one proposal with its available actions")),
    command("updateAsPerson", "/update", UpdateInput, PersonProposalView, "Replace it by a new version", [
      ...checks.personProposalCommand,
      ...checks.terms,
      "PROPOSAL_VERSION_STALE"
    ]),
    command("publishAsPerson", "/publish", VersionedInput, PersonPublishedProposal, "Show it to its named buyer", [
      ...checks.personProposalCommand,
      ...checks.terms,
      "PROPOSAL_VERSION_STALE",
      ...checks.contact
    ]),
    HttpApiEndpoint.post("answerProposal", "/proposals/:id/respond", {
      params: ProposalPath,
      payload: Schema.Struct({
        expectedProposalHead: Digest,
        organizationId: Schema.optionalKey(OrganizationId).annotate({
          description: "Required if the recipient is a member of several organizations."
        }),
        input: AnswerInput
      }),
      success: PersonProposalView,
      error: refuses(...checks.personProposalCommand, ...checks.newAgreement, "PROPOSAL_DIGEST_MISMATCH")
    }).annotateMerge(titled("Answer it as the named buyer")),
    command("withdrawAsPerson", "/withdraw", VersionedInput, PersonProposalView, "Take it back", [
      ...checks.personProposalCommand,
      "PROPOSAL_VERSION_STALE"
    ]),
    change("pauseProposal", "/pause", "Stop the agents of both sides", [
      ...checks.person,
      ...checks.requestId,
      "STATE_CONFLICT"
    ]),
    change("resumeProposal", "/resume", "Lift the pause of the person's side", [
      ...checks.person,
      ...checks.requestId,
      "STATE_CONFLICT"
    ])
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/workspace") {}
