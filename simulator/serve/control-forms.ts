/** The request schemas of the control API. */
import { Result, Schema } from "effect"
import { Instant } from "../../src/vocabulary/instant.ts"
import { isDuration } from "../vocabulary/duration.ts"
import { problemsOfIssue } from "../scenario/format/schema-problems.ts"
import { readScenario } from "../scenario/format/read.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { awaitedEvents } from "../scenario/committed-events.ts"
import { Name } from "../vocabulary/value-schemas.ts"
import { ControlRefusal } from "./control-refusals.ts"

const Duration = Schema.String.check(
  Schema.makeFilter((text) => isDuration(text), { expected: "a duration such as 15s, 90m or 1d 6h" })
)

const Seed = Schema.Int

const LineCount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { expected: "a number of lines" }))

const Step = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { expected: "a number of steps" }))

export const NewWorldForm = Schema.Struct({
  scenario: Schema.optionalKey(Schema.String),
  seed: Schema.optionalKey(Seed),
  start: Schema.optionalKey(Instant),
  play: Schema.optionalKey(Schema.Boolean)
})

const AwaitedEvent = Schema.Literals(awaitedEvents)

const Goal = Schema.Union([Instant, Schema.Literal("idle"), Schema.Struct({ event: AwaitedEvent })]).annotate({
  expected: 'an instant, "idle", or {"event": …}'
})

export const AdvanceForm = Schema.Struct({
  by: Schema.optionalKey(Duration),
  until: Schema.optionalKey(Goal),
  most: Schema.optionalKey(Duration)
})

/** An agent waits for a duration, until an instant, for an event, or for the first of a time and an event. */
export const WaitForm = Schema.Struct({
  for: Schema.optionalKey(Duration),
  until: Schema.optionalKey(Instant),
  event: Schema.optionalKey(AwaitedEvent)
})

export const TellForm = Schema.Struct({ text: Schema.String, humanUrl: Schema.optionalKey(Schema.String) })

export const SnapshotForm = Schema.Struct({ name: Name })

const Place = Schema.Union([Schema.String, Step]).annotate({ expected: "the name of a snapshot, or a number of steps" })

export const PositionForm = Schema.Struct({ from: Schema.optionalKey(Place), to: Schema.optionalKey(Place) })

export const ProgramForm = Schema.Struct({ url: Schema.String })

export const ActorForm = Schema.Struct({ of: Name })

/** The first line of a trace, or its event, that the answer has. */
export const LineQueryForm = Schema.Struct({ from: Schema.optionalKey(LineCount) })

/** Throws `ControlRefused` with all problems. */
export const decodeForm = <S extends Schema.Codec<any, any>>(form: S, value: unknown): S["Type"] => {
  const decoded = Schema.decodeUnknownResult(form)(value ?? null, { errors: "all", onExcessProperty: "error" })
  if (Result.isSuccess(decoded)) return decoded.success
  const problems = problemsOfIssue(decoded.failure.issue, value ?? null).map(({ path, message }) => ({
    path: path.join("."),
    message
  }))
  const detail = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
  throw new ControlRefusal("INVALID_REQUEST", detail, { problems })
}

/** A script in a request; it cannot use other files. */
export const scenarioIn = (text: string): Scenario => {
  const read = readScenario("scenario", text)
  if (Result.isFailure(read)) throw new ControlRefusal("INVALID_SCENARIO", read.failure)
  return read.success
}
