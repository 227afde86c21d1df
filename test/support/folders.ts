/** Folders with files, removed with the scope. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"

/** A folder with files of these contents; its path. */
export const folderWith = (contents: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-files-"))
      for (const [name, content] of Object.entries(contents)) fs.writeFileSync(path.join(folder, name), content)
      return folder
    }),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )
