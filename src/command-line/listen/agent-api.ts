/** The reads of `countersign listen` from the agent API. While the service does not answer, a read is repeated. */
import { Console, Data, Effect, Option, Redacted, Schema } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import { exchange, type Reply } from "./exchange.ts"

/** The members of a delivery that its request is made of; the event keeps members that this version does not know. */
const HistoryPage = Schema.Struct({
  deliveries: Schema.Array(
    Schema.Struct({ deliveryId: Schema.String, event: Schema.Record(Schema.String, Schema.Unknown) })
  ),
  next: Schema.NullOr(Schema.String),
  checkpoint: Schema.String
})

const ProjectNextAction = Schema.Struct({
  project: Schema.Struct({ nextAction: Schema.Record(Schema.String, Schema.Unknown) })
})

const RefusalBody = Schema.Struct({ error: Schema.String, detail: Schema.String })

export type HistoryPage = typeof HistoryPage.Type
export type HistoryDelivery = HistoryPage["deliveries"][number]

/** The service refused a read. */
export class ReadRefused extends Data.TaggedError("ReadRefused")<{ readonly code: string; readonly message: string }> {}

export interface AgentApi {
  /** The address of the service, without a path. */
  readonly origin: string
  readonly token: Redacted.Redacted
}

/** Up to 100 deliveries after a checkpoint, or the first ones. */
export const readHistoryPage = (api: AgentApi, subscriptionId: string, after: string | undefined) =>
  read(
    api,
    `/webhooks/${encodeURIComponent(subscriptionId)}/deliveries${after === undefined ? "" : `?after=${encodeURIComponent(after)}`}`,
    HistoryPage
  )

/** What the caller's side has to do next on a project, as a webhook that is sent now would say it. */
export const readNextAction = (api: AgentApi, projectId: string) =>
  Effect.map(
    read(api, `/projects/${encodeURIComponent(projectId)}`, ProjectNextAction),
    ({ project }) => project.nextAction
  )

const read = Effect.fnUntraced(function* <A>(
  { origin, token }: AgentApi,
  path: string,
  schema: Schema.Codec<A, unknown>
): Effect.fn.Return<A, ReadRefused> {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  const headers = { authorization: `Bearer ${Redacted.value(token)}` }
  for (let failures = 0; ; failures++) {
    const reply = yield* Effect.result(exchange(`${origin}/api/agents/v1${path}`, { headers }, limits.listenRead))
    const problem = reply._tag === "Failure" ? reply.failure.reason : temporaryProblem(reply.success)
    if (problem === undefined && reply._tag === "Success") {
      const answer = reply.success.status === 200 ? decode(reply.success.text) : Option.none<A>()
      return Option.isSome(answer) ? answer.value : yield* refusalOf(reply.success)
    }
    if (failures === 0) yield* Console.error(`countersign: ${origin} does not answer (${problem}); trying again`)
    yield* Effect.sleep(retryAfter(reply) ?? limits.listenRetry)
  }
})

/** A transient error: the page of a proxy, or a 503 of the service. */
const temporaryProblem = ({ status }: Reply): string | undefined =>
  [502, 503, 504].includes(status) ? `status ${status}` : undefined

const retryAfter = (reply: { readonly _tag: "Success"; readonly success: Reply } | { readonly _tag: "Failure" }) => {
  const seconds = reply._tag === "Success" ? Number(reply.success.headers.get("retry-after") ?? NaN) : NaN
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

const refusalOf = ({ status, text }: Reply): Effect.Effect<never, ReadRefused> => {
  const body = Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(RefusalBody))(text))
  return Effect.fail(
    body === undefined
      ? new ReadRefused({
          code: "UNREADABLE",
          message: `the service answered with status ${status} that is not its own`
        })
      : new ReadRefused({ code: body.error, message: `${body.error}: ${body.detail}` })
  )
}
