/** Checks of the manifest: exactly the objects of the package, in order, each with its digest and size. */
import { fail, pass, type Finding } from "./ledger.ts"
import type { EnclosedPart, ChainedEvent, VerifiedJws } from "./verified-objects.ts"
import type { AuthorityChain } from "./authority.ts"
import type {
  Acceptance,
  Agreement,
  HistoryGap,
  ProjectEvent,
  ResultPackage,
  ResultRecord,
  Submission
} from "./schemas.ts"

export interface ManifestEntry {
  readonly id: string
  readonly kind: ResultPackage["manifest"][number]["kind"]
  readonly digest: string
  readonly bytes: number
}

/** The manifest that a package with these objects must have. */
export const expectedManifest = (objects: {
  readonly agreement: EnclosedPart<Agreement>
  readonly history: ReadonlyArray<ChainedEvent<ProjectEvent>>
  readonly gaps: ReadonlyArray<VerifiedJws<HistoryGap>>
  readonly submission: EnclosedPart<Submission>
  readonly review: EnclosedPart<Acceptance>
  readonly record: VerifiedJws<ResultRecord>
  readonly chains: ReadonlyArray<AuthorityChain>
}): ReadonlyArray<ManifestEntry> => [
  entry(objects.agreement.content.projectId, "agreement", objects.agreement),
  ...objects.history.map((event) => entry(event.hash, "event", event.signed)),
  ...objects.gaps.map((gap) => entry(gap.content.epoch, "history-gap", gap.signed)),
  entry(objects.submission.content.submissionId, "submission", objects.submission),
  entry(objects.review.content.reviewId, "review", objects.review),
  entry(objects.record.content.recordId, "record", objects.record.signed),
  ...objects.chains.flatMap((chain) => chain.events.map((event) => entry(event.hash, "authority-event", event.signed)))
]

/** The manifest lists exactly the objects, in their order. */
export const checkManifestSet = (
  manifest: ResultPackage["manifest"],
  expected: ReadonlyArray<ManifestEntry>
): Finding<ReadonlyArray<readonly [listed: ManifestEntry, actual: ManifestEntry]>> => {
  if (manifest.length !== expected.length) {
    return fail("MANIFEST_SET", "", expected.length, manifest.length)
  }
  const pairs: Array<readonly [ManifestEntry, ManifestEntry]> = []
  for (const [index, actual] of expected.entries()) {
    const listed = manifest[index] as ManifestEntry
    if (listed.id !== actual.id) return fail("MANIFEST_SET", `manifest[${index}].id`, actual.id, listed.id)
    pairs.push([listed, actual])
  }
  return pass(pairs, manifest.length)
}

export const checkManifestEntry = ([listed, actual]: readonly [
  ManifestEntry,
  ManifestEntry
]): Finding<ManifestEntry> => {
  if (listed.kind !== actual.kind) return fail("MANIFEST_ENTRY", "kind", actual.kind, listed.kind)
  if (listed.bytes !== actual.bytes) return fail("MANIFEST_ENTRY", "bytes", actual.bytes, listed.bytes)
  if (listed.digest !== actual.digest) {
    return fail("DIGEST_MISMATCH", "digest", actual.digest, listed.digest)
  }
  return pass(actual, actual.digest)
}

const entry = (
  id: string,
  kind: ManifestEntry["kind"],
  { digest, bytes }: { readonly digest: string; readonly bytes: number }
): ManifestEntry => ({ id, kind, digest, bytes })
