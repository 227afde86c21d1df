/** The script of the page: its modules and those shared with timelines, bundled. */
import * as path from "node:path"
import { bundleModules, viewModelModules } from "../../reports/timeline/client-script.ts"

export const pageScript = (): string =>
  bundleModules([
    ...viewModelModules("instant-text", "session-text", "tone-text"),
    ...["visible-characters", "elements"].map((name) =>
      path.join(import.meta.dirname, "../../reports/timeline/client", `${name}.js`)
    ),
    ...modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`))
  ])

/** In dependency order. */
const modules = ["control-client", "view", "snapshots", "world", "commands", "main"]
