/** `countersign admin`: changes, lists and the log of an installation, for its operator. */
import { Command } from "effect/cli"
import { acts } from "./acts.ts"
import { afterRestoreCommand } from "./after-restore.ts"
import { check } from "./check.ts"
import { issuerKeys } from "./keys.ts"
import { list } from "./list.ts"
import { log } from "./log.ts"
import { run } from "./run.ts"
import { show } from "./show.ts"
import { sizes } from "./sizes.ts"

export const admin = Command.make("admin").pipe(
  Command.withDescription("Administer this installation"),
  Command.withSubcommands([...acts, afterRestoreCommand, check, issuerKeys, list, show, log, run, sizes])
)
