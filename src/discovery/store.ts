/** The tables of public specifications: the newest version of each, every version's bytes, and the words they are found by. */
import { instant, integer, table, text } from "../ports/table.ts"

/** What a search shows: the newest version. */
export const Specifications = table("specifications", {
  columns: { specificationId: text(), version: integer, title: text(), summary: text(), digest: text() },
  key: ["specificationId"],
  guard: { root: "specification", by: "specificationId" }
})

/** Versions never change; hashed bytes stay text. The content is the document without its version. */
export const SpecificationVersions = table("specification_versions", {
  columns: {
    specificationId: text(),
    version: integer,
    document: text(),
    digest: text(),
    contentDigest: text(),
    publishedAt: instant
  },
  key: ["specificationId", "version"],
  guard: "append-only",
  unique: { byContent: ["specificationId", "contentDigest"] }
})

/** The folded words of title and summary of the newest version, each as far as an index holds it. */
export const SpecificationWords = table("specification_words", {
  columns: { word: text(), specificationId: text() },
  key: ["word", "specificationId"],
  guard: { root: "specification", by: "specificationId" },
  ordered: { bySpecification: ["specificationId", "word"] }
})
