/** The report data of an examined lesson, derived from its redacted session. */
import { Schema } from "effect"
import { toMilliseconds } from "../../../src/vocabulary/instant.ts"
import { Conditions, conditionsOf } from "../conditions.ts"
import type { JudgedRun } from "../examine.ts"
import { fewestInWords } from "../fewest.ts"
import { verdicts } from "../judge.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const LessonReport = Schema.Struct({
  name: Schema.String.annotate({ description: "The name of the lesson's folder." }),
  title: Schema.String,
  rule: Schema.String.annotate({ description: "The rule, one sentence." }),
  section: Schema.String.annotate({ description: "The sections of the specification that it is about." }),
  verdict: Schema.Literals(verdicts).annotate({
    description: "UNKNOWN if the agent never reached the point of the lesson, ERROR if the lesson could not be judged."
  }),
  safety: Conditions.annotate({ description: "What always or never has to hold, and does not." }),
  progress: Conditions.annotate({ description: "What has to be reached, and is not." }),
  ended: Schema.String.annotate({ description: "Why the lesson ended." }),
  requests: Count.annotate({ description: "The number of requests of the agent." }),
  virtualTime: Schema.optionalKey(
    Schema.Struct({ from: Schema.String, until: Schema.String, milliseconds: Count })
  ).annotate({ description: "From the agent's first request to the last event; absent if it sent no request." }),
  fewest: Schema.optionalKey(Schema.String).annotate({
    description:
      "The fewest faults and acts that a FAIL takes, or why they are not known; absent if they were not looked for."
  }),
  hint: Schema.String.annotate({ description: "What to change in an agent that fails." })
})
export type LessonReport = typeof LessonReport.Type

export const lessonReport = ({ lesson, verdict, judgement, ended, session, fewest }: JudgedRun): LessonReport => {
  const { redact } = session.setup.recorder
  const { form } = lesson
  const requests = session.observations.filter((one) => one.kind === "request" && one.actor === form.agent)
  return {
    name: lesson.name,
    title: form.lesson,
    rule: form.rule,
    section: form.section,
    verdict,
    ...conditionsOf(judgement, session),
    ended: redact(ended),
    requests: requests.length,
    ...timeSince(requests[0]?.at, session),
    ...(fewest === undefined ? {} : { fewest: redact(fewestInWords(fewest)) }),
    hint: form.hint
  }
}

const timeSince = (
  from: JudgedRun["session"]["now"] | undefined,
  { observations }: JudgedRun["session"]
): Pick<LessonReport, "virtualTime"> => {
  const until = observations.at(-1)?.at
  if (from === undefined || until === undefined) return {}
  return { virtualTime: { from, until, milliseconds: toMilliseconds(until) - toMilliseconds(from) } }
}
