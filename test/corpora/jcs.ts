/** The test data of RFC 8785: each input has exactly one canonical form. */
import { canonicalBytes } from "../../src/canonical/jcs.ts"
import { missingCorpusReason, type Corpus } from "./corpus.ts"
import { corpusFile, corpusFiles } from "./external-files.ts"

export const jcs: Corpus = {
  name: "jcs",
  unavailableReason: () => missingCorpusReason("jcs"),
  run: () => {
    const names = corpusFiles("jcs/input")
    const surprises = names.flatMap((name) => {
      const made = Buffer.from(canonicalBytes(JSON.parse(textOf("jcs/input", name))))
      const inHex = textOf("jcs/outhex", name.replace(/json$/, "txt")).replace(/\s/g, "")
      return [
        ...(made.equals(corpusFile("jcs/output", name)) ? [] : [`${name}: other bytes than output/${name}`]),
        ...(made.toString("hex") === inHex ? [] : [`${name}: other bytes than in outhex`])
      ]
    })
    const missing = names.length === fileCount ? [] : [`${names.length} files instead of ${fileCount}`]
    return {
      cases: names.length,
      verdicts: `${names.length - surprises.length} canonicalize to the expected bytes, also written in hexadecimal`,
      unexpected: [...surprises, ...missing]
    }
  }
}

const fileCount = 6

const textOf = (folder: string, name: string): string => Buffer.from(corpusFile(folder, name)).toString()
