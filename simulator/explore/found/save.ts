/** Puts a found scenario into a folder, under a name that says where it was found and what it breaks. */
import * as fs from "node:fs"
import * as path from "node:path"

/** Returns the file. One that is there already is left as it is, unless it is the same to the byte. */
export const saveFound = (folder: string, script: string, invariant: string, text: string): string => {
  fs.mkdirSync(folder, { recursive: true })
  const stem = path.basename(script, ".yaml")
  const slug = invariant.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  const name = stem.endsWith(slug) ? stem : `${stem}-${slug}`
  for (let count = 1; ; count++) {
    const file = path.join(folder, `${count === 1 ? name : `${name}-${count}`}.yaml`)
    if (isWritten(file, text)) return file
  }
}

/** Several may save at once: what is there by then is never written over. */
const isWritten = (file: string, text: string): boolean => {
  try {
    fs.writeFileSync(file, text, { flag: "wx" })
    return true
  } catch (error) {
    if (!fs.existsSync(file)) throw error
    return fs.readFileSync(file, "utf8") === text
  }
}
