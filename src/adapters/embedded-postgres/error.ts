/** Why the embedded Postgres cannot be used, in words for the person who started it. */
import { Data, Effect } from "effect"

export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  /** True where another process of ours owns the directory. */
  readonly isInUse?: boolean
}> {}

export const attempt = <A>(what: string, action: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({ try: action, catch: asEmbeddedError(what) })

/** What could not be done, and why. */
export const asEmbeddedError =
  (what: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    cause instanceof EmbeddedPostgresError
      ? cause
      : new EmbeddedPostgresError({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}` })
