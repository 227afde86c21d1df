/** The output file of a command, claimed at its start so that the work is not lost. */
import * as fs from "node:fs"

export interface OutputFile {
  readonly write: (text: string) => void
  /** Removes the file if it was created here and not written. */
  readonly release: () => void
}

/** Throws if the file cannot be written, or exists and may not be overwritten. */
export const claimFile = (file: string, mayOverwrite: boolean): OutputFile => {
  const exists = fs.existsSync(file)
  if (exists && !mayOverwrite) throw new Error(`${file} already exists: choose another name, or add --overwrite`)
  fs.closeSync(fs.openSync(file, exists ? "r+" : "wx"))
  let isNew = !exists
  return {
    write: (text) => {
      fs.writeFileSync(file, text)
      isNew = false
    },
    release: () => {
      if (isNew) fs.rmSync(file, { force: true })
    }
  }
}
