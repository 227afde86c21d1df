/** Recognizes a passport that this installation exported, by the bytes that it stores. */
import { Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { parseSigned, signedBytes } from "../canonical/jws.ts"
import { Signer } from "../ports/signer.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectRow } from "../projects/project-row.ts"
import { isOwnSignature } from "../records/own-signature.ts"
import { manifestPayload, passportSchema, type PassportManifest, type ResultPassport } from "./passport.ts"
import { isDisclosed } from "./publication.ts"
import { ProviderSubjects, Publications, type PublicationRow } from "./store.ts"

/** A publication as a passport holds it: ids and bytes that never change. */
export type EnclosedPublication = Pick<PublicationRow, "publicationId" | "projectId" | "summary">

/** A passport of this installation. */
export interface OwnPassport {
  readonly manifest: PassportManifest
  /** The publication of each entry of the manifest, in its order. */
  readonly publications: ReadonlyArray<EnclosedPublication>
  /** The organization of the passport's subject. */
  readonly supplierOrganizationId: string
}

/**
 * The passport, if its manifest is signed by one of the issuer's keys and is that of the stored publications, and if every
 * summary is the stored one, byte for byte. None of these facts ever changes. Its statements on publications are not read.
 */
export const readOwnPassport = Effect.fnUntraced(function* (
  reader: Reader,
  { manifest: jws, summaries }: ResultPassport
) {
  const { keys } = yield* Signer
  if (!isOwnSignature(jws, { schema: passportSchema, purpose: "PUBLICATION" }, keys)) return undefined
  const manifest = parseSigned<PassportManifest>(jws)
  const [subject, ...found] = yield* readTogether([
    reader.find(ProviderSubjects, "bySubject", [manifest.subject.id]),
    ...manifest.entries.map(({ publicationId }) => reader.get(Publications, [publicationId]))
  ])
  const publications = found.flatMap((publication) => publication ?? [])
  if (subject === undefined || publications.some(({ subjectId }) => subjectId !== subject.subjectId)) return undefined
  if (canonicalText(publications.map(({ summary }) => summary)) !== canonicalText(summaries)) return undefined
  const stored = canonicalText(manifestPayload(subject.subjectId, publications, keys, manifest.issuedAt))
  if (stored !== signedBytes(jws).toString("utf8")) return undefined
  return { manifest, publications, supplierOrganizationId: subject.organizationId } satisfies OwnPassport
})

/** The project of an enclosed publication, and whether the publication is public now. */
export const readDisclosure = (reader: Reader, { publicationId, projectId }: EnclosedPublication) =>
  Effect.map(
    readTogether([readProjectRow(reader, projectId), reader.get(Publications, [publicationId])]),
    // Neither row is ever removed.
    ([row, publication]) => ({ row: row!, isDisclosed: isDisclosed(publication!, row!.state) })
  )
