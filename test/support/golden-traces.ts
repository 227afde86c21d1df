/** The committed golden traces of all scenarios. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { readTrace } from "../../simulator/observation/trace.ts"

const scenarios = path.resolve(import.meta.dirname, "../../scenarios")

/** The lines of each trace, in the order of the scenario folders. */
export const readGoldenTraces = (): ReadonlyArray<ReturnType<typeof readTrace>> =>
  readdirSync(scenarios, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "trace.ndjson")
    .toSorted()
    .map((file) => readTrace(readFileSync(path.join(scenarios, file), "utf8")))
