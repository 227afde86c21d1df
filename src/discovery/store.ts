/** The tables of public specifications: newest versions, the bytes of every version, and the search index. */
import { instant, integer, table, text } from "../ports/table.ts"
import type { CanonicalText } from "../canonical/jcs.ts"
import type { SpecificationDocument } from "./specification.ts"

/** The newest version of each specification, for the search. */
export const Specifications = table("specifications", {
  columns: { specificationId: text(), version: integer, title: text(), summary: text(), digest: text() },
  key: ["specificationId"],
  guard: { lock: "specification", by: "specificationId" }
})

/** Versions are immutable; hashed bytes stay text. The content is the document without its version. */
export const SpecificationVersions = table("specification_versions", {
  columns: {
    specificationId: text(),
    version: integer,
    document: text<CanonicalText<SpecificationDocument>>(),
    digest: text(),
    contentDigest: text(),
    publishedAt: instant
  },
  key: ["specificationId", "version"],
  guard: "append-only",
  unique: { byContent: ["specificationId", "contentDigest"] }
})

/** The folded words of title and summary of the newest version, truncated to the index length. */
export const SpecificationWords = table("specification_words", {
  columns: { word: text(), specificationId: text() },
  key: ["word", "specificationId"],
  guard: { lock: "specification", by: "specificationId" },
  ordered: { bySpecification: ["specificationId", "word"] }
})
