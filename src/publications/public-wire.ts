/** The public operations on disclosed publications, without a credential: list them, and export a Result Passport. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyBytes, StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { Digest, idOf } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { compactJws } from "../vocabulary/record-schemas.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { type PassportFormat, ResultPassport } from "./passport.ts"
import { Subject } from "./summary.ts"

export const passportMediaTypes = { json: "application/json", zip: "application/zip" } as const satisfies {
  readonly [F in PassportFormat]: string
}

const selectionBounds = { minItems: limits.passportSelectionMin, maxItems: limits.passportSelectionMax }

/** The document states the number of selections; the operation checks it, since its refusal has a code of its own. */
const Selections = Schema.Struct({
  selections: Schema.Array(Schema.Struct({ publicationId: idOf("pub"), publicationDigest: Digest }))
    .check(Schema.makeFilter(() => true, { toJsonSchema: () => selectionBounds }))
    .annotate({ description: "Publications, each of them once; the answer keeps this order." })
}).annotate({ identifier: "PassportSelections" })

const SubjectPath = { subjectId: idOf("provider") }

const PassportZip = Schema.Uint8Array.annotate({
  description: "A ZIP file of two entries: `passport.json`, the bytes of the JSON answer, and `README.txt`."
}).pipe(HttpApiSchema.asUint8Array({ contentType: passportMediaTypes.zip }))

const DisclosedPublications = Schema.Struct({
  subject: Subject,
  coverage: Schema.Literal("DISCLOSED_RESULTS_ONLY"),
  publications: Schema.Array(
    Schema.Struct({
      publicationId: Schema.String,
      publicationDigest: Schema.String,
      resultId: Schema.String,
      title: Schema.String,
      completionTime: Instant
    }).annotate({ identifier: "DisclosedPublication" })
  ),
  next: Schema.NullOr(Schema.String.annotate({ description: "Send it as `after`; null on the last page." }))
}).annotate({ identifier: "DisclosedPublications" })

export class Providers extends HttpApiGroup.make("providers", { topLevel: true })
  .add(
    HttpApiEndpoint.post("exportPassport", "/:subjectId/passport", {
      params: SubjectPath,
      query: {
        format: Schema.optionalKey(Schema.String.annotate({ description: "`json`, which is the default, or `zip`." }))
      },
      payload: Selections,
      success: [ResultPassport, PassportZip],
      error: refuses(
        "EXPORT_FORMAT_UNKNOWN",
        "PASSPORT_SELECTION_INVALID",
        "PASSPORT_SUBJECT_UNKNOWN",
        "PASSPORT_SELECTION_UNAVAILABLE",
        ...checks.signer,
        "EXPORT_TOO_LARGE"
      )
    })
      .annotate(BodyBytes, limits.passportRequestBytes)
      .annotateMerge(
        titled(
          "Export selected results of one supplier as a Result Passport",
          "Each selection names an exact, currently public publication. The requester selects: the file is not a complete history, and neither the issuer nor the supplier endorses the selection."
        )
      ),
    HttpApiEndpoint.post("readPublicationStatus", "/:subjectId/passport/status", {
      params: SubjectPath,
      payload: Selections,
      success: Schema.Array(compactJws),
      error: refuses("PASSPORT_SELECTION_INVALID", "PASSPORT_SUBJECT_UNKNOWN", ...checks.signer)
    })
      .annotate(BodyBytes, limits.passportRequestBytes)
      .annotateMerge(
        titled(
          "Signed statements on whether publications are public now, each valid for five minutes",
          "In the order of the selections: AVAILABLE for an exact pair that is public, UNAVAILABLE for a publication of this supplier otherwise. There is none for another publication, so the array may be empty."
        )
      ),
    HttpApiEndpoint.get("listDisclosedPublications", "/:subjectId/publications", {
      params: SubjectPath,
      query: { after: Schema.optionalKey(textUpTo(limits.titleCharacters)) },
      success: DisclosedPublications,
      error: refuses("PASSPORT_SUBJECT_UNKNOWN")
    }).annotateMerge(
      titled(
        "The results of one supplier that are public now, the latest first",
        `What supplier and buyers consented to show, which need not be all results; at most ${limits.publicationsOnPage} on a page, which can be empty before the last one.`
      )
    )
  )
  .middleware(StrictBody)
  .prefix("/api/public/providers") {}
