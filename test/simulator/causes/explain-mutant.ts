/** A process whose service is one mutant: it searches a scenario of the mutant, minimizes the finding, and prints its cause. */
import * as path from "node:path"
import { Result } from "effect"
import { causeOfSchedule } from "../../../simulator/causes/schedule-cause.ts"
import { mutants } from "../../../simulator/mutation/mutants.ts"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { minimizeFinding } from "../../../simulator/search/findings/minimize-script.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { search } from "../../../simulator/search/search.ts"
import { portfolio } from "../../../simulator/search/strategies/portfolio.ts"

const [, , name] = process.argv
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
const file = path.resolve(import.meta.dirname, "../../../scenarios", mutant.scenarios[0] ?? "", "scenario.yaml")
const checks = { properties: properties.filter((property) => mutant.killedBy.includes(property.name)), probes: [] }
const root = prepareSearchRoot(Result.getOrThrow(readScript(file)))
const { found } = search(root, { ...checks, strategies: portfolio(1, 1200) })
const finding = found && minimizeFinding(root, found, checks)
if (finding === undefined) throw new Error(`no finding of ${name}`)
const minimized = Result.getOrThrow(readScenario("minimized.yaml", finding.text))
console.log(JSON.stringify(Result.getOrThrow(causeOfSchedule("minimized.yaml", minimized, checks, 200))))
