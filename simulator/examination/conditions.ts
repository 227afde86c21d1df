/** The broken conditions of a lesson as its documents have them. */
import { Schema } from "effect"
import type { Session } from "../scenario/session.ts"
import type { BrokenCondition, Judgement } from "./judge.ts"

export const Conditions = Schema.Array(
  Schema.Struct({
    condition: Schema.String.annotate({ description: "The condition, as its lesson names it." }),
    words: Schema.String.annotate({ description: "What was observed." })
  })
)
type Conditions = typeof Conditions.Type

/** Without secrets, which a condition may quote. */
export const conditionsOf = (
  { safety, progress }: Judgement,
  { setup: { recorder } }: Session
): { readonly safety: Conditions; readonly progress: Conditions } => {
  const written = (broken: ReadonlyArray<BrokenCondition>): Conditions =>
    broken.map(({ label, words }) => ({ condition: recorder.redact(label), words: recorder.redact(words) }))
  return { safety: written(safety), progress: written(progress) }
}
