/** `admin archive` and `admin create-partitions`: what operators do with the tables that are partitioned by month. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { Configuration } from "../../adapters/configuration.ts"
import { Partitions } from "../../adapters/partitions/layer.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { act } from "./act.ts"

export const archiveCommand = act(
  "archive",
  {
    before: Flag.String("before").pipe(
      Flag.withDescription("Partitions whose months are all before this one, like 2026-09")
    ),
    tablespace: Flag.String("tablespace").pipe(
      Flag.withDescription("The tablespace that they move to, with their indexes")
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Only print what would be moved")
    )
  },
  {
    description:
      "Move the partitions of past months to another tablespace while the service runs; nothing is deleted. Repeat an interrupted run",
    changes: "FILES",
    run: (input) =>
      Effect.gen(function* () {
        const { databaseUrl } = yield* Configuration
        // `backup` copies the directory of the embedded database, and a tablespace lies outside of it.
        if (Option.isNone(databaseUrl)) {
          return yield* refuse("INVALID_REQUEST", {
            detail: "The embedded database has no tablespaces: set DATABASE_URL and use a Postgres of your own."
          })
        }
        const partitions = yield* (yield* Partitions).archive(input)
        return { [input.dryRun ? "wouldMove" : "moved"]: partitions, tablespace: input.tablespace }
      })
  }
)

export const createPartitionsCommand = act(
  "create-partitions",
  {},
  {
    description:
      "Make the partitions of the current and the coming months, and of rows whose month has none; servers and workers do it every hour. While another process does it, nothing is made: run it again",
    changes: "FILES",
    run: () => Effect.flatMap(Partitions, ({ create }) => Effect.map(create(true), (tables) => ({ tables })))
  }
)
