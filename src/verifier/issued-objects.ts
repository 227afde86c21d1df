/** Signed objects that name their issuer: the checks `<id>-signature`, `<id>-form` and `<id>-issuer`. */
import { allOf, type CheckResult, type Finding, type Ledger, same } from "./ledger.ts"
import type { Schema } from "./schema-kit.ts"
import type { Purpose, Trust } from "./trust.ts"
import { type TrustContext, verifyJwsAs } from "./verified-jws.ts"
import { readContent, type VerifiedJws } from "./verified-objects.ts"

interface IssuedPayload {
  readonly issuer: string
  readonly environment: string
}

/** The expected kind of a signed object. */
export interface Kind<T> {
  readonly schema: string
  readonly purpose: Purpose
  readonly form: Schema<T>
}

export const openIssued = <T extends IssuedPayload>(
  ledger: Ledger,
  id: string,
  jws: CheckResult<string>,
  kind: Kind<T>,
  context: TrustContext
): CheckResult<VerifiedJws<T>> => {
  const opened = openForm(ledger, id, jws, kind, context)
  verifyIssuer(ledger, id, opened, context)
  return opened
}

/** The checks `<id>-signature` and `<id>-form`. */
export const openForm = <T>(
  ledger: Ledger,
  id: string,
  jws: CheckResult<string>,
  { schema, purpose, form }: Kind<T>,
  context: TrustContext
): CheckResult<VerifiedJws<T>> => {
  const signed = ledger.check(`${id}-signature`, id, { jws, ...context }, ({ jws, ...values }) =>
    verifyJwsAs(schema, purpose)(jws, values)
  )
  return ledger.check(`${id}-form`, id, { signed }, ({ signed }) => readContent(form, signed))
}

/** The check `<id>-issuer`. */
export const verifyIssuer = (
  ledger: Ledger,
  id: string,
  opened: CheckResult<VerifiedJws<IssuedPayload>>,
  { trust }: TrustContext
): CheckResult<null> =>
  ledger.check(`${id}-issuer`, id, { opened, trust }, ({ opened, trust }) => checkIssuer(opened, trust))

/** The same for each object of a list: every check runs on all of them before the next one begins. */
export const openEachIssued = <T extends IssuedPayload>(
  ledger: Ledger,
  id: string,
  list: CheckResult<ReadonlyArray<string>>,
  { schema, purpose, form }: Kind<T>,
  context: TrustContext
): CheckResult<ReadonlyArray<VerifiedJws<T>>> => {
  const signed = ledger.each(`${id}-signature`, id, list, { ...context }, verifyJwsAs(schema, purpose))
  const opened = ledger.each(`${id}-form`, id, signed, {}, (one) => readContent(form, one))
  const { trust } = context
  ledger.each(`${id}-issuer`, id, opened, { trust }, (one, { trust }) => checkIssuer(one, trust))
  return opened
}

/** Issuer and environment are those of the trust file. */
const checkIssuer = ({ content }: VerifiedJws<IssuedPayload>, trust: Trust): Finding<null> =>
  allOf(
    null,
    [
      same("ISSUER_MISMATCH", "issuer", trust.issuer, content.issuer),
      same("ENVIRONMENT_MISMATCH", "environment", trust.environment, content.environment)
    ],
    content.environment
  )
