/** The wire view of a specification's version: the hashed document and its digest. */
import type { ReadVersion } from "./read.ts"
import type { Specification } from "./wire.ts"

export const viewSpecification = ({ document, digest }: ReadVersion): typeof Specification.Type => ({
  ...document,
  digest
})
