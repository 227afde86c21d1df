/** `simulate import`: makes of a project's export a scenario that every other command can run, step, serve and search. */
import * as fs from "node:fs"
import { Effect, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ProjectExport } from "../../src/project-export/export.ts"
import { writeScenario } from "../scenario/format/write.ts"
import { scenarioOfExport } from "../scenario/scenario-of-export.ts"
import { endWith, print, UNUSABLE } from "./exit.ts"
import { claimFile } from "./output-file.ts"

const flags = {
  file: Argument.String("file").pipe(
    Argument.withDescription("The export, as `countersign admin export-project` writes it")
  ),
  out: Flag.String("out").pipe(Flag.withDescription("The scenario to write, a name that ends with .yaml")),
  overwrite: Flag.Boolean("overwrite").pipe(Flag.withDescription("Replace an existing file"), Flag.withDefault(false))
}

export const importProject = Command.make(
  "import",
  flags,
  Effect.fn(function* ({ file, out, overwrite }) {
    if (!out.endsWith(".yaml")) return yield* endWith(UNUSABLE, `${out} does not end with .yaml: choose another name`)
    const written = yield* Effect.result(
      Effect.try({
        try: () => {
          const exported = readExport(file)
          const { definition, steps } = scenarioOfExport(exported)
          claimFile(out, overwrite).write(writeScenario(definition, steps))
          return exported
        },
        catch: (error) => (error instanceof Error ? error.message : String(error))
      })
    )
    if (Result.isFailure(written)) return yield* endWith(UNUSABLE, written.failure)
    yield* print(`${written.success.projectId} is the project of ${out}: simulate step ${out}`)
  })
).pipe(
  Command.withDescription(
    "Make a scenario of one project of an installation. Its events keep their signatures and verify with the keys in the " +
      "export; the world signs what follows with keys of its own. Exit codes: 0, 2 if the file is no export."
  )
)

const readExport = (file: string): ProjectExport => {
  const decoded = Schema.decodeUnknownResult(Schema.fromJsonString(ProjectExport))(fs.readFileSync(file, "utf8"))
  if (Result.isFailure(decoded)) {
    const problem = `${file} is no service.project-export/v1: ${decoded.failure.message}`
    throw new Error(`${problem}; write one with "countersign admin export-project"`)
  }
  return decoded.success
}
