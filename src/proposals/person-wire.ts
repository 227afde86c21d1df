/** The operations of people on proposals: the commands of agents with a person as actor, and pauses. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { proposalCommands, personCommand, ProposalPath } from "./command-wire.ts"
import { newProposal } from "./input.ts"
import { OwnProposal, PersonProposalView, ProposalView } from "./output.ts"

const change = <const Name extends string>(name: Name, path: "/pause" | "/resume", summary: string) =>
  HttpApiEndpoint.post(name, `/proposals/:id${path}`, {
    params: ProposalPath,
    payload: Schema.Struct({ requestId: UuidV4, reason: Text }),
    success: Schema.Struct({
      proposalId: Schema.String,
      automation: ProposalView.fields.automation,
      replayed: Schema.optionalKey(Schema.Literal(true))
    }),
    error: refuses(...checks.person, ...checks.requestId, "STATE_CONFLICT")
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
    personCommand(proposalCommands.update),
    personCommand(proposalCommands.publish),
    personCommand(proposalCommands.respond),
    personCommand(proposalCommands.withdraw),
    change("pauseProposal", "/pause", "Stop the agents of both sides"),
    change("resumeProposal", "/resume", "Lift the pause of the person's side")
  )
  .pipe(forPeople) {}
