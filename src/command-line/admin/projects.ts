/** Pauses of projects. Their reason is part of the project's own history of pauses too, and so it is required. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { onBehalfOf } from "../../people/human.ts"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { unrepeated } from "../../replay/replay.ts"
import { act } from "./act.ts"
import { person, project } from "./flags.ts"

const reason = Flag.String("reason").pipe(Flag.withDescription("Why, for the record"), Flag.map(Option.some))

const pauseCommand = act(
  "pause-project",
  { person, project },
  {
    description: "Stop the agents of a project, for the person's side",
    changes: "DATABASE",
    reason,
    run: ({ person, project }, why) =>
      Effect.flatMap(unrepeated(person), (request) =>
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
      Effect.flatMap(unrepeated(person), (request) =>
        resumeProject(onBehalfOf(person), request, { projectId: project, reason: why ?? "" })
      )
  }
)

export const projectActs = [pauseCommand, resumeCommand] as const
