/** Every object in the own cases, validated by its published schema and by the verifier: both accept it, or neither. */
import { compare, type Comparison } from "../verifier/schema-and-verifier.ts"
import { caseNames, readCase } from "../verifier/corpus/folder.ts"
import { extractObjects } from "../verifier/case-objects.ts"
import type { Corpus } from "./corpus.ts"
import { missingCases } from "./missing-cases.ts"

export const schemas: Corpus = {
  name: "schemas",
  unavailableReason: () => undefined,
  run: () => {
    const judge = cachingCompare()
    const apart = caseNames().map((name) => ({ name, ...extractObjects(readCase(name)) }))
    const compared = apart.flatMap(({ name, parts }) =>
      parts.map(({ place, format, value }) => ({ at: `${name}: ${place}`, comparison: judge(format, value) }))
    )
    const unread = apart.flatMap((one) => one.withoutFormat.map(({ why }) => why))
    return {
      cases: compared.length,
      verdicts: verdictsOf(
        compared.map(({ comparison }) => comparison),
        unread
      ),
      unexpected: [
        ...missingCases(),
        ...compared.flatMap(({ at, comparison }) =>
          comparison.outcome === "SURPRISE" ? [`${at}: ${comparison.what}`] : []
        )
      ]
    }
  }
}

/** Caches comparisons: most cases share most of their objects. */
const cachingCompare = (): typeof compare => {
  const known = new Map<string, Comparison>()
  return (format, value) => {
    const key = `${format} ${JSON.stringify(value)}`
    const comparison = known.get(key) ?? compare(format, value)
    known.set(key, comparison)
    return comparison
  }
}

const verdictsOf = (all: ReadonlyArray<Comparison>, unread: ReadonlyArray<string>): string => {
  const count = (outcome: Comparison["outcome"]) => all.filter((one) => one.outcome === outcome).length
  const reasons = all.flatMap((one) => (one.outcome === "EXPLAINED" ? one.reasons : []))
  return [
    `${count("TAKEN")} taken by both`,
    `${count("REFUSED")} refused by both`,
    ...countEach(reasons).map((line) => `only one refuses ${line}`),
    ...countEach(unread).map((line) => `not compared: objects ${line}`)
  ].join("; ")
}

const countEach = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(words)].toSorted().map((word) => `${word} (${words.filter((one) => one === word).length})`)
