/** A program of the bench in a process of its own, so that its CPU time is not counted as another's. */
import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { Effect } from "effect"

/** The answer of a child: its result, or the text of the error. */
type Answer<Result> = { readonly result: Result } | { readonly error: string }

/** Starts a program of this folder; it is killed with the scope. `ask` sends one request and waits for its answer. */
export const startChild = <Request extends object, Result>(
  program: string,
  words: ReadonlyArray<string> = [],
  environment: NodeJS.ProcessEnv = {}
) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(path.join(import.meta.dirname, program), words, { env: { ...process.env, ...environment } })
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      })
  ).pipe(Effect.map((child) => (request: Request) => Effect.promise(() => ask<Result>(child, program, request))))

const ask = <Result>(child: ChildProcess, program: string, request: object): Promise<Result> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${program} exited with ${code}`))
    child.once("exit", onExit)
    child.once("message", (answer: Answer<Result>) => {
      child.off("exit", onExit)
      if ("error" in answer) reject(new Error(`${program}: ${answer.error}`))
      else resolve(answer.result)
    })
    child.send(request)
  })

/** In the child: answers each request, one after another. */
export const answerRequests = <Request, Result>(answer: (request: Request) => Promise<Result>): void => {
  process.on("message", (request: Request) => {
    void answer(request).then(
      (result) => process.send!({ result } satisfies Answer<Result>),
      (error: unknown) => process.send!({ error: String(error) } satisfies Answer<Result>)
    )
  })
}
