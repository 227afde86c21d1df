/** Pauses of projects. Their reason is also part of the project's own history of pauses, so it is required. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { onBehalfOf } from "../../people/acting-person.ts"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { nonIdempotentRequest } from "../../replay/idempotency.ts"
import { act } from "./act.ts"
import { person, project } from "./flags.ts"

const reason = Flag.String("reason").pipe(
  Flag.withDescription("The reason, for the history of pauses"),
  Flag.map(Option.some)
)

const command = <const Name extends string>(name: Name, description: string, operation: typeof pauseProject) =>
  act(
    name,
    { person, project },
    {
      description,
      changes: "DATABASE",
      reason,
      run: ({ person, project }, why) =>
        Effect.flatMap(nonIdempotentRequest(person), (request) =>
          operation(onBehalfOf(person), request, { projectId: project, reason: why ?? "" })
        )
    }
  )

export const projectActs = [
  command("pause-project", "Stop the agents of a project, for the person's side", pauseProject),
  command("resume-project", "Lift the pause of the person's side", resumeProject)
] as const
