/** The Transaction Closure of the first version: its form is published and verified, and the service never issues one. */
import { Schema } from "effect"
import { signedDocument } from "../records/signed-document.ts"
import { digest, name, ordinal, signed } from "../vocabulary/record-schemas.ts"

const schema = "transaction-closure-package/v1"

export const TransactionClosureV1 = signedDocument(
  schema,
  Schema.Struct({
    ...signed(schema),
    closureId: name,
    references: Schema.Struct({
      agreement: Schema.Struct({ id: name, version: ordinal, digest }),
      delivery: Schema.Struct({ id: name, digest }),
      review: Schema.Struct({ id: name, digest, deliveryId: name }),
      result: Schema.Struct({ id: name, digest, agreementDigest: digest, reviewId: name })
    }),
    externalSettlement: Schema.Literal("NOT_ASSERTED")
  })
)
