/**
 * The checks of a closure: one delivery and one payment attempt, tied together. Each of its three parts is verified whole,
 * by its own rules, before they are compared with each other.
 */
import { supplierIn, verifyBindings } from "./bindings.ts"
import { type Closure, closure, type ResultOrder } from "./closure-shapes.ts"
import { verifyCommerceRecord } from "./commerce.ts"
import { verifyIssuer } from "./issued-objects.ts"
import { andThen, type CheckResult, combineRecord, derive, type Ledger } from "./ledger.ts"
import { type VerifiedLineage, verifyLineage } from "./lineage.ts"
import { type CommerceRecord, portableNames } from "./portable-shapes.ts"
import { verifyResultOrder } from "./order.ts"
import { compactFormOf, type SignedDocument } from "./signed-document.ts"
import { type TrustContext, verifyJwsAs } from "./verified-jws.ts"
import { readContent, type VerifiedJws } from "./verified-objects.ts"
import { type VerifiedPackage, verifyPackage } from "./verify-package.ts"

export interface VerifiedClosure {
  readonly opened: VerifiedJws<Closure>
  readonly order: VerifiedJws<ResultOrder>
  /** Null for a closure without a lineage. */
  readonly lineage: VerifiedLineage | null
}

export interface ClosureParts extends VerifiedPackage {
  readonly commerce: CheckResult<VerifiedJws<CommerceRecord>>
  readonly closure: CheckResult<VerifiedClosure>
}

export const verifyClosure = (ledger: Ledger, document: SignedDocument, context: TrustContext): ClosureParts => {
  const signed = ledger.check(`${id}-signature`, id, { ...context }, (values) =>
    andThen(compactFormOf(document), (jws) => verifyJwsAs(portableNames.closure, "CLOSURE")(jws, values))
  )
  const opened = ledger.check(`${id}-form`, id, { signed }, ({ signed }) => readContent(closure, signed))
  verifyIssuer(ledger, id, opened, context)
  const artifacts = derive(opened, ({ content }) => content.data.artifacts)
  const parts = verifyPackage(
    ledger,
    derive(artifacts, (one) => one.resultPackage),
    context
  )
  const order = verifyResultOrder(
    ledger,
    derive(artifacts, (one) => one.resultOrder),
    context
  )
  const commerce = verifyCommerceRecord(
    ledger,
    derive(artifacts, (one) => one.commerceRecord),
    undefined,
    context
  )
  verifyBindings(ledger, { ...parts, closure: opened, order, commerce })
  const supplierOrganizationId = derive(parts.history, supplierIn)
  const original = { closure: opened, agreement: parts.agreement, record: parts.record, supplierOrganizationId }
  const enclosed = opened.known ? opened.value.content.lineage : undefined
  const lineage = enclosed === undefined ? noLineage : verifyLineage(ledger, enclosed, original, context)
  return { ...parts, commerce, closure: combineRecord({ opened, order, lineage }) }
}

const id = "closure"
const noLineage = { known: true, value: null } as const
