/** `admin export-project`: writes a file that `simulate import` reads. Recorded, since customers' terms leave with it. */
import { Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { writeOnce } from "../../adapters/private-file.ts"
import { exportProject } from "../../project-export/export.ts"
import { CommandFailure } from "../production.ts"
import { act } from "./act.ts"
import { jsonText } from "./text.ts"

export const exportProjectCommand = act(
  "export-project",
  {
    project: Argument.String("id").pipe(Argument.withDescription("The project's id")),
    out: Flag.Path("out").pipe(Flag.withDescription("The new file, readable by its owner only"))
  },
  {
    description: "Write the rows of a project to a file, without secrets, webhook targets and identities",
    changes: "FILES",
    run: ({ project, out }) =>
      Effect.gen(function* () {
        const exported = yield* exportProject(project)
        const isNew = yield* Effect.try({
          try: () => writeOnce(out, jsonText(exported)),
          catch: (error) =>
            new CommandFailure({ message: `${out} cannot be written, ${String(error)}: name another file with --out` })
        })
        if (!isNew) return yield* new CommandFailure({ message: `${out} exists: name a new file with --out` })
        const count = Object.values(exported.rows).reduce((sum, rows) => sum + rows.length, 0)
        return { projectId: project, file: out, rows: count }
      })
  }
)
