/** The script of the page: its modules and those shared with timelines, bundled. */
import * as path from "node:path"
import { asOneScript } from "../../timeline/client.ts"

export const pageScript = (): string =>
  asOneScript([
    ...["marks", "elements"].map((name) => path.join(import.meta.dirname, "../../timeline/client", `${name}.js`)),
    ...modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`))
  ])

/** In dependency order. */
const modules = ["asking", "words", "showing", "snapshots", "world", "doing", "main"]
