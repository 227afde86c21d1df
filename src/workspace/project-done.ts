/** Where a person goes on once something of theirs was done on a project, or a new one was made. */
import { Effect } from "effect"
import { keepUntold } from "./project-untold.ts"
import { seeOther } from "./response.ts"
import type { Visitor } from "./visitor.ts"

interface Done {
  readonly project: { readonly taskId: string }
  readonly emailUpdate?: "FAILED" | "DISABLED"
}

/** What was done is done; only that the other side was not told is said besides, on the project's page. */
export const answerDone = (visitor: Visitor, { project: { taskId }, emailUpdate }: Done) => {
  const done = seeOther(`/workspace/projects/${taskId}`)
  return emailUpdate === "FAILED" ? keepUntold(done, visitor, taskId) : Effect.succeed(done)
}
