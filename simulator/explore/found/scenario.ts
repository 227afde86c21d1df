/** A violation as a scenario of its own, that anybody can read and have again. */
import { writeScenario } from "../../script/write.ts"
import { type Failing, formsOf } from "../shrink/failing.ts"
import { sentenceOf } from "./why.ts"

export interface Finding {
  readonly invariant: string
  /** What the invariant promises. */
  readonly says: string
  readonly why: ReadonlyArray<string>
}

export const foundScenario = (failing: Failing, { invariant, says, why }: Finding): string => {
  const { opening } = failing
  const title = `${opening.title}: ${invariant}`.replace(/^(.*): \1$/, "$1")
  const told = { ...opening, title, say: [sentenceOf(says), "Here it did not hold.", ...why].join(" ") }
  return writeScenario(told, formsOf(failing), { heading: `${headingOf}${invariant}` })
}

const headingOf = "Breaks: "

/** Which invariant a saved scenario breaks, as its first line says; undefined where it says nothing. */
export const invariantBrokenIn = (text: string): string | undefined =>
  text.split("\n", 1)[0]?.startsWith(`# ${headingOf}`) === true
    ? text.split("\n", 1)[0]?.slice(`# ${headingOf}`.length)
    : undefined
