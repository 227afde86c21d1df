/** A pool of child processes that each handle one request at a time. */
import { type ChildProcess, fork } from "node:child_process"
import { Effect, type Scope } from "effect"

export interface ChildProcessPool<Question extends object, Answer> {
  /** Fails with the exit of the process if it ends without a response; another process replaces it. */
  readonly request: (question: Question) => Effect.Effect<Answer, string>
}

/**
 * Starts as many processes as there are concurrent requests. Each runs the program with the arguments of this process and
 * shares its standard error. They end with the scope.
 */
export const childProcessPool = <Question extends object, Answer>(
  program: string
): Effect.Effect<ChildProcessPool<Question, Answer>, never, Scope.Scope> => {
  const started = new Set<ChildProcess>()
  const idle: Array<ChildProcess> = []
  const start = (): ChildProcess => {
    const child = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"], serialization: "advanced" })
    started.add(child)
    child.on("exit", () => started.delete(child))
    return child
  }
  const availableChild = (): ChildProcess => {
    const child = idle.pop()
    if (child === undefined) return start()
    return child.connected ? child : availableChild()
  }
  const ask = (question: Question) =>
    Effect.callback<Answer, string>((resume) => {
      const child = availableChild()
      const removeListeners = () => child.off("message", answered).off("exit", ended).off("error", failed)
      const answered = (answer: Answer) => {
        removeListeners()
        idle.push(child)
        resume(Effect.succeed(answer))
      }
      const ended = (code: number | null, signal: string | null) => {
        removeListeners()
        resume(Effect.fail(`its process ended with ${signal ?? code}`))
      }
      const failed = (error: Error) => {
        removeListeners()
        resume(Effect.fail(`its process cannot be reached: ${error.message}`))
      }
      child.once("message", answered).once("exit", ended).once("error", failed)
      child.send(question)
      return Effect.sync(() => {
        removeListeners()
        child.kill()
      })
    })
  const stop = Effect.sync(() => {
    for (const child of started) child.kill()
  })
  return Effect.acquireRelease(Effect.succeed({ request: ask }), () => stop)
}

/** The main loop of such a program: it answers requests until its parent disconnects. */
export const serveParent = <Question, Answer extends object>(answer: (question: Question) => Answer): void => {
  process.on("message", (question: Question) => process.send?.(answer(question)))
}
