/** What a command that only reads requires: an installation that exists, and that it would otherwise make. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { isEmbedded } from "../../adapters/checks/files.ts"
import { readSettings, type Settings } from "../../adapters/configuration.ts"
import { hasCluster } from "../../adapters/embedded-postgres/cluster.ts"
import { CommandFailure } from "../production.ts"

/** Fails where the data directory is in use and `isHeld` finds nothing in it. */
const requireHeld = (isHeld: (directory: string, settings: Settings) => boolean) =>
  Effect.flatMap(readSettings, (settings) => {
    const directory = path.resolve(settings.configuration.dataDirectory)
    if (!isEmbedded(settings) || isHeld(directory, settings)) return Effect.void
    return Effect.fail(
      new CommandFailure({
        message: `DATA_DIR: ${directory} holds no installation; set DATA_DIR, or start \`countersign serve\` first.`
      })
    )
  })

export const requireDatabase = requireHeld((directory) => hasCluster(path.join(directory, "database")))

export const requireIssuerKeys = requireHeld(
  (directory, { present }) =>
    present.has("ISSUER_KEYS_FILE") || fs.existsSync(path.join(directory, "keys", "issuer-keys.json"))
)
