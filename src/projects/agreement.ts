/** The agreement: the exact terms of one version, immutable and identified by their digest. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import {
  digest,
  instant,
  name,
  open,
  ordinal,
  organizationId,
  personId,
  projectId,
  text
} from "../vocabulary/record-schemas.ts"
import { signingMethods, type Terms } from "./terms.ts"

/** An agreement as enclosed in a package. Terms may hold any members; only those that other objects refer to are typed. */
export const EnclosedAgreement = Schema.Struct({
  schema: Schema.Literal("service.agreement/v1"),
  projectId,
  version: ordinal,
  previous: Schema.NullOr(Schema.Struct({ projectId, digest })),
  terms: open({
    buyerName: name,
    supplierName: name,
    criteria: Schema.Array(open({ id: name })),
    subjectRequirements: Schema.optionalKey(Schema.Array(open({ humanDecisions: Schema.Array(text) }))),
    signing: Schema.optionalKey(
      open({
        method: Schema.Literals(signingMethods),
        principal: personId,
        counterparty: Schema.optionalKey(personId),
        agreementSignBy: instant,
        acceptanceSignBy: instant
      })
    )
  }).annotate({
    description: "The creation input without requestId and confirmationDigest. It may hold any members."
  }),
  buyer: Schema.Struct({ organizationId, actorId: personId }),
  supplier: Schema.Struct({ actorId: Schema.NullOr(personId) })
}).annotate({ identifier: "Agreement" })

export type Agreement = Omit<typeof EnclosedAgreement.Type, "terms"> & { readonly terms: Terms }

/** The digest that every command names (2.4, decisions "Agreement and project"). */
export const agreementDigest = (agreement: Agreement): string => digestOf(agreement)
