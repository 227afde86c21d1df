/** The command line of the simulator; `exit.ts` defines the exit codes. */
import { Effect } from "effect"
import { CliError, Command } from "effect/cli"
import { apiVersion } from "../../src/vocabulary/version.ts"
import { coverage } from "./coverage.ts"
import { diff } from "./diff.ts"
import { exam } from "./exam.ts"
import { explore } from "./explore.ts"
import { endWith, noteExitCode, PASSED, UNUSABLE } from "./exit.ts"
import { faults } from "./faults.ts"
import { importProject } from "./import.ts"
import { mcp } from "./mcp.ts"
import { mutants } from "./mutants.ts"
import { outcomes } from "./outcomes.ts"
import { record } from "./record.ts"
import { generate } from "./generate.ts"
import { replay } from "./replay.ts"
import { run } from "./run.ts"
import { serve } from "./serve.ts"
import { shrink } from "./shrink.ts"
import { soak } from "./soak.ts"
import { step } from "./step.ts"
import { schema } from "./schema.ts"
import { verify } from "./verify.ts"
import { watch } from "./watch.ts"
import { why } from "./why.ts"

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
    why,
    mutants,
    soak,
    outcomes,
    coverage,
    faults,
    step,
    watch,
    schema,
    serve,
    importProject,
    record,
    exam,
    mcp
  ])
)

// The error and the help have been printed already.
const ended = (error: Error) => {
  if (!CliError.isCliError(error) || error._tag !== "ShowHelp") return endWith(UNUSABLE, error.message)
  return Effect.sync(() => noteExitCode(error.errors.length === 0 ? PASSED : UNUSABLE))
}

export const runSimulator = Command.run(simulator, { version: apiVersion }).pipe(Effect.catch(ended))
