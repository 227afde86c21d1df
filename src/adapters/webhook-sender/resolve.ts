/**
 * The addresses of a name, asked of the system's resolver for each attempt. No hosts file, search list or cache of this
 * process is used.
 */
import { Resolver } from "node:dns"
import { Effect, Option } from "effect"
import { WebhookFailure, ResolverUnreachable } from "../../ports/webhook-sender.ts"
import { limits } from "../../vocabulary/limits.ts"

/** All addresses of a name, IPv4 first. */
export type Resolve = (host: string) => Effect.Effect<ReadonlyArray<string>, WebhookFailure | ResolverUnreachable>

/** Through these servers, as `address:port`, or through those of the system. */
export const resolveThrough =
  (servers?: ReadonlyArray<string>, within: number = limits.webhookResolution): Resolve =>
  (host) =>
    Effect.gen(function* () {
      const answers = yield* ask(servers, within, (resolver) => [
        answerTo((callback) => resolver.resolve4(host, callback)),
        answerTo((callback) => resolver.resolve6(host, callback))
      ])
      const found = answers.flatMap(({ records }) => records)
      // A partial answer is not used: the missing addresses could be forbidden ones.
      if (answers.every(({ code }) => code === undefined || code === noData) && found.length > 0) return found
      const reason = answers.map(({ code }) => code ?? "answered").join(" and ")
      if (answers.every(isSilence) && !(yield* isResolverReachable(servers, within)))
        return yield* new ResolverUnreachable({ reason })
      return yield* new WebhookFailure({ fault: "DNS_FAILURE" })
    }).pipe(Effect.withSpan("webhooks.resolve"))

interface Answer {
  readonly records: ReadonlyArray<string>
  /** Why there are none, as c-ares names it. */
  readonly code?: string
}

const noData = "ENODATA"

/** Codes of c-ares for an answer that arrived; every other code means that none did. */
const answerCodes = new Set([
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

const isSilence = ({ code }: Answer): boolean => code !== undefined && !answerCodes.has(code)

/**
 * Whether the resolver answers at all. If the servers of a name are silent, the resolver looks unreachable; the root
 * servers are known to every resolver.
 */
const isResolverReachable = (servers: ReadonlyArray<string> | undefined, within: number): Effect.Effect<boolean> =>
  Effect.map(
    ask(servers, within / 2, (resolver) => [answerTo((callback) => resolver.resolveNs(".", callback))]),
    (answers) => !answers.every(isSilence)
  )

/** A resolver of its own for each question, so that a cancellation affects no other one; it reads the system's settings again. */
const ask = (
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

type ResolverCallback = (error: NodeJS.ErrnoException | null, records: ReadonlyArray<string>) => void

const answerTo = (start: (callback: ResolverCallback) => void): Effect.Effect<Answer> =>
  Effect.callback((resume) =>
    start((error, records) =>
      resume(Effect.succeed(error === null ? { records } : { records: [], code: error.code ?? "unknown" }))
    )
  )
