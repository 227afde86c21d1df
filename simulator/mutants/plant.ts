/** Loaded before everything else where a mutant is named: the one file that it changes is loaded with the bug in it. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { mutants } from "./every.ts"
import { planted } from "./mutant.ts"

const [, , name] = process.argv
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
const place = new URL(`../../${mutant.file}`, import.meta.url)

registerHooks({
  load: (url, context, nextLoad) => {
    if (url !== place.href) return nextLoad(url, context)
    const source = planted(mutant, readFileSync(fileURLToPath(place), "utf8"))
    if (source === undefined) throw new Error(`${mutant.name} is stale: ${mutant.file} does not have its text once`)
    return { format: "module-typescript", source, shortCircuit: true }
  }
})
