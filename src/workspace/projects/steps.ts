/** The steps of a project from the agreement to the payment, each with its status. Pure. */
import type { OrderState } from "../../commerce/moves.ts"
import { moveOfEvent } from "../../projects/evolve.ts"
import { isEnded, type MoveName } from "../../projects/moves.ts"
import type { Project } from "../../projects/project.ts"
import { hasSigned } from "../../projects/signing.ts"
import type { Instant } from "../../vocabulary/instant.ts"

/** STOPPED: the agreement ended at this step. UNREACHED: it ended before. */
export type StepStatus = "DONE" | "CURRENT" | "AHEAD" | "STOPPED" | "UNREACHED"

export interface Step {
  readonly name: StepName
  readonly status: StepStatus
  /** When the step was completed; null where it is not, or where the page does not know. */
  readonly doneAt: Instant | null
}

export type StepName = keyof typeof projectSteps | "PAID"

interface StepMoves {
  /** The newest event of this move completes the step. */
  readonly completes: MoveName
  /** A later event of these moves opens the step again. */
  readonly reopens: ReadonlyArray<MoveName>
  /** A later event of this move completes it once more, as of the first time. */
  readonly restores?: MoveName
}

const projectSteps = {
  AGREED: { completes: "RESPOND_ACCEPT", reopens: [] },
  DELIVERED: { completes: "SUBMIT", reopens: ["REVIEW_REQUEST_CHANGES", "REVIEW_REQUEST_EVIDENCE"] },
  DECIDED: {
    completes: "REVIEW_ACCEPT",
    reopens: ["CONCERN", "UPHOLD_CONCERN", "WITHDRAW_CONFIRMATION"],
    restores: "DISMISS_CONCERN"
  },
  RECORDED: { completes: "ISSUE", reopens: [] }
} as const satisfies { readonly [name: string]: StepMoves }

type StepsProject = Pick<Project, "state" | "events" | "signatures" | "agreement">

/** `order` is the state of the Result Order in force; without one, there is no step for its payment. */
export const stepsOf = (project: StepsProject, order?: OrderState): ReadonlyArray<Step> => {
  const doneAt = Object.entries(projectSteps).map(
    ([name, moves]) => [name as StepName, completedAt(project, name as StepName, moves)] as const
  )
  const all = order === undefined ? doneAt : [...doneAt, ["PAID", null] as const]
  const isDone = ([name, at]: (typeof all)[number]) => at !== null || (name === "PAID" && order === "PAID")
  const current = all.findIndex((one) => !isDone(one))
  const [here, after] = isEnded(project.state) ? (["STOPPED", "UNREACHED"] as const) : (["CURRENT", "AHEAD"] as const)
  return all.map((one, index) => ({
    name: one[0],
    status: isDone(one) ? "DONE" : index === current ? here : after,
    doneAt: one[1]
  }))
}

const completedAt = (
  project: StepsProject,
  name: StepName,
  { completes, reopens, restores }: StepMoves
): Instant | null => {
  if (name === "AGREED" && project.agreement.terms.signing !== undefined) return signedAt(project)
  const { at, isOpen } = project.events.reduce<{ readonly at: Instant | null; readonly isOpen: boolean }>(
    (before, event) => {
      const move = moveOfEvent(event, event.actor)
      if (move === completes) return { at: event.occurredAt, isOpen: false }
      if (move === undefined) return before
      return { at: before.at, isOpen: move === restores ? false : before.isOpen || reopens.includes(move) }
    },
    { at: null, isOpen: true }
  )
  return isOpen ? null : at
}

/** When the second party signed the agreement; null while a signature is missing. */
const signedAt = (project: StepsProject): Instant | null =>
  hasSigned(project, "BUYER") && hasSigned(project, "SUPPLIER")
    ? project.signatures.findLast(({ subject }) => subject === "AGREEMENT")!.occurredAt
    : null
