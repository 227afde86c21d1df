/** The reason why the embedded Postgres cannot be used, as a message for the operator. */
import { Data, Effect } from "effect"

export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  /** True where another process of Countersign owns the directory. */
  readonly isInUse?: boolean
}> {}

export const attempt = <A>(description: string, action: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({ try: action, catch: asEmbeddedError(description) })

/** An error whose message states the failed action and its cause. */
export const asEmbeddedError =
  (description: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    cause instanceof EmbeddedPostgresError
      ? cause
      : new EmbeddedPostgresError({
          message: `${description}: ${cause instanceof Error ? cause.message : String(cause)}`
        })
