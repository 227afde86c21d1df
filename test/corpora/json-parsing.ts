/**
 * JSONTestSuite: the strict reader refuses all invalid JSON, all ambiguous JSON, and values that records do not need.
 */
import { isDeepStrictEqual } from "node:util"
import { readCanonicalJson, readJson } from "../../src/canonical/json.ts"
import { isAcceptedByLibraries } from "../canonical/reference-reader.ts"
import { missingCorpusReason, type Corpus } from "./corpus.ts"
import { corpusFile, corpusFiles } from "./external-files.ts"

export const jsonParsing: Corpus = {
  name: "json-parsing",
  unavailableReason: () => missingCorpusReason("json-parsing"),
  run: () => {
    const files = corpusFiles("json-parsing").map(readFile)
    const of = (prefix: string) => files.filter(({ name }) => name.startsWith(prefix))
    const refused = (prefix: string) => of(prefix).filter(({ code }) => code !== "accepted")
    const line = (prefix: string): string =>
      `${prefix} ${refused(prefix).length} refused, ${of(prefix).length - refused(prefix).length} accepted`
    const numbers = refused("y_").filter(({ code }) => code === "NUMBER_FORM").length
    const twice = refused("y_").filter(({ code }) => code === "DUPLICATE_KEY").length
    return {
      cases: files.length,
      verdicts: `${line("n_")}; ${line("i_")}; ${line("y_")} (refused: ${numbers} numbers that are no canonical integers, ${twice} with a duplicate name)`,
      unexpected: [
        ...files.flatMap(({ name, surprises }) => surprises.map((what) => `${name}: ${what}`)),
        ...(["n_", "i_", "y_"] as const)
          .filter((prefix) => of(prefix).length !== sizes[prefix])
          .map((prefix) => `${prefix}: ${of(prefix).length} files instead of ${sizes[prefix]}`)
      ]
    }
  }
}

const sizes = { n_: 188, i_: 35, y_: 95 } as const

const readFile = (name: string) => {
  const bytes = corpusFile("json-parsing", name)
  const reading = readJson(bytes)
  const canonical = readCanonicalJson(bytes)
  const code = reading.ok ? "accepted" : reading.code
  const expected = name.startsWith("y_") ? (refusedOfY.get(name) ?? "accepted") : "refused"
  const isExpected = expected === "refused" ? code !== "accepted" : code === expected
  const found: ReadonlyArray<readonly [what: string, isSurprise: boolean]> = [
    [`${code} instead of ${expected}`, !isExpected],
    ["the canonical reading has another verdict", (canonical.ok ? "accepted" : canonical.code) !== code],
    ["the libraries have another verdict", isAcceptedByLibraries(bytes) !== reading.ok],
    ["JSON.parse reads another value", reading.ok && !isParsedAs(reading.value, bytes)]
  ]
  return { name, code, surprises: found.filter(([, isSurprise]) => isSurprise).map(([what]) => what) }
}

const isParsedAs = (value: unknown, bytes: Uint8Array): boolean =>
  isDeepStrictEqual(value, JSON.parse(Buffer.from(bytes).toString()))

/** Valid JSON that two readers may interpret differently. */
const refusedOfY: ReadonlyMap<string, string> = new Map([
  ...[
    "y_number.json",
    "y_number_0e+1.json",
    "y_number_0e1.json",
    "y_number_double_close_to_zero.json",
    "y_number_int_with_exp.json",
    "y_number_minus_zero.json",
    "y_number_negative_zero.json",
    "y_number_real_capital_e.json",
    "y_number_real_capital_e_neg_exp.json",
    "y_number_real_capital_e_pos_exp.json",
    "y_number_real_exponent.json",
    "y_number_real_fraction_exponent.json",
    "y_number_real_neg_exp.json",
    "y_number_real_pos_exponent.json",
    "y_number_simple_real.json",
    "y_object_extreme_numbers.json",
    "y_structure_lonely_negative_real.json"
  ].map((name) => [name, "NUMBER_FORM"] as const),
  ["y_object_duplicated_key.json", "DUPLICATE_KEY"],
  ["y_object_duplicated_key_and_value.json", "DUPLICATE_KEY"]
])
