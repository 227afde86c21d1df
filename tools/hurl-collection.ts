/** Writes the Hurl collection in `examples/hurl` from the scenarios and their golden traces: `npm run examples:hurl`. */
import * as fs from "node:fs"
import * as path from "node:path"
import { hurlFile } from "./hurl/file.ts"

export const collectionFolder = path.resolve(import.meta.dirname, "../examples/hurl")

/** In the order in which a reader learns the API. They share two people, and need no virtual time. */
const scenarios = [
  "agents/connection-approved",
  "first-record/first-record",
  "first-record/changes-and-evidence",
  "agents/renewal",
  "stop-controls/pause-invalidates-plans",
  "stop-controls/hand-off",
  "stop-controls/human-only-decisions",
  "proposals/draft-finished-by-person",
  "proposals/proposal-accepted",
  "proposals/new-version-after-publication",
  "proposals/saved-job",
  "webhooks/history-checkpoint"
]

/** The files of the collection: each has the name of its scenario. */
export const collectionFiles = (): ReadonlyArray<{ readonly name: string; readonly text: string }> =>
  scenarios.map((scenario) => ({ name: `${path.basename(scenario)}.hurl`, text: hurlFile(scenario) }))

if (import.meta.main) {
  fs.mkdirSync(collectionFolder, { recursive: true })
  for (const { name, text } of collectionFiles()) fs.writeFileSync(path.join(collectionFolder, name), text)
}
