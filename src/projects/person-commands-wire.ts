/** Commands of people on agreements: those of agents with a person as actor, and those reserved for people. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { Digest, idOf, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { Text, Title } from "../vocabulary/text.ts"
import { resolutions } from "./event.ts"
import { PersonProjectView } from "./person-wire.ts"
import {
  ConcernInput,
  creationFields,
  DateRevisionInput,
  datesInOrder,
  IssueRecordInput,
  RespondInput,
  reviewFields,
  reviewFits,
  sameHead,
  SubmitInput
} from "./input.ts"
import { ProjectPath } from "./wire.ts"

/** A person sends no automation revision: no pause stops people. */
const command = <I extends Schema.Constraint>(name: string, input: I) =>
  Schema.Struct({ expectedEventHash: Digest, input }).annotate({ identifier: name })

const Signature = Schema.Union([
  Schema.Struct({ method: Schema.Literal("NATIVE"), digest: Digest }),
  Schema.Struct({
    method: Schema.Literal("EXTERNAL"),
    evidence: Schema.Struct({
      provider: Title,
      reference: Title,
      fileName: Title,
      sha256: Digest,
      signedAt: Instant
    })
  })
])

/** A named supplier who is a member of several organizations names the responding one. */
const Respond = Schema.Struct({
  expectedEventHash: Digest,
  organizationId: Schema.optionalKey(OrganizationId),
  input: RespondInput
}).annotate({ identifier: "PersonRespond" })

const reasoned = { requestId: UuidV4, agreementDigest: Digest, reason: Text }
const confirmationId = idOf("confirmation")

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
        Schema.Struct({ ...reasoned, terms: Schema.Struct(creationFields).check(datesInOrder) })
      ),
      success: PersonProjectView.pipe(HttpApiSchema.status(201))
    }).annotateMerge(OpenApi.annotations({ summary: "Commit revised terms as a new project" })),
    post("respondAsPerson", "respond", Respond, "Answer the exact terms as the named supplier"),
    post(
      "signAgreement",
      "sign",
      command("PersonSign", Schema.Struct({ requestId: UuidV4, agreementDigest: Digest, signature: Signature })),
      "Sign the agreement, or record an external signature"
    ),
    post("submitAsPerson", "submit", command("PersonSubmit", SubmitInput), "Commit materials as digests"),
    post(
      "reviewAsPerson",
      "review",
      command(
        "PersonReview",
        Schema.Struct({ ...reviewFields, signature: Schema.optionalKey(Signature) }).check(reviewFits)
      ).check(sameHead),
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
      command("LiftHold", Schema.Struct(reasoned)),
      "Lift a hold: delivery or review continues under the agreed dates"
    ),
    post("raiseConcern", "concern", command("PersonConcern", ConcernInput).check(sameHead), "Contest the confirmation"),
    post(
      "resolveConcern",
      "resolve-concern",
      command(
        "ResolveConcern",
        Schema.Struct({ ...reasoned, confirmationId, resolution: Schema.Literals(resolutions) })
      ),
      "Dismiss a concern of the person's side, or uphold one as the buyer"
    ),
    post(
      "withdrawConfirmation",
      "withdraw-confirmation",
      command("WithdrawConfirmation", Schema.Struct({ ...reasoned, confirmationId })),
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
      command("ChangeRepresentative", Schema.Struct({ ...reasoned, supplierActorId: PersonId })),
      "Name another person as the supplier"
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/workspace") {}
