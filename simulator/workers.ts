/** Processes beside this one that each do one thing at a time: a program of the simulator that is asked and answers. */
import { type ChildProcess, fork } from "node:child_process"
import { Effect, type Scope } from "effect"

export interface Workers<Question extends object, Answer> {
  /** Fails with how the process ended that was asked, where it ends without an answer; another takes its place. */
  readonly ask: (question: Question) => Effect.Effect<Answer, string>
}

/**
 * As many processes as things are asked at once. Each runs the program with what this one was started with; what it
 * cannot handle is told on the same standard error. They end with the scope.
 */
export const workersOf = <Question extends object, Answer>(
  program: string
): Effect.Effect<Workers<Question, Answer>, never, Scope.Scope> => {
  const started = new Set<ChildProcess>()
  const idle: Array<ChildProcess> = []
  const start = (): ChildProcess => {
    const child = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"], serialization: "advanced" })
    started.add(child)
    child.on("exit", () => started.delete(child))
    return child
  }
  const living = (): ChildProcess => {
    const child = idle.pop()
    if (child === undefined) return start()
    return child.connected ? child : living()
  }
  const ask = (question: Question) =>
    Effect.callback<Answer, string>((resume) => {
      const child = living()
      const isOver = () => child.off("message", answered).off("exit", ended).off("error", failed)
      const answered = (answer: Answer) => {
        isOver()
        idle.push(child)
        resume(Effect.succeed(answer))
      }
      const ended = (code: number | null, signal: string | null) => {
        isOver()
        resume(Effect.fail(`its process ended with ${signal ?? code}`))
      }
      const failed = (error: Error) => {
        isOver()
        resume(Effect.fail(`its process cannot be asked: ${error.message}`))
      }
      child.once("message", answered).once("exit", ended).once("error", failed)
      child.send(question)
      return Effect.sync(() => {
        isOver()
        child.kill()
      })
    })
  const stop = Effect.sync(() => {
    for (const child of started) child.kill()
  })
  return Effect.acquireRelease(Effect.succeed({ ask }), () => stop)
}

/** What such a program does: it answers whatever it is asked, until nobody can ask any more. */
export const work = <Question, Answer extends object>(answer: (question: Question) => Answer): void => {
  process.on("message", (question: Question) => process.send?.(answer(question)))
}
