/** The transitions of publications in a trace: side, transition and state before it, derived from answers. */
import type { Role } from "../../src/access/actions.ts"
import type { PublicationAct, PublicationState } from "../../src/publications/publication.ts"

interface TracedPublicationMove {
  readonly act: PublicationAct
  /** Undefined for a new publication. */
  readonly state: PublicationState | undefined
  readonly side: Role
}

/** All transitions in one trace: each publication whose state differs from the last one that an answer had. */
export const publicationMovesIn = (lines: ReadonlyArray<any>): ReadonlyArray<TracedPublicationMove> => {
  const states = new Map<string, PublicationState>()
  return lines.flatMap((line) => {
    if (line.kind !== "response") return []
    return publicationsIn(line.body).flatMap((publication): ReadonlyArray<TracedPublicationMove> => {
      const before = states.get(publication.publicationId)
      states.set(publication.publicationId, publication.state)
      return before === publication.state ? [] : [{ state: before, ...moveOf(publication) }]
    })
  })
}

const publicationsIn = (body: any): ReadonlyArray<any> =>
  (Array.isArray(body?.publications) ? body.publications : [body]).filter(
    (one: any) => one?.publicationId !== undefined && one.state !== undefined
  )

const moveOf = ({ state, withdrawn }: any): Omit<TracedPublicationMove, "state"> => {
  if (state === "WITHDRAWN") return { act: "WITHDRAW", side: withdrawn.side }
  return state === "PUBLISHED" ? { act: "APPROVE", side: "BUYER" } : { act: "PROPOSE", side: "SUPPLIER" }
}
