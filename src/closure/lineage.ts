/** The history that a closure carries: how a next agreement with the same supplier refers to the result of this one. */
import { Schema } from "effect"
import { parseSigned } from "../canonical/jws.ts"
import { EnclosedPassport } from "../publications/passport.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { compactJws } from "../vocabulary/record-schemas.ts"
import type { AgreementSnapshot } from "./agreement-snapshot.ts"

export const Lineage = Schema.Struct({
  passport: EnclosedPassport.annotateKey({
    description: "The passport that the reference names. Its statements on publications prove nothing here."
  }),
  historyReference: compactJws.annotateKey({ description: "What the buyer of the next agreement recorded." }),
  agreementLink: compactJws.annotateKey({ description: "The issuer's statement that connects both agreements." }),
  nextAgreement: compactJws.annotateKey({ description: "The next agreement as of the export." })
}).annotate({ identifier: "Lineage" })
export type Lineage = typeof Lineage.Type

/** The snapshot is signed last: no part of the lineage is later. */
export const lineageIssuedAt = ({ nextAgreement }: Lineage): Instant =>
  parseSigned<AgreementSnapshot>(nextAgreement).issuedAt
