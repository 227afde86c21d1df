/** `npm run conformance`: whether an engine carries Countersign. */
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { checkConformance } from "./conformance.ts"
import { help, readOptions } from "./options.ts"

const options = readOptions(process.argv.slice(2))
if (options === "HELP") console.log(help)
else if ("problem" in options) {
  console.error(options.problem)
  process.exitCode = 2
} else NodeRuntime.runMain(Effect.map(checkConformance(options), (code) => void (process.exitCode = code)))
