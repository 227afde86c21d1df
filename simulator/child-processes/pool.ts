/** A pool of child processes that each handle one request at a time. */
import { type ChildProcess, fork } from "node:child_process"
import { Effect, type Scope } from "effect"

export interface ChildProcessPool<Question extends object, Progress, Answer> {
  /** Fails with the exit of the process if it ends without a response; another process replaces it. */
  readonly request: (question: Question, onProgress?: (progress: Progress) => void) => Effect.Effect<Answer, string>
}

/** What a process sends: any number of times its progress, then its answer. */
type Message<Progress, Answer> = { readonly progress: Progress } | { readonly answer: Answer }

/**
 * Starts as many processes as there are concurrent requests. Each runs the program with the arguments of this process and
 * shares its standard error. They end with the scope.
 */
export const childProcessPool = <Question extends object, Progress, Answer>(
  program: string
): Effect.Effect<ChildProcessPool<Question, Progress, Answer>, never, Scope.Scope> => {
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
  const ask = (question: Question, onProgress: (progress: Progress) => void = () => {}) =>
    Effect.callback<Answer, string>((resume) => {
      const child = availableChild()
      const removeListeners = () => child.off("message", received).off("exit", ended).off("error", failed)
      const received = (message: Message<Progress, Answer>) => {
        if ("progress" in message) return onProgress(message.progress)
        removeListeners()
        idle.push(child)
        resume(Effect.succeed(message.answer))
      }
      const ended = (code: number | null, signal: string | null) => {
        removeListeners()
        resume(Effect.fail(`its process ended with ${signal ?? code}`))
      }
      const failed = (error: Error) => {
        removeListeners()
        resume(Effect.fail(`its process cannot be reached: ${error.message}`))
      }
      child.on("message", received).once("exit", ended).once("error", failed)
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
export const serveParent = <Question, Progress, Answer>(
  answer: (question: Question, onProgress: (progress: Progress) => void) => Answer
): void => {
  const send = (message: Message<Progress, Answer>) => process.send?.(message)
  process.on("message", (question: Question) => send({ answer: answer(question, (progress) => send({ progress })) }))
}
