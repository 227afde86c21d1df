/** The acts on a project, as hints and pages name them, with their required authorities and moves. */
import { actions, authorityFor, type Action, type Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"
import { moveNamed, moves, personActs, type Act, type Move, type MoveName } from "./moves.ts"

export const acts: ReadonlyArray<Act> = [...actions, ...personActs]

export const isAction = (act: Act): act is Action => actions.some((action) => action === act)

export interface Possibility {
  readonly act: Act
  /** The decision of this move; null for an act without decisions. */
  readonly decision: string | null
  readonly move: MoveName
}

/** Every act with each of its moves, in the order of the table. */
export const possibilities: ReadonlyArray<Possibility> = (Object.keys(moves) as ReadonlyArray<MoveName>).flatMap(
  (move) => {
    const row = moveNamed(move)
    return row.act === undefined ? [] : [{ act: row.act, decision: row.decision ?? null, move }]
  }
)

/** The authority of each act of people; each move of an act has the same. */
const reservedAuthorities = new Map(Object.values<Move>(moves).map(({ act, authority }) => [act, authority]))

/** The authority that an act requires of a membership; null for the named signer, who needs none. */
export const authorityForAct = (act: Act, side: Role, isNamedSigner: boolean): Authority | null => {
  if (isAction(act)) return authorityFor(act, side)
  if (act === "SIGN_AGREEMENT" && isNamedSigner) return null
  const authority = reservedAuthorities.get(act)!
  return typeof authority === "string" ? authority : authority[side]
}
