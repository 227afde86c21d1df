/** Hunts mutants, each in a process of its own that has the bug in it. */
import { Effect } from "effect"
import { fork } from "node:child_process"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import type { Effort, Hunted } from "./hunt.ts"
import type { Mutant } from "./mutant.ts"

/** What came of it, or the words of a process that could not hunt at all. */
export type HuntEnd = Hunted | { readonly ended: "FAILED"; readonly words: string }

/** Without a mutant the service is as it is. */
export const huntElsewhere = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: Effort
): Effect.Effect<HuntEnd> =>
  Effect.callback((resume) => {
    const child = fork(hunter, [mutant?.name ?? "unchanged", String(few), String(many), ...files], {
      execArgv: mutant === undefined ? [] : ["--import", plant],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ["ignore", "ignore", "pipe", "ipc"]
    })
    const said = child.stderr === null ? Promise.resolve("") : text(child.stderr)
    child.once("message", (hunted: Hunted) => resume(Effect.succeed(hunted)))
    child.once("exit", (code, signal) => {
      void said.then((words) =>
        resume(Effect.succeed({ ended: "FAILED", words: words.trim() || `it ended with ${code ?? signal}` }))
      )
    })
    return Effect.sync(() => void child.kill())
  })

const hunter = path.join(import.meta.dirname, "hunter.ts")
const plant = pathToFileURL(path.join(import.meta.dirname, "plant.ts")).href

/** What the processes have in common they compile once; a file that has a bug in it is another by its text. */
const compiled = path.resolve(import.meta.dirname, "../../node_modules/.cache/countersign-mutants")
