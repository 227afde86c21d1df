/** The script of the page: its modules and those shared with timelines, bundled. */
import * as path from "node:path"
import { bundleModules } from "../../reports/timeline/client-script.ts"

export const pageScript = (): string =>
  bundleModules([
    ...["visible-characters", "elements"].map((name) =>
      path.join(import.meta.dirname, "../../reports/timeline/client", `${name}.js`)
    ),
    ...modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`))
  ])

/** In dependency order. */
const modules = ["control-client", "line-summary", "view", "snapshots", "world", "commands", "main"]
