/** The publications that stored rows disclose, and what a public answer says of them. */
import { parseSigned } from "../../../src/canonical/jws.ts"
import { Projects } from "../../../src/projects/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { isObject, type Json, valueAt } from "../../vocabulary/json.ts"
import { type Moment, pendingRequestKey, type RequestObservation, rowIn, type Rows } from "../property.ts"
import { bodyOf } from "./caller.ts"

/** The disclosed publications while a public request is pending, each as `id digest`. */
export type DisclosureWindow = {
  /** Those that were disclosed at some moment since the request. */
  readonly ever: ReadonlyArray<string>
  /** Those that have been disclosed since the request without a break. */
  readonly always: ReadonlyArray<string>
}

/** By the key of the pending request. */
export type DisclosureWindows = { readonly [request: string]: DisclosureWindow }

export const closedWindow: DisclosureWindow = { ever: [], always: [] }

/** Opens a window at a public request on publications, and extends the open ones at a commit. */
export const windowsAfter = (windows: DisclosureWindows, { observed, rows }: Moment): DisclosureWindows => {
  if (observed.kind === "request") {
    if (publicRequestOf(observed) === undefined) return windows
    const disclosed = disclosedIn(rows)
    return { ...windows, [pendingRequestKey(observed)]: { ever: disclosed, always: disclosed } }
  }
  if (observed.kind !== "commit" || Object.keys(windows).length === 0) return windows
  const disclosed = disclosedIn(rows)
  return Object.fromEntries(
    Object.entries(windows).map(([key, { ever, always }]) => [
      key,
      { ever: [...new Set([...ever, ...disclosed])].sort(), always: always.filter((one) => disclosed.includes(one)) }
    ])
  )
}

export const withoutWindow = (windows: DisclosureWindows, request: RequestObservation): DisclosureWindows => {
  const { [pendingRequestKey(request)]: _, ...others } = windows
  return others
}

/** Published, and the buyer's acceptance holds. */
const disclosedIn = (rows: Rows): ReadonlyArray<string> =>
  rows
    .of(Publications)
    .filter(({ state }) => state === "PUBLISHED")
    .filter(({ projectId }) => rowIn(rows, Projects, [projectId])?.state === "BUYER_CONFIRMED")
    .map(({ publicationId, digest }) => pairOf(publicationId, digest))
    .sort()

export const pairOf = (publicationId: string, digest: string): string => `${publicationId} ${digest}`

export interface PublicRequest {
  readonly operation: "PASSPORT" | "STATUS" | "LIST"
  readonly subjectId: string
}

/** Undefined for any other request. */
export const publicRequestOf = ({ method, path }: RequestObservation): PublicRequest | undefined => {
  const [, subjectId = "", operation = ""] =
    /^\/api\/public\/providers\/([^/]+)\/(passport\/status|passport|publications)(?:\?.*)?$/.exec(path) ?? []
  if (operation === "publications") return method === "GET" ? { operation: "LIST", subjectId } : undefined
  if (operation === "" || method !== "POST") return undefined
  return { operation: operation === "passport" ? "PASSPORT" : "STATUS", subjectId }
}

interface Pair {
  readonly publicationId: string
  readonly publicationDigest: string
}

export const selectionsOf = (request: RequestObservation): ReadonlyArray<Pair> => {
  const selections = valueAt(bodyOf(request) ?? null, "selections")
  return (Array.isArray(selections) ? selections : []).filter(isObject) as unknown as ReadonlyArray<Pair>
}

export interface Statement extends Pair {
  readonly status: string
}

interface PassportContent {
  readonly entries: ReadonlyArray<Pair>
  /** Of each enclosed summary. */
  readonly summaries: ReadonlyArray<{ readonly publicationId: string }>
  readonly statements: ReadonlyArray<Statement>
}

/** The passport in a JSON or ZIP answer, with its payloads. */
export const passportIn = (body: Json): PassportContent => {
  const file = valueAt(body, "files.0.content") ?? body
  const { entries } = parseSigned<Pick<PassportContent, "entries">>(String(valueAt(file, "manifest")))
  return {
    entries,
    summaries: payloadsIn(valueAt(file, "summaries")),
    statements: payloadsIn(valueAt(file, "statuses"))
  }
}

export const statementsIn = (body: Json): ReadonlyArray<Statement> => payloadsIn(body)

const payloadsIn = <A>(list: Json | undefined): ReadonlyArray<A> =>
  (Array.isArray(list) ? list : []).map((jws) => parseSigned<A>(String(jws)))
