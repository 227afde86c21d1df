/** The command line: its commands, run with one list of arguments. */
import { Command } from "effect/cli"
import { admin } from "./admin/admin.ts"
import { backup, restore } from "./backup.ts"
import { digest } from "./digest.ts"
import { doctor } from "./doctor.ts"
import { listen } from "./listen/listen.ts"
import { migrate } from "./migrate.ts"
import { serve, worker } from "./serve.ts"

const countersign = Command.make("countersign").pipe(
  Command.withDescription(
    "Agree on exact terms, deliver by digest, decide, and keep a record that verifies offline. `countersign simulate --help` " +
      "and `countersign verify --help` describe two further programs."
  ),
  Command.withSubcommands([serve, worker, migrate, doctor, digest, listen, backup, restore, admin])
)

export const runCountersign = Command.run(countersign, { version: "0.1.0" })
