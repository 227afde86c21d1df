/**
 * What a name leads to, asked of the system's resolver for each send. No hosts file, no search list and no cache of ours
 * takes part.
 */
import { Resolver } from "node:dns"
import { Effect, Option } from "effect"
import { CallbackFailed, ResolverUnreachable } from "../../ports/callback-sender.ts"
import { limits } from "../../vocabulary/limits.ts"

/** All addresses of a name, those of IPv4 first. */
export type Resolve = (host: string) => Effect.Effect<ReadonlyArray<string>, CallbackFailed | ResolverUnreachable>

/** Through the servers given, as `address:port`, or through those of the system. */
export const resolveThrough =
  (servers?: ReadonlyArray<string>, within: number = limits.callbackResolution): Resolve =>
  (host) =>
    Effect.gen(function* () {
      const answers = yield* asking(servers, within, (resolver) => [
        answerTo((answered) => resolver.resolve4(host, answered)),
        answerTo((answered) => resolver.resolve6(host, answered))
      ])
      const found = answers.flatMap(({ records }) => records)
      // Half an answer is none: what the other half says could refuse the name.
      if (answers.every(({ code }) => code === undefined || code === noData) && found.length > 0) return found
      const reason = answers.map(({ code }) => code ?? "answered").join(" and ")
      if (answers.every(isSilence) && !(yield* isThere(servers, within)))
        return yield* new ResolverUnreachable({ reason })
      return yield* new CallbackFailed({ fault: "DNS_FAILURE" })
    }).pipe(Effect.withSpan("callbacks.resolve"))

interface Answer {
  readonly records: ReadonlyArray<string>
  /** Why there are none, as c-ares names it. */
  readonly code?: string
}

const noData = "ENODATA"

/** What c-ares reports of an answer that came; everything else means that none did. */
const refusals = new Set([
  noData,
  "ENOTFOUND",
  "ESERVFAIL",
  "EREFUSED",
  "ENOTIMP",
  "EFORMERR",
  "EBADRESP",
  "EBADNAME",
  "EBADQUERY"
])

const isSilence = ({ code }: Answer): boolean => code !== undefined && !refusals.has(code)

/**
 * Whether the resolver answers anything. A name whose own servers are silent looks like a resolver that is gone; the
 * servers of the root every resolver knows by heart.
 */
const isThere = (servers: ReadonlyArray<string> | undefined, within: number): Effect.Effect<boolean> =>
  Effect.map(
    asking(servers, within / 2, (resolver) => [answerTo((answered) => resolver.resolveNs(".", answered))]),
    (answers) => !answers.every(isSilence)
  )

/** A resolver of its own for each question, so that ending one ends no other; it reads the system's settings anew. */
const asking = (
  servers: ReadonlyArray<string> | undefined,
  within: number,
  questions: (resolver: Resolver) => ReadonlyArray<Effect.Effect<Answer>>
): Effect.Effect<ReadonlyArray<Answer>> =>
  Effect.suspend(() => {
    const resolver = new Resolver({ timeout: Math.ceil(within / 4), tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    return Effect.all(
      questions(resolver).map((question) =>
        Effect.map(
          Effect.timeoutOption(question, within),
          Option.getOrElse((): Answer => ({ records: [], code: "ETIMEOUT" }))
        )
      ),
      { concurrency: "unbounded" }
    ).pipe(Effect.ensuring(Effect.sync(() => resolver.cancel())))
  })

type Answered = (error: NodeJS.ErrnoException | null, records: ReadonlyArray<string>) => void

const answerTo = (ask: (answered: Answered) => void): Effect.Effect<Answer> =>
  Effect.callback((resume) =>
    ask((error, records) =>
      resume(Effect.succeed(error === null ? { records } : { records: [], code: error.code ?? "unknown" }))
    )
  )
