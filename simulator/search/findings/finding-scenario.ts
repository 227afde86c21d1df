/** A violation as a scenario that can be read and replayed. */
import { writeScenario } from "../../scenario/format/write.ts"
import { type FailingRun, stepFormsOf } from "../minimize/failing-run.ts"
import { toSentence } from "./explanation.ts"

export interface FindingDescription {
  readonly property: string
  /** The property as one sentence. */
  readonly says: string
  readonly why: ReadonlyArray<string>
}

export const findingScenario = (failing: FailingRun, { property, says, why }: FindingDescription): string => {
  const { opening } = failing
  const title = `${opening.title}: ${property}`.replace(/^(.*): \1$/, "$1")
  const described = { ...opening, title, say: [toSentence(says), "Here it did not hold.", ...why].join(" ") }
  return writeScenario(described, stepFormsOf(failing), { heading: `${headingOf}${property}` })
}

const headingOf = "Breaks: "

/** The violated property in the heading of a saved scenario; undefined without such a heading. */
export const violatedPropertyIn = (text: string): string | undefined =>
  text.split("\n", 1)[0]?.startsWith(`# ${headingOf}`) === true
    ? text.split("\n", 1)[0]?.slice(`# ${headingOf}`.length)
    : undefined
