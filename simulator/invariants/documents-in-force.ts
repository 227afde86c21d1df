/** New agreements need the current legal documents (spec 1, 4.2). */
import { sha256Hex } from "../../src/canonical/digest.ts"
import type { Agreement } from "../../src/projects/agreement.ts"
import { Projects } from "../../src/projects/store.ts"
import { isObject, type Json, valueAt } from "../script/json.ts"
import { askedBy, broken, invariant } from "./invariant.ts"
import { rowsWritten } from "./support/commits.ts"

type InForce = {
  /** The documents as they were changed last, each with its digest; null before any were. */
  readonly documents: ReadonlyArray<string> | null
  /** Requests that nobody has answered yet. */
  readonly open: ReadonlyArray<string>
  /** Those of them that were sent before the last change: either may bind them. */
  readonly before: ReadonlyArray<string>
}

export const documentsInForce = invariant<InForce>({
  name: "agreed under the documents in force",
  kind: "always",
  says: "Who makes an agreement after the legal documents were changed makes it under the new ones.",
  begins: { documents: null, open: [], before: [] },
  sees: (inForce, { observed, rows, request }) => {
    const { documents, open, before } = inForce
    switch (observed.kind) {
      case "act":
        return observed.operation === "changeLegalDocuments"
          ? { documents: namedIn(observed.input), open, before: open }
          : inForce
      case "request":
        return { ...inForce, open: [...new Set([...open, askedBy(observed)])].sort() }
      case "response": {
        if (request === undefined) return inForce
        const others = (places: ReadonlyArray<string>) => places.filter((place) => place !== askedBy(request))
        return { ...inForce, open: others(open), before: others(before) }
      }
      case "commit": {
        if (documents === null || request === undefined || before.includes(askedBy(request))) return inForce
        const wrong = rowsWritten(observed, rows, Projects, "insert").find(
          ({ agreement }) => documentsOf(agreement) !== JSON.stringify(documents)
        )
        return wrong === undefined
          ? inForce
          : broken(`${wrong.projectId} was agreed under documents that are not in force any more`)
      }
      default:
        return inForce
    }
  }
})

const namedIn = (input: Json): ReadonlyArray<string> => {
  const documents = valueAt(input, "documents")
  return (Array.isArray(documents) ? documents : [])
    .filter(isObject)
    .map(({ kind, version, text }) => JSON.stringify([kind, version, sha256Hex(String(text))]))
    .sort()
}

const documentsOf = (agreement: string): string => {
  const { terms } = JSON.parse(agreement) as Agreement
  return JSON.stringify(
    terms.legalContext.documents.map(({ kind, version, digest }) => JSON.stringify([kind, version, digest])).sort()
  )
}
