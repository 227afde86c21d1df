/**
 * Drills of operation on this machine: `npm run drill -- upgrade --seed 7 --for 60s`, `npm run drill -- growth --projects
 * 10000`. Each prints what it measured, and exits with 1 on any failure.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { growth } from "./growth.ts"
import { optionsOf } from "./options.ts"
import { upgrade } from "./upgrade.ts"

const drills = { upgrade, growth }

const [name = "", ...words] = process.argv.slice(2)
const isKnown = (given: string): given is keyof typeof drills => Object.hasOwn(drills, given)

const run = Effect.gen(function* () {
  const options = optionsOf(words)
  if (!isKnown(name) || options === undefined) {
    yield* Console.error(
      `usage: npm run drill -- ${Object.keys(drills).join(" | ")} [--seed NUMBER] [--for 60s] [--projects NUMBER] [--directory PATH]`
    )
    return 2
  }
  const wrong = yield* Effect.scoped(drills[name](options))
  for (const one of wrong.slice(0, 20)) yield* Console.error(`wrong: ${one}`)
  yield* Console.log(wrong.length === 0 ? `${name}: nothing wrong` : `${name}: ${wrong.length} wrong`)
  return wrong.length === 0 ? 0 : 1
})

NodeRuntime.runMain(Effect.map(run, (code) => void (process.exitCode = code)))
