/** A violation as a scenario that can be read and replayed. */
import { writeScenario } from "../../script/write.ts"
import { type Failing, formsOf } from "../shrink/failing.ts"
import { sentenceOf } from "./why.ts"

export interface Finding {
  readonly invariant: string
  /** The property as one sentence. */
  readonly says: string
  readonly why: ReadonlyArray<string>
}

export const foundScenario = (failing: Failing, { invariant, says, why }: Finding): string => {
  const { opening } = failing
  const title = `${opening.title}: ${invariant}`.replace(/^(.*): \1$/, "$1")
  const described = { ...opening, title, say: [sentenceOf(says), "Here it did not hold.", ...why].join(" ") }
  return writeScenario(described, formsOf(failing), { heading: `${headingOf}${invariant}` })
}

const headingOf = "Breaks: "

/** The violated property in the heading of a saved scenario; undefined without such a heading. */
export const invariantBrokenIn = (text: string): string | undefined =>
  text.split("\n", 1)[0]?.startsWith(`# ${headingOf}`) === true
    ? text.split("\n", 1)[0]?.slice(`# ${headingOf}`.length)
    : undefined
