/** Own cases that are missing on the disk: without this check, an empty corpus would pass. */
import { cases } from "../verifier/corpus/all.ts"
import { caseNames } from "../verifier/corpus/folder.ts"

export const missingCases = (): ReadonlyArray<string> => {
  const made = new Set(cases.map(({ name }) => name))
  const found = new Set(caseNames())
  return [
    ...[...made].filter((name) => !found.has(name)).map((name) => `${name}: the case is not there`),
    ...[...found].filter((name) => !made.has(name)).map((name) => `${name}: no generator produces this case`)
  ]
}
