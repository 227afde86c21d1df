/**
 * A publication: the signed public summary of a result, which the supplier proposes and the buyer approves. Its states,
 * moves and guards; pure.
 */
import type { Role } from "../access/actions.ts"
import type { State } from "../projects/project.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal } from "../vocabulary/refusals.ts"

export const publicationStates = ["PROPOSED", "PUBLISHED", "WITHDRAWN"] as const
export type PublicationState = (typeof publicationStates)[number]

export const publicationActs = ["PROPOSE", "APPROVE", "WITHDRAW"] as const
export type PublicationAct = (typeof publicationActs)[number]

interface PublicationMove {
  /** The sides that may act. */
  readonly by: ReadonlyArray<Role>
  /** The states in which it is possible; none for a new publication. */
  readonly from: ReadonlyArray<PublicationState>
  readonly to: PublicationState
  /** True where the project must be in `BUYER_CONFIRMED` at that moment. */
  readonly needsAcceptance: boolean
}

/** The moves of a publication. A withdrawal is possible in every state of the project. */
export const publicationMoves: { readonly [A in PublicationAct]: PublicationMove } = {
  PROPOSE: { by: ["SUPPLIER"], from: [], to: "PROPOSED", needsAcceptance: true },
  APPROVE: { by: ["BUYER"], from: ["PROPOSED"], to: "PUBLISHED", needsAcceptance: true },
  WITHDRAW: { by: ["BUYER", "SUPPLIER"], from: ["PROPOSED", "PUBLISHED"], to: "WITHDRAWN", needsAcceptance: false }
}

interface PublicationInState {
  readonly state: PublicationState
}

export const isLive = ({ state }: PublicationInState): boolean => state !== "WITHDRAWN"

/** Public now: both sides consent, and the buyer's acceptance holds. Derived at each read, never stored. */
export const isDisclosed = ({ state }: PublicationInState, projectState: State): boolean =>
  state === "PUBLISHED" && isAccepted(projectState)

/** True while the buyer's acceptance holds. */
export const isAccepted = (projectState: State): boolean => projectState === "BUYER_CONFIRMED"

/** The result of a project, as its publications depend on it. */
interface IssuedResult {
  readonly projectState: State
  readonly isIssued: boolean
}

/** The guard of a proposal; `earlier` are all publications of the result, withdrawn ones too. */
export const proposalGuard = ({ projectState, isIssued }: IssuedResult, earlier: ReadonlyArray<PublicationInState>) => {
  if (!isIssued) return refusal("RESULT_NOT_ISSUED")
  if (!isAccepted(projectState)) return refusal("STATE_CONFLICT", { detail: notAccepted })
  if (earlier.some(isLive)) {
    return refusal("ALREADY_EXISTS", {
      detail: "The result has a publication that is proposed or published; withdraw it before you propose another one."
    })
  }
  return earlier.length < limits.publicationsPerResult ? undefined : refusal("PUBLICATION_LIMIT")
}

/** The guard of an approval, which names the digest of the summary that the buyer read. */
export const approvalGuard = (
  publication: PublicationInState & { readonly digest: string },
  digest: string,
  projectState: State
) => {
  if (publication.digest !== digest) return refusal("PUBLICATION_DIGEST_MISMATCH")
  return stateGuard(publication, "APPROVE", projectState)
}

export const withdrawalGuard = (publication: PublicationInState, projectState: State) =>
  stateGuard(publication, "WITHDRAW", projectState)

const stateGuard = ({ state }: PublicationInState, act: PublicationAct, projectState: State) => {
  const { from, needsAcceptance } = publicationMoves[act]
  if (!from.includes(state)) {
    const detail = `The publication is ${state.toLowerCase()}, which does not allow this operation; read it again.`
    return refusal("STATE_CONFLICT", { detail })
  }
  return needsAcceptance && !isAccepted(projectState) ? refusal("STATE_CONFLICT", { detail: notAccepted }) : undefined
}

const notAccepted = "The buyer's acceptance is contested, withdrawn or superseded; read the project again."

/** What a side can do with the publication now; a hint, since each command checks again. */
export const availableActs = (publication: PublicationInState, side: Role, projectState: State) =>
  (["APPROVE", "WITHDRAW"] as const).filter(
    (act) => publicationMoves[act].by.includes(side) && stateGuard(publication, act, projectState) === undefined
  )
