/** Reads one version of a public specification by its number. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Specifications, SpecificationVersions } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export const readSpecification = traced("discovery.readSpecification")(function* (id: string, version: number) {
  const [found, newest] = yield* inReplicaView((reader) =>
    readTogether([reader.get(SpecificationVersions, [id, version]), reader.get(Specifications, [id])])
  )
  if (found === undefined) return yield* refuse("NOT_FOUND")
  const document = parseCanonical(found.document)
  const { digest, publishedAt } = found
  return { document, digest, publishedAt, newestVersion: newest?.version ?? version }
})

export type StoredVersion = Effect.Success<ReturnType<typeof readSpecification>>
