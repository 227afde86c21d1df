/** Loaded before everything else, by a process and by those that it starts: the service of all of them has one bug. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { mutants } from "../../../simulator/mutants/every.ts"
import { planted } from "../../../simulator/mutants/mutant.ts"

const mutant = mutants.find(({ name }) => name === "ask-for-the-grant-at-the-door-alone")
if (mutant === undefined) throw new Error("there is no such bug any more")
const place = new URL(`../../../${mutant.file}`, import.meta.url)

registerHooks({
  load: (url, context, nextLoad) => {
    if (url !== place.href) return nextLoad(url, context)
    const source = planted(mutant, readFileSync(fileURLToPath(place), "utf8"))
    if (source === undefined) throw new Error(`${mutant.file} does not have its text once`)
    return { format: "module-typescript", source, shortCircuit: true }
  }
})
