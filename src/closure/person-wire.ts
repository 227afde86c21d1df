/** The endpoints of people for Transaction Closures: files. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { Digest, idOf } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { TransactionClosure } from "./closure.ts"
import { ClosureStatusFile } from "./status.ts"

const OrderPath = { resultOrderId: idOf("order") }
const gates =
  "For persons of either side with FINANCIAL_READ who may also have the Result Package: the buyer's person who made the agreement, members of the buyer with an authority to create agreements, to decide on deliveries, to issue records or to publish, and the supplier's named representative."

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
