/** The operations of people on the publications of a result: propose, approve, withdraw, list. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { forPeople } from "../people/session-authentication.ts"
import { ProjectPath } from "../projects/answer.ts"
import { Digest, idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { Text } from "../vocabulary/text.ts"
import { publicationStates } from "./publication.ts"
import { ResultSummary, summaryTexts } from "./summary.ts"

const act = { personId: Schema.String, name: Schema.String, at: Instant }

export const Publication = Schema.Struct({
  publicationId: Schema.String,
  projectId: Schema.String,
  state: Schema.Literals(publicationStates),
  disclosed: Schema.Boolean.annotate({
    description: "True while it is PUBLISHED and the project is BUYER_CONFIRMED: only then is it public."
  }),
  publicationDigest: Schema.String.annotate({
    description: "SHA-256 over the canonical form (RFC 8785) of `projection`; an approval names it."
  }),
  projection: ResultSummary.annotate({
    description: "The payload of the signed summary: all that the public will read."
  }),
  proposedBy: Schema.Struct(act),
  approvedBy: Schema.NullOr(Schema.Struct(act)),
  withdrawn: Schema.NullOr(Schema.Struct({ ...act, side: Schema.Literals(roles), reason: Schema.String })),
  availableActions: Schema.Array(Schema.Literals(["APPROVE", "WITHDRAW"])),
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "Publication" })

const PublicationList = Schema.Struct({
  publications: Schema.Array(Publication),
  availableActions: Schema.Array(Schema.Literals(["PROPOSE"]))
}).annotate({ identifier: "PublicationList" })

const ProposePublication = Schema.Struct({
  requestId: UuidV4,
  ...summaryTexts,
  namesBuyer: Schema.Boolean.annotate({ description: "True to publish the buyer's name as the agreement has it." })
}).annotate({ identifier: "ProposePublication" })

const PublicationPath = { ...ProjectPath, publicationId: idOf("pub") }

export class ProjectPublications extends HttpApiGroup.make("projectPublications", { topLevel: true })
  .add(
    HttpApiEndpoint.post("proposePublication", "/projects/:id/publications", {
      params: ProjectPath,
      payload: ProposePublication,
      success: Publication.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.signer,
        "RESULT_NOT_ISSUED",
        "STATE_CONFLICT",
        "ALREADY_EXISTS",
        "PUBLICATION_LIMIT"
      )
    }).annotateMerge(
      titled(
        "Propose a public summary of the issued result, for the supplier's representative",
        "The summary is signed now and is public once the buyer approves exactly its bytes. One result has one publication that is proposed or published."
      )
    ),
    HttpApiEndpoint.get("listPublications", "/projects/:id/publications", {
      params: ProjectPath,
      success: PublicationList,
      error: refuses(...checks.person)
    }).annotateMerge(titled("The publications of a project's result, newest first, withdrawn ones too")),
    HttpApiEndpoint.post("approvePublication", "/projects/:id/publications/:publicationId/approve", {
      params: PublicationPath,
      payload: Schema.Struct({ requestId: UuidV4, publicationDigest: Digest }),
      success: Publication,
      error: refuses(...checks.person, ...checks.requestId, "PUBLICATION_DIGEST_MISMATCH", "STATE_CONFLICT")
    }).annotateMerge(titled("Approve the summary with this digest, for the buyer")),
    HttpApiEndpoint.post("withdrawPublication", "/projects/:id/publications/:publicationId/withdraw", {
      params: PublicationPath,
      payload: Schema.Struct({ requestId: UuidV4, reason: Text }),
      success: Publication,
      error: refuses(...checks.person, ...checks.requestId, "STATE_CONFLICT")
    }).annotateMerge(
      titled(
        "Withdraw a proposed or published summary, for either side",
        "Final, and possible in every state of the project. Passports that were exported before keep the summary; new statements on it say UNAVAILABLE."
      )
    )
  )
  .pipe(forPeople) {}
