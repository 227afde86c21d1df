/** A version of a specification as the wire shows it: the document that was hashed, and its digest. */
import type { ReadVersion } from "./read.ts"
import type { Specification } from "./wire.ts"

export const viewSpecification = ({ document, digest }: ReadVersion): typeof Specification.Type => ({
  ...document,
  digest
})
