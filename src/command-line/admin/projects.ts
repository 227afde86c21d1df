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

const pauseCommand = act(
  "pause-project",
  { person, project },
  {
    description: "Stop the agents of a project, for the person's side",
    changes: "DATABASE",
    reason,
    run: ({ person, project }, why) =>
      Effect.flatMap(nonIdempotentRequest(person), (request) =>
        pauseProject(onBehalfOf(person), request, { projectId: project, reason: why ?? "" })
      )
  }
)

const resumeCommand = act(
  "resume-project",
  { person, project },
  {
    description: "Lift the pause of the person's side",
    changes: "DATABASE",
    reason,
    run: ({ person, project }, why) =>
      Effect.flatMap(nonIdempotentRequest(person), (request) =>
        resumeProject(onBehalfOf(person), request, { projectId: project, reason: why ?? "" })
      )
  }
)

export const projectActs = [pauseCommand, resumeCommand] as const
