/** The manifest: exactly the objects of the package, in order, each with its digest and size. */
import { fail, pass, type Finding } from "./ledger.ts"
import type { Enclosed, Linked, Opened } from "./objects.ts"
import type { AuthorityChain } from "./authority.ts"
import type { Acceptance, Agreement, ProjectEvent, ResultPackage, ResultRecord, Submission } from "./shapes.ts"

export interface Entry {
  readonly id: string
  readonly kind: ResultPackage["manifest"][number]["kind"]
  readonly digest: string
  readonly bytes: number
}

/** What the manifest of a package with these objects must be. */
export const expectedManifest = (objects: {
  readonly agreement: Enclosed<Agreement>
  readonly history: ReadonlyArray<Linked<ProjectEvent>>
  readonly submission: Enclosed<Submission>
  readonly review: Enclosed<Acceptance>
  readonly record: Opened<ResultRecord>
  readonly chains: ReadonlyArray<AuthorityChain>
}): ReadonlyArray<Entry> => [
  entry(objects.agreement.content.projectId, "agreement", objects.agreement),
  ...objects.history.map((event) => entry(event.hash, "event", event.signed)),
  entry(objects.submission.content.submissionId, "submission", objects.submission),
  entry(objects.review.content.reviewId, "review", objects.review),
  entry(objects.record.content.recordId, "record", objects.record.signed),
  ...objects.chains.flatMap((chain) => chain.events.map((event) => entry(event.hash, "authority-event", event.signed)))
]

/** The manifest names each object once, at its place, and nothing else. */
export const checkManifestSet = (
  manifest: ResultPackage["manifest"],
  expected: ReadonlyArray<Entry>
): Finding<ReadonlyArray<readonly [listed: Entry, held: Entry]>> => {
  if (manifest.length !== expected.length) {
    return fail("MANIFEST_SET", "", expected.length, manifest.length)
  }
  const pairs: Array<readonly [Entry, Entry]> = []
  for (const [index, held] of expected.entries()) {
    const listed = manifest[index] as Entry
    if (listed.id !== held.id) return fail("MANIFEST_SET", `manifest[${index}].id`, held.id, listed.id)
    pairs.push([listed, held])
  }
  return pass(pairs, manifest.length)
}

export const checkManifestEntry = ([listed, held]: readonly [Entry, Entry]): Finding<Entry> => {
  if (listed.kind !== held.kind) return fail("MANIFEST_ENTRY", "kind", held.kind, listed.kind)
  if (listed.bytes !== held.bytes) return fail("MANIFEST_ENTRY", "bytes", held.bytes, listed.bytes)
  if (listed.digest !== held.digest) {
    return fail("DIGEST_MISMATCH", "digest", held.digest, listed.digest)
  }
  return pass(held, held.digest)
}

const entry = (
  id: string,
  kind: Entry["kind"],
  { digest, bytes }: { readonly digest: string; readonly bytes: number }
): Entry => ({ id, kind, digest, bytes })
