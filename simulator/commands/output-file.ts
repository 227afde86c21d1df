/** The file that a command writes at its end: claimed at its beginning, so that nobody works for nothing. */
import * as fs from "node:fs"

export interface OutputFile {
  readonly write: (text: string) => void
  /** Leaves no file where none was and nothing was written. */
  readonly release: () => void
}

/** Throws where it cannot be written, and where it is there already and may not be overwritten. */
export const claimFile = (file: string, mayOverwrite: boolean): OutputFile => {
  const isThere = fs.existsSync(file)
  if (isThere && !mayOverwrite) throw new Error(`${file} is there already: choose another name, or say --overwrite`)
  fs.closeSync(fs.openSync(file, isThere ? "r+" : "wx"))
  let isNew = !isThere
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
