/** Preloaded in the process of a mutant: it loads the one changed file with the mutated source. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { mutants } from "./mutants.ts"
import { applyMutant } from "./mutant.ts"

const [, , name] = process.argv
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
const mutatedFile = new URL(`../../${mutant.file}`, import.meta.url)

registerHooks({
  load: (url, context, nextLoad) => {
    if (url !== mutatedFile.href) return nextLoad(url, context)
    const source = applyMutant(mutant, readFileSync(fileURLToPath(mutatedFile), "utf8"))
    if (source === undefined)
      throw new Error(`${mutant.name} is outdated: its text does not occur exactly once in ${mutant.file}`)
    return { format: "module-typescript", source, shortCircuit: true }
  }
})
