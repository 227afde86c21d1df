/** Commands of people on agreements: those of agents with a person as actor, and those reserved for people. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
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
import { ProjectQuery } from "./answer.ts"
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

const post = <
  const Name extends string,
  const Path extends string,
  P extends Schema.Top,
  const Codes extends ReadonlyArray<RefusalCode>
>(
  name: Name,
  path: Path,
  payload: P,
  summary: string,
  codes: Codes
) =>
  HttpApiEndpoint.post(name, `/projects/:id/${path}`, {
    params: ProjectPath,
    query: ProjectQuery,
    payload,
    success: PersonProjectView,
    error: refuses(...codes)
  }).annotateMerge(OpenApi.annotations({ summary }))

export class ProjectCommands extends HttpApiGroup.make("projectCommands", { topLevel: true })
  .add(
    HttpApiEndpoint.post("createOwnProject", "/projects", {
      payload: Schema.Struct({ requestId: UuidV4, organizationId: OrganizationId, ...creationFields })
        .check(datesInOrder)
        .annotate({ identifier: "PersonCreate" }),
      success: PersonProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, ...checks.newAgreement)
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
      success: PersonProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.personProjectCommand, ...checks.newAgreement)
    }).annotateMerge(OpenApi.annotations({ summary: "Commit revised terms as a new project" })),
    post("respondAsPerson", "respond", Respond, "Answer the exact terms as the named supplier", [
      ...checks.personProjectCommand,
      ...checks.previewed,
      ...checks.deliveryDate,
      ...checks.signingDate,
      "UNKNOWN_SIGNER"
    ]),
    post(
      "signAgreement",
      "sign",
      command("PersonSign", SignInput),
      "Sign the agreement, or record an external signature",
      [...checks.personProjectCommand, ...checks.previewed, "RECENT_SIGN_IN_REQUIRED", "SIGNATURE_DATE_PASSED"]
    ),
    post("submitAsPerson", "submit", command("PersonSubmit", SubmitInput), "Commit materials as digests", [
      ...checks.personProjectCommand,
      "CRITERIA_INCOMPLETE",
      ...checks.noHold,
      ...checks.deliveryDate,
      ...checks.signingDate,
      ...checks.signature,
      "SUBMISSION_MISMATCH"
    ]),
    post(
      "reviewAsPerson",
      "review",
      command("PersonReview", ReviewInput).check(sameHead),
      "Decide the current submission",
      [
        ...checks.personProjectCommand,
        "CHECKED_FILES_MISMATCH",
        ...checks.previewed,
        "CRITERIA_INCOMPLETE",
        ...checks.noHold,
        "RECENT_SIGN_IN_REQUIRED",
        "REVIEW_DEADLINE_PASSED",
        ...checks.signingDate,
        ...checks.signature,
        "SUBMISSION_MISMATCH"
      ]
    ),
    post(
      "requestDateChange",
      "date-revision",
      command("PersonDateRevision", DateRevisionInput).check(sameHead),
      "Ask for another date",
      [...checks.personProjectCommand, ...checks.noHold]
    ),
    post(
      "liftHold",
      "lift-hold",
      command("LiftHold", LiftHoldInput),
      "Lift a hold: delivery or review continues under the agreed dates",
      [...checks.personProjectCommand]
    ),
    post(
      "raiseConcern",
      "concern",
      command("PersonConcern", ConcernInput).check(sameHead),
      "Contest the confirmation",
      [...checks.personProjectCommand, ...checks.currentConfirmation]
    ),
    post(
      "resolveConcern",
      "resolve-concern",
      command("ResolveConcern", ResolveConcernInput),
      "Dismiss a concern of the person's side, or uphold one as the buyer",
      [...checks.personProjectCommand, ...checks.currentConfirmation]
    ),
    post(
      "withdrawConfirmation",
      "withdraw-confirmation",
      command("WithdrawConfirmation", WithdrawConfirmationInput),
      "Withdraw the buyer's confirmation",
      [...checks.personProjectCommand, ...checks.currentConfirmation]
    ),
    post(
      "issueRecordAsPerson",
      "issue-record",
      command("PersonIssueRecord", IssueRecordInput).check(sameHead),
      "Issue the result record of the acceptance",
      [...checks.personProjectCommand, ...checks.previewed, ...checks.currentConfirmation]
    ),
    post(
      "changeRepresentative",
      "change-representative",
      command("ChangeRepresentative", ChangeRepresentativeInput),
      "Name another person as the supplier",
      [...checks.personProjectCommand, "SAME_PARTY", "UNKNOWN_SUPPLIER"]
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/workspace") {}
