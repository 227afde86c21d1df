/** Checks of the current status of each publication in a passport, by the issuer's statements about single publications. */
import { readJson } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { readDocument } from "./document.ts"
import {
  allOf,
  andThen,
  type CheckResult,
  combineRecord,
  fail,
  type Finding,
  type Ledger,
  pass,
  same
} from "./ledger.ts"
import type { VerifiedPassport } from "./passport.ts"
import {
  portableNames,
  publicationStatement,
  type PublicationStatement,
  type ResultSummary
} from "./portable-shapes.ts"
import { isObject, listOf, text, validate } from "./schema-kit.ts"
import { checkExpiry, checkWindow } from "./status.ts"
import { type TrustContext, verifyJwsAs } from "./verified-jws.ts"
import { readContent, type VerifiedJws } from "./verified-objects.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** The statement that holds for a publication; undefined where its status is unknown. */
export type CurrentStatement = VerifiedJws<PublicationStatement> | undefined

/** Parses a status file for a passport: the service's response, a JSON array of statements. */
export const readStatements = (bytes: Uint8Array): Finding<ReadonlyArray<string>> =>
  andThen(readDocument(bytes, verifierLimits.portableBytesMax), (document) =>
    document.form === "json" && Array.isArray(document.json)
      ? validate(listOf(text), document.json)
      : fail("STATUS_KIND", "", "LIST")
  )

/** One result for each entry of the passport, in its order; none if the passport is not verified. */
export const verifyStatements = (
  ledger: Ledger,
  statements: Finding<ReadonlyArray<string>>,
  passport: CheckResult<VerifiedPassport>,
  context: TrustContext
): ReadonlyArray<CurrentStatement> => {
  const values = combineRecord({ passport, ...context })
  if (!values.known) {
    ledger.check(checkId, "summary", { values }, pass)
    return []
  }
  const { passport: verified, ...opening } = values.value
  const opened = andThen(statements, (list) => pass(list.map((jws) => openStatement(jws, opening))))
  return verified.summaries.map((summary, index) => {
    const finding = andThen(opened, (list) => statementOf(summary, list, opening.checkedAt))
    const object = `summary/${index + 1}`
    if (finding.ok && finding.value === undefined) ledger.leaveToReader(checkId, object, "STATUS_ABSENT")
    else {
      const result = ledger.check(checkId, object, {}, () => finding)
      if (result.known) return result.value
    }
    return undefined
  })
}

const checkId = "publication-status"

interface OpenedStatement {
  /** The publication that the statement names, even where it does not verify. */
  readonly publicationId: unknown
  readonly finding: Finding<VerifiedJws<PublicationStatement>>
}

const openStatement = (jws: string, context: Parameters<ReturnType<typeof verifyJwsAs>>[1]): OpenedStatement => {
  const signed = verifyJwsAs(portableNames.publicationStatus, "STATUS")(jws, context)
  const finding = andThen(signed, (one) => readContent(publicationStatement, one))
  return { publicationId: finding.ok ? finding.value.content.publicationId : namedIn(jws), finding }
}

const namedIn = (jws: string): unknown => {
  const compact = readJws(jws)
  if (!compact.ok) return undefined
  const { valuesMax } = verifierLimits
  const payload = readJson(compact.payload, { bytesMax: verifierLimits.portableBytesMax, valuesMax, refusesNul: true })
  return payload.ok && isObject(payload.value) && Object.hasOwn(payload.value, "publicationId")
    ? payload.value["publicationId"]
    : undefined
}

/**
 * The statement that holds, undefined if none names the publication. One that does not hold counts only where no other
 * does, so that an outdated one beside it changes nothing; those that hold agree.
 */
const statementOf = (
  { content: { publicationId }, signed }: VerifiedJws<ResultSummary>,
  statements: ReadonlyArray<OpenedStatement>,
  checkedAt: string
): Finding<CurrentStatement> => {
  const findings = statements
    .filter((one) => one.publicationId === publicationId)
    .map(({ finding }) => andThen(finding, (one) => checkStatement(one, signed.digest, checkedAt)))
  const holding = findings.flatMap((finding) => (finding.ok ? [finding.value] : []))
  const [first] = holding
  if (first === undefined) return findings[0] ?? pass(undefined)
  const { status } = first.content
  const other = holding.find(({ content }) => content.status !== status)
  return other === undefined ? pass(first, status) : fail("STATUS_AMBIGUOUS", "status", status, other.content.status)
}

const checkStatement = (
  statement: VerifiedJws<PublicationStatement>,
  publicationDigest: string,
  checkedAt: string
): Finding<VerifiedJws<PublicationStatement>> => {
  const { content } = statement
  return allOf(statement, [
    same("STATUS_SUBJECT", "publicationDigest", publicationDigest, content.publicationDigest),
    checkWindow(content),
    checkExpiry(content, checkedAt)
  ])
}
