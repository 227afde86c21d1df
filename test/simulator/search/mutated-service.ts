/** Preloaded by a process and its child processes: their service is one mutant. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { mutants } from "../../../simulator/mutation/mutants.ts"
import { applyMutant } from "../../../simulator/mutation/mutant.ts"

const mutant = mutants.find(({ name }) => name === "no-grant-recheck-in-transaction")
if (mutant === undefined) throw new Error("the mutant does not exist")
const mutatedFile = new URL(`../../../${mutant.file}`, import.meta.url)

registerHooks({
  load: (url, context, nextLoad) => {
    if (url !== mutatedFile.href) return nextLoad(url, context)
    const source = applyMutant(mutant, readFileSync(fileURLToPath(mutatedFile), "utf8"))
    if (source === undefined) throw new Error(`the text of the mutant does not occur exactly once in ${mutant.file}`)
    return { format: "module-typescript", source, shortCircuit: true }
  }
})
