/** Reloads the keys of every server and worker on one database: a command notifies them, and each answers the same way. */
import { Context, Deferred, Effect, Layer, Queue, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { limits } from "../vocabulary/limits.ts"
import { Notifications } from "./notifications.ts"
import { KeyReload } from "./running-keys.ts"

const requestChannel = "countersign_key_reloads"
const answerChannel = "countersign_key_reload_answers"

const Answer = Schema.fromJsonString(
  Schema.Struct({
    request: Schema.String,
    process: Schema.String,
    /** Why the earlier keys stay; null after a reload. */
    refused: Schema.NullOr(Schema.String)
  })
)
type Answer = typeof Answer.Type

/** For `serve` and `worker`. */
export const answerReloadRequests = Layer.effectDiscard(
  Effect.gen(function* () {
    const { notify, subscribe, processName } = yield* Notifications
    const { reload } = yield* KeyReload
    yield* subscribe({
      channel: requestChannel,
      onListening: Effect.void,
      onMessage: ({ payload: request }) =>
        reload.pipe(
          Effect.match({
            onFailure: ({ message }) => message.slice(0, limits.reloadReasonCharacters),
            onSuccess: () => null
          }),
          Effect.flatMap((refused) =>
            notify(answerChannel, Schema.encodeSync(Answer)({ request, process: processName, refused }))
          )
        )
    })
  })
)

export interface ReloadReport {
  readonly reloaded: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly process: string; readonly reason: string }>
  /** Processes that listen and did not answer in time. */
  readonly unanswered: ReadonlyArray<string>
}

/** How long a command waits for the answers. */
export const ReloadAnswerTime = Context.Reference<number>("countersign/adapters/ReloadAnswerTime", {
  defaultValue: () => limits.keyReloadAnswers
})

/** Asks every process that listens now, and waits until all have answered, or until the time is over. */
export const requestReload = Effect.gen(function* () {
  const { notify, subscribe, listeningProcesses } = yield* Notifications
  const request = yield* (yield* SecureRandom.SecureRandom).uuidV4()
  const listening = yield* Deferred.make<void>()
  const received = yield* Queue.unbounded<Answer>()
  yield* subscribe({
    channel: answerChannel,
    onListening: Effect.asVoid(Deferred.succeed(listening, undefined)),
    onMessage: ({ payload }) =>
      Effect.flatMap(Effect.option(Schema.decodeUnknownEffect(Answer)(payload)), (answer) =>
        answer._tag === "Some" && answer.value.request === request
          ? Effect.asVoid(Queue.offer(received, answer.value))
          : Effect.void
      )
  })
  const answers = new Map<string, Answer>()
  let asked: ReadonlyArray<string> = []
  const collect = Effect.gen(function* () {
    yield* Deferred.await(listening)
    asked = yield* listeningProcesses
    yield* notify(requestChannel, request)
    while (asked.some((process) => !answers.has(process))) {
      const answer = yield* Queue.take(received)
      answers.set(answer.process, answer)
    }
  })
  yield* Effect.timeoutOption(collect, yield* ReloadAnswerTime)
  const refused = [...answers.values()].flatMap(({ process, refused }) =>
    refused === null ? [] : [{ process, reason: refused }]
  )
  return {
    reloaded: [...answers.values()].filter((answer) => answer.refused === null).map(({ process }) => process),
    refused,
    unanswered: asked.filter((process) => !answers.has(process))
  } satisfies ReloadReport
})
