/** Which agent `simulate exam` examines: a program that it starts, or one that is attached. */
import { Option, Result } from "effect"
import { Flag } from "effect/cli"
import { AgentProcess } from "../examination/agent-process.ts"
import { AttachedAgent } from "../examination/attached-agent.ts"
import type { ExamOptions } from "../examination/examine.ts"
import { type Lesson, restartsAgent } from "../examination/lesson.ts"
import { programFlags } from "./exam-shared.ts"

export const agentFlags = {
  command: Flag.optional(programFlags.command),
  attach: Flag.Boolean("attach").pipe(
    Flag.withDescription(
      "In place of --command, for an agent that is started elsewhere on this machine: print its variables for each lesson"
    ),
    Flag.withDefault(false)
  )
}

export interface ChosenAgent {
  readonly newAgent: ExamOptions["newAgent"]
  /** The command line that starts it; undefined for one that is attached. */
  readonly command: string | undefined
}

export const chooseAgent = (
  given: { readonly command: Option.Option<string>; readonly attach: boolean },
  print: (text: string) => void
): Result.Result<ChosenAgent, string> => {
  const command = Option.getOrUndefined(given.command)
  if ((command !== undefined) === given.attach) return Result.fail("Give either --command or --attach")
  return Result.succeed({
    command,
    newAgent: (lesson) => (command === undefined ? new AttachedAgent(lesson, print) : new AgentProcess(command))
  })
}

/** An attached agent cannot be restarted by the examination, so lessons with such an act are not given to it. */
export const givenTo = (
  { command }: ChosenAgent,
  lessons: ReadonlyArray<Lesson>
): { readonly given: ReadonlyArray<Lesson>; readonly leftOut: ReadonlyArray<Lesson> } => {
  const leftOut = command === undefined ? lessons.filter(restartsAgent) : []
  return { given: lessons.filter((lesson) => !leftOut.includes(lesson)), leftOut }
}
