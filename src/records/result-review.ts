/** The exported file, itself unsigned: a signed package, keys that prove nothing, and a status of five minutes. */
import { Schema } from "effect"
import { IssuerKeys } from "../ports/signer.ts"
import { compactJws } from "../vocabulary/record-schemas.ts"

export const ResultReview = Schema.Struct({
  schema: Schema.Literal("service.result-review/v1"),
  record: compactJws.annotateKey({ description: "A Result Package v2." }),
  trust: Schema.Struct({ ...IssuerKeys.fields, schema: Schema.Literal("service.issuer-key-bundle/v1") }).annotate({
    description: "A convenience for people: a verifier never uses it."
  }),
  status: compactJws.annotateKey({ description: "A service.agent-status/v1." })
})
