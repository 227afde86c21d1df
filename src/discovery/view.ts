/** The wire view of a specification's version: the hashed document and its digest. */
import type { StoredVersion } from "./read.ts"
import type { Specification } from "./wire.ts"

export const viewSpecification = ({ document, digest }: StoredVersion): typeof Specification.Type => ({
  ...document,
  digest
})
