/** One HTTP exchange of `countersign listen`; it follows no redirection, and ends when it is interrupted. */
import { Data, Effect, Option } from "effect"

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** No answer: `reason` is for the developer, such as `ECONNREFUSED`. */
export class NoReply extends Data.TaggedError("NoReply")<{
  readonly reason: string
  /** False if the program accepted the connection, so that the request can have had an effect. */
  readonly isUnreachable: boolean
}> {}

/** `timeout` in milliseconds is for the whole answer. */
export const exchange = (url: string, init: RequestInit, timeout: number): Effect.Effect<Reply, NoReply> =>
  Effect.tryPromise({
    try: async (signal): Promise<Reply> => {
      const response = await fetch(url, { ...init, redirect: "manual", signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    catch: noReply
  }).pipe(
    Effect.timeoutOption(timeout),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.fail(new NoReply({ reason: `no answer in ${timeout / 1000} s`, isUnreachable: false })),
        onSome: Effect.succeed
      })
    )
  )

/** `fetch` says "fetch failed"; what happened is in the cause. */
const noReply = (error: unknown): NoReply => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined
  const code = cause !== undefined && "code" in cause ? String(cause.code) : undefined
  return new NoReply({ reason: code ?? cause?.message ?? String(error), isUnreachable: unreachable.has(code ?? "") })
}

const unreachable: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"])
