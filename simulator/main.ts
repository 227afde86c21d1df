/** The command line of the simulator; `commands/ending.ts` defines the exit codes. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliError, Command } from "effect/cli"
import { apiVersion } from "../src/vocabulary/version.ts"
import { coverage } from "./commands/coverage.ts"
import { diff } from "./commands/diff.ts"
import { explore } from "./commands/explore.ts"
import { endWith, noteExitCode, PASSED, UNUSABLE } from "./commands/exit.ts"
import { faults } from "./commands/faults.ts"
import { mutants } from "./commands/mutants.ts"
import { outcomes } from "./commands/outcomes.ts"
import { record } from "./commands/record.ts"
import { generate } from "./commands/generate.ts"
import { replay } from "./commands/replay.ts"
import { run } from "./commands/run.ts"
import { serve } from "./commands/serve.ts"
import { shrink } from "./commands/shrink.ts"
import { soak } from "./commands/soak.ts"
import { step } from "./commands/step.ts"
import { schema } from "./commands/schema.ts"
import { verify } from "./commands/verify.ts"
import { watch } from "./commands/watch.ts"

const simulator = Command.make("simulate").pipe(
  Command.withDescription(
    "Runs the service in a simulated world: virtual time, seeded ids and keys. Exits with 0 if all results are as " +
      "expected, 1 if not, 2 if the command or a scenario is unusable, 3 if a replay diverges from its record, 4 if a " +
      "search proves less than expected."
  ),
  Command.withSubcommands([
    run,
    verify,
    diff,
    generate,
    explore,
    replay,
    shrink,
    mutants,
    soak,
    outcomes,
    coverage,
    faults,
    step,
    watch,
    schema,
    serve,
    record
  ])
)

// The error and the help have been printed already.
const ended = (error: Error) => {
  if (!CliError.isCliError(error) || error._tag !== "ShowHelp") return endWith(UNUSABLE, error.message)
  return Effect.sync(() => noteExitCode(error.errors.length === 0 ? PASSED : UNUSABLE))
}

Command.run(simulator, { version: apiVersion }).pipe(
  Effect.catch(ended),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
