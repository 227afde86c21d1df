/** Saves the script of a finding under a name of the original script and the violated property. */
import * as fs from "node:fs"
import * as path from "node:path"

/** Returns the path. An existing file is reused if its bytes are equal, and never overwritten. */
export const saveFinding = (folder: string, script: string, property: string, text: string): string => {
  fs.mkdirSync(folder, { recursive: true })
  const stem = stemOf(script)
  const slug = property.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  const name = stem.endsWith(slug) ? stem : `${stem}-${slug}`
  for (let count = 1; ; count++) {
    const file = path.join(folder, `${count === 1 ? name : `${name}-${count}`}.yaml`)
    if (isWritten(file, text)) return file
  }
}

/** A scenario in a folder of its own is called after the folder. */
const stemOf = (script: string): string =>
  path.basename(script) === "scenario.yaml"
    ? path.basename(path.dirname(path.resolve(script)))
    : path.basename(script, ".yaml")

/** Safe under concurrent saves: the exclusive flag never overwrites a file. */
const isWritten = (file: string, text: string): boolean => {
  try {
    fs.writeFileSync(file, text, { flag: "wx" })
    return true
  } catch (error) {
    if (!fs.existsSync(file)) throw error
    return fs.readFileSync(file, "utf8") === text
  }
}
