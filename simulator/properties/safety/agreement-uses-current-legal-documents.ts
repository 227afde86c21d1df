/** New agreements need the current legal documents (spec 1, 4.2). */
import { sha256Hex } from "../../../src/canonical/digest.ts"
import type { Agreement } from "../../../src/projects/agreement.ts"
import { Projects } from "../../../src/projects/store.ts"
import { isObject, type Json, valueAt } from "../../vocabulary/json.ts"
import { pendingRequestKey, violation, monitoredProperty } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"

type LegalState = {
  /** The current documents, each with its digest; null before the first change. */
  readonly documents: ReadonlyArray<string> | null
  /** Requests without a response so far. */
  readonly open: ReadonlyArray<string>
  /** Those sent before the last change: they may use either documents. */
  readonly before: ReadonlyArray<string>
}

export const agreementUsesCurrentLegalDocuments = monitoredProperty<LegalState>({
  name: "agreement uses current legal documents",
  kind: "always",
  says: "An agreement that is requested after a change of the legal documents uses the new documents.",
  judges: { kinds: ["act", "request", "response"], commitsTo: [Projects] },
  initial: { documents: null, open: [], before: [] },
  next: (state, { observed, rows, request }) => {
    const { documents, open, before } = state
    switch (observed.kind) {
      case "act":
        return observed.operation === "changeLegalDocuments"
          ? { documents: documentsIn(observed.input), open, before: open }
          : state
      case "request":
        return { ...state, open: [...new Set([...open, pendingRequestKey(observed)])].sort() }
      case "response": {
        if (request === undefined) return state
        const others = (places: ReadonlyArray<string>) => places.filter((place) => place !== pendingRequestKey(request))
        return { ...state, open: others(open), before: others(before) }
      }
      case "commit": {
        if (documents === null || request === undefined || before.includes(pendingRequestKey(request))) return state
        const wrong = rowsWritten(observed, rows, Projects, "insert").find(
          ({ agreement }) => documentsOf(agreement) !== JSON.stringify(documents)
        )
        return wrong === undefined ? state : violation(`${wrong.projectId} was agreed under outdated legal documents`)
      }
      default:
        return state
    }
  }
})

const documentsIn = (input: Json): ReadonlyArray<string> => {
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
