/** Commands of people on agreements: those of agents with a person as actor, and those reserved for people. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import { PersonProjectView } from "./person-wire.ts"
import { ChangeRepresentativeInput } from "./commands/change-representative.ts"
import { ConcernInput, ResolveConcernInput, WithdrawConfirmationInput } from "./commands/concern.ts"
import { DateRevisionInput } from "./commands/date-revision.ts"
import { IssueRecordInput } from "./commands/issue-record.ts"
import { LiftHoldInput } from "./commands/lift-hold.ts"
import { RespondInput } from "./commands/respond.ts"
import { ReviewInput } from "./commands/review.ts"
import { SignInput } from "./commands/sign.ts"
import { SubmitInput } from "./commands/submit.ts"
import { creationFields, datesInOrder, sameHead } from "./input.ts"
import { ProjectPath } from "./wire.ts"

/** A person sends no automation revision: no pause stops people. */
const command = <I extends Schema.Constraint>(name: string, input: I) =>
  Schema.Struct({ expectedEventHash: Digest, input }).annotate({ identifier: name })

/** A named supplier who is a member of several organizations names the responding one. */
const Respond = Schema.Struct({
  expectedEventHash: Digest,
  organizationId: Schema.optionalKey(OrganizationId),
  input: RespondInput
}).annotate({ identifier: "PersonRespond" })

const post = <const Name extends string, const Path extends string, P extends Schema.Top>(
  name: Name,
  path: Path,
  payload: P,
  summary: string
) =>
  HttpApiEndpoint.post(name, `/projects/:id/${path}`, {
    params: ProjectPath,
    payload,
    success: PersonProjectView
  }).annotateMerge(OpenApi.annotations({ summary }))

export class ProjectCommands extends HttpApiGroup.make("projectCommands", { topLevel: true })
  .add(
    HttpApiEndpoint.post("createOwnProject", "/projects", {
      payload: Schema.Struct({ requestId: UuidV4, organizationId: OrganizationId, ...creationFields })
        .check(datesInOrder)
        .annotate({ identifier: "PersonCreate" }),
      success: PersonProjectView.pipe(HttpApiSchema.status(201))
    }).annotateMerge(OpenApi.annotations({ summary: "Commit an agreement as a buyer" })),
    HttpApiEndpoint.post("reviseProject", "/projects/:id/revise", {
      params: ProjectPath,
      payload: command(
        "PersonRevise",
        Schema.Struct({
          requestId: UuidV4,
          agreementDigest: Digest,
          reason: Text,
          terms: Schema.Struct(creationFields).check(datesInOrder)
        })
      ),
      success: PersonProjectView.pipe(HttpApiSchema.status(201))
    }).annotateMerge(OpenApi.annotations({ summary: "Commit revised terms as a new project" })),
    post("respondAsPerson", "respond", Respond, "Answer the exact terms as the named supplier"),
    post(
      "signAgreement",
      "sign",
      command("PersonSign", SignInput),
      "Sign the agreement, or record an external signature"
    ),
    post("submitAsPerson", "submit", command("PersonSubmit", SubmitInput), "Commit materials as digests"),
    post(
      "reviewAsPerson",
      "review",
      command("PersonReview", ReviewInput).check(sameHead),
      "Decide the current submission"
    ),
    post(
      "requestDateChange",
      "date-revision",
      command("PersonDateRevision", DateRevisionInput).check(sameHead),
      "Ask for another date"
    ),
    post(
      "liftHold",
      "lift-hold",
      command("LiftHold", LiftHoldInput),
      "Lift a hold: delivery or review continues under the agreed dates"
    ),
    post("raiseConcern", "concern", command("PersonConcern", ConcernInput).check(sameHead), "Contest the confirmation"),
    post(
      "resolveConcern",
      "resolve-concern",
      command("ResolveConcern", ResolveConcernInput),
      "Dismiss a concern of the person's side, or uphold one as the buyer"
    ),
    post(
      "withdrawConfirmation",
      "withdraw-confirmation",
      command("WithdrawConfirmation", WithdrawConfirmationInput),
      "Withdraw the buyer's confirmation"
    ),
    post(
      "issueRecordAsPerson",
      "issue-record",
      command("PersonIssueRecord", IssueRecordInput).check(sameHead),
      "Issue the result record of the acceptance"
    ),
    post(
      "changeRepresentative",
      "change-representative",
      command("ChangeRepresentative", ChangeRepresentativeInput),
      "Name another person as the supplier"
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/workspace") {}
