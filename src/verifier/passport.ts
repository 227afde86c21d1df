/** The checks of a Result Passport: a signed selection of a supplier's public results, with the summary of each. */
import { sha256Hex } from "../canonical/digest.ts"
import { openEachIssued, openIssued } from "./issued-objects.ts"
import {
  allOf,
  type CheckResult,
  combineRecord,
  derive,
  fail,
  type Finding,
  inOrder,
  type Ledger,
  pass,
  same,
  sameDigest
} from "./ledger.ts"
import {
  type PassportFile,
  passportManifest,
  type PassportManifest,
  portableNames,
  resultSummary,
  type ResultSummary
} from "./portable-shapes.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedJws } from "./verified-objects.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface VerifiedPassport {
  readonly manifest: VerifiedJws<PassportManifest>
  /** One for each entry of the manifest, in its order. */
  readonly summaries: ReadonlyArray<VerifiedJws<ResultSummary>>
}

export const verifyPassport = (
  ledger: Ledger,
  file: CheckResult<PassportFile>,
  context: TrustContext
): CheckResult<VerifiedPassport> => {
  const jws = derive(file, (one) => one.manifest)
  const manifest = openIssued(ledger, "passport", jws, manifestKind, context)
  const enclosed = ledger.check("passport-set", "passport", { manifest, file }, ({ manifest, file }) =>
    checkSet(manifest.content, file.summaries)
  )
  const opened = openEachIssued(ledger, "summary", enclosed, summaryKind, context)
  const summaries = ledger.each("passport-entry", "summary", opened, { manifest, enclosed }, checkEntry)
  return combineRecord({ manifest, summaries })
}

const manifestKind = { schema: portableNames.passport, purpose: "PUBLICATION", form: passportManifest } as const
const summaryKind = { schema: portableNames.summary, purpose: "PUBLICATION", form: resultSummary } as const

/** The manifest lists 1 to 20 results and publications, each once, and the file holds as many summaries. */
const checkSet = (
  { entries }: PassportManifest,
  summaries: PassportFile["summaries"]
): Finding<PassportFile["summaries"]> => {
  const { length } = entries
  const { passportEntriesMax } = verifierLimits
  if (length === 0 || length > passportEntriesMax) return fail("PASSPORT_SET", "entries", passportEntriesMax, length)
  for (const member of ["publicationId", "resultId"] as const) {
    const distinct = new Set(entries.map((entry) => entry[member])).size
    if (distinct < length) return fail("PASSPORT_SET", `entries.${member}`, "UNIQUE", distinct)
  }
  return summaries.length === length ? pass(summaries, length) : fail("PASSPORT_SET", "", length, summaries.length)
}

/** The summary is the one that the manifest's entry names, of the same subject, and was signed no later. */
const checkEntry = (
  summary: VerifiedJws<ResultSummary>,
  values: { readonly manifest: VerifiedJws<PassportManifest>; readonly enclosed: ReadonlyArray<string> },
  index: number
): Finding<VerifiedJws<ResultSummary>> => {
  const { content, signed } = summary
  const { subject, entries, issuedAt } = values.manifest.content
  const entry = entries[index] as PassportManifest["entries"][number]
  // A compact JWS has no character that its JSON text escapes.
  const summaryDigest = sha256Hex(`"${values.enclosed[index]}"`)
  return allOf(
    summary,
    [
      sameDigest("summaryDigest", summaryDigest, entry.summaryDigest),
      sameDigest("publicationDigest", signed.digest, entry.publicationDigest),
      same("SUMMARY_MISMATCH", "publicationId", content.publicationId, entry.publicationId),
      same("SUMMARY_MISMATCH", "resultId", content.resultId, entry.resultId),
      same("SUMMARY_MISMATCH", "completionTime", content.completionTime, entry.completionTime),
      same("SUMMARY_SUBJECT", "subject.id", subject.id, content.subject.id),
      inOrder("issuedAt", content.issuedAt, issuedAt)
    ],
    signed.digest
  )
}
