/** The endpoints of people for Transaction Closures, which are files, and for the history references that these can carry. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { forPeople, SessionAuthentication } from "../people/session-authentication.ts"
import { ProjectPath } from "../projects/answer.ts"
import { EnclosedPassport } from "../publications/passport.ts"
import { Digest, idOf, UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { Instant } from "../vocabulary/instant.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { Text } from "../vocabulary/text.ts"
import { TransactionClosure } from "./closure.ts"
import { ClosureStatusFile } from "./status.ts"

const OrderPath = { resultOrderId: idOf("order") }
const gates =
  "For persons of either side with FINANCIAL_READ who may also have the Result Package: the buyer's person who made the agreement, members of the buyer with an authority to create agreements, to decide on deliveries, to issue records or to publish, and the supplier's named representative."

const NamedHistory = Schema.Struct({
  passport: EnclosedPassport.annotateKey({ description: "The Result Passport that the history reference names." }),
  nextTaskId: idOf("delivery").annotateKey({ description: "The project of the next agreement." })
}).annotate({ identifier: "ClosureHistory" })

const RecordHistoryReference = Schema.Struct({
  requestId: UuidV4,
  passport: EnclosedPassport.annotateKey({
    description: "A Result Passport of this service, as exported. Its statements on publications are not read."
  }),
  resultId: idOf("record").annotateKey({ description: "The one result in the passport on which the agreement rests." }),
  reason: Text.annotateKey({ description: "Why the supplier was chosen; it is part of the signed reference." })
}).annotate({ identifier: "RecordHistoryReference" })

const RecordedHistoryReference = Schema.Struct({
  referenceId: Schema.String,
  digest: Schema.String.annotate({
    description: "SHA-256 over the canonical form (RFC 8785) of the signed reference's payload."
  }),
  madeAt: Instant,
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "RecordedHistoryReference" })

export class HistoryReferencesGroup extends HttpApiGroup.make("historyReferences", { topLevel: true })
  .add(
    HttpApiEndpoint.post("recordHistoryReference", "/projects/:id/history-reference", {
      params: ProjectPath,
      payload: RecordHistoryReference,
      success: RecordedHistoryReference.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.signer,
        ...checks.signedHead,
        "ALREADY_EXISTS",
        "HISTORY_REFERENCE_INVALID"
      )
    }).annotateMerge(
      titled(
        "Record on which published result of its supplier this agreement rests, for the buyer",
        "For members of the buyer with AGREEMENT_CREATE, once per agreement, while the supplier's organization has confirmed it and it has not ended. The result must be in the passport and public now. The project's history has no event of it, and only a closure of the earlier transaction shows it."
      )
    )
  )
  .pipe(forPeople) {}

export class TransactionClosures extends HttpApiGroup.make("transactionClosures", { topLevel: true })
  .add(
    HttpApiEndpoint.get("exportClosure", "/:resultOrderId/closure", {
      params: OrderPath,
      success: TransactionClosure.annotate({ identifier: "TransactionClosure" }),
      error: refuses(
        ...checks.person,
        ...checks.signer,
        "PAYMENT_ATTEMPT_MISSING",
        "COMMERCE_EXPORT_LIMIT",
        "EXPORT_TOO_LARGE"
      )
    }).annotateMerge(
      titled(
        "The Transaction Closure of a Result Order, as the file transaction-records.json",
        `One accepted delivery and one payment attempt: the earliest attempt with a verified payment, else the latest one. An unpaid attempt is exported too, and the closure says so. It holds the package that was signed with the offer, the order's record and the Commerce Record as it is now, at most ${limits.canonicalExportBytes} bytes in all. It issues nothing, costs no credit and moves no money. ${gates}`
      )
    ),
    HttpApiEndpoint.post("exportClosureWithHistory", "/:resultOrderId/closure", {
      params: OrderPath,
      payload: NamedHistory,
      success: TransactionClosure.annotate({ identifier: "TransactionClosure" }),
      error: refuses(
        ...checks.person,
        ...checks.signer,
        ...checks.signedHead,
        "CLOSURE_LINEAGE_INVALID",
        "PAYMENT_ATTEMPT_MISSING",
        "COMMERCE_EXPORT_LIMIT",
        "EXPORT_TOO_LARGE"
      )
    }).annotateMerge(
      titled(
        "The closure with the history that a next agreement recorded, as the file transaction-records-with-history.json",
        `The closure of this Result Order, and in its member \`lineage\` the passport, the history reference of the next agreement, the link of both agreements, and the next agreement as it is now. The reference must name this passport and the result of this order; nothing is searched. The same persons as for the closure alone, who must also pass the record gate of the next agreement: otherwise 403, also if there is none with that id.`
      )
    ),
    HttpApiEndpoint.get("readClosureStatus", "/:resultOrderId/closure/status", {
      params: OrderPath,
      query: {
        recordDigest: Schema.optionalKey(
          Digest.annotate({
            description:
              "`body.data.references.commerce.digest` of a closure, whichever attempt it is about; without it, the longest export of the attempt that a closure selects now."
          })
        )
      },
      success: ClosureStatusFile.annotate({ identifier: "ClosureStatusFile" }),
      error: refuses(
        ...checks.person,
        ...checks.signer,
        ...checks.signedHead,
        "PAYMENT_ATTEMPT_MISSING",
        "COMMERCE_RECORD_NOT_EXPORTED",
        "COMMERCE_EXPORT_LIMIT"
      )
    }).annotateMerge(
      titled(
        "The status of both parts of a closure, as the file transaction-status.json",
        `The status of the project for five minutes, and the status of the Commerce Record that the closure holds, with the latest captured observation of every entity. It never asks the provider. The digest of the closure itself is not known here. ${gates}`
      )
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/commerce/result-orders") {}
