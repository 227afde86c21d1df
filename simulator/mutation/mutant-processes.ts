/** Tests mutants, each in its own process with the mutated source. */
import { Effect } from "effect"
import { fork } from "node:child_process"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import type { RunLimits, MutantResult } from "./kill-search.ts"
import type { Mutant } from "./mutant.ts"

/** The result, or the error output of a failed process. */
export type MutantProcessResult = MutantResult | { readonly ended: "FAILED"; readonly words: string }

/** Tests the unmodified service without a mutant. */
export const searchInProcess = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: RunLimits
): Effect.Effect<MutantProcessResult> =>
  Effect.callback((resume) => {
    const child = fork(worker, [mutant?.name ?? "unchanged", String(few), String(many), ...files], {
      execArgv: mutant === undefined ? [] : ["--import", plant],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
      stdio: ["ignore", "ignore", "pipe", "ipc"]
    })
    const errorOutput = child.stderr === null ? Promise.resolve("") : text(child.stderr)
    child.once("message", (result: MutantResult) => resume(Effect.succeed(result)))
    child.once("exit", (code, signal) => {
      void errorOutput.then((words) =>
        resume(Effect.succeed({ ended: "FAILED", words: words.trim() || `it exited with ${code ?? signal}` }))
      )
    })
    return Effect.sync(() => void child.kill())
  })

const worker = path.join(import.meta.dirname, "mutant-worker.ts")
const plant = pathToFileURL(path.join(import.meta.dirname, "apply-mutant.ts")).href

/** The shared compile cache is keyed by source text, so that mutated files do not collide. */
const compileCache = path.resolve(import.meta.dirname, "../../node_modules/.cache/countersign-mutants")
