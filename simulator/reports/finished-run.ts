/** A completed run, the common data of all reports. */
import { Schema } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Difference = Schema.Struct({
  path: Schema.String,
  expected: Schema.Json,
  actual: Schema.optionalKey(Schema.Json).annotate({ description: "Absent if the answer has no value at the path." })
}).annotate({ description: "A difference between the answer and the expectation of the script." })

export const Failure = Schema.Struct({
  file: Schema.String.annotate({ description: "The file of the failure: the script, or a committed golden file." }),
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  reason: Schema.String,
  differences: Schema.Array(Difference),
  details: Schema.Array(Schema.String).annotate({ description: "Additional lines." }),
  trace: Schema.Array(Schema.String).annotate({
    description: "The trace lines around the failure; a very long line is cut and ends with an ellipsis."
  })
})
export type Failure = typeof Failure.Type

const UnjudgedProperty = Schema.Struct({
  file: Schema.String,
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  property: Schema.String,
  reason: Schema.String
}).annotate({ description: "A property of the script that was not checked in this run." })

export const FinishedRun = Schema.Struct({
  file: Schema.String.annotate({ description: "The script, as named on the command line." }),
  title: Schema.String,
  verdict: Schema.Literals(["PASSED", "FAILED", "UNUSABLE"]).annotate({
    description: "UNUSABLE if a step of the script cannot be executed; the run then proves nothing."
  }),
  seed: Schema.optionalKey(Schema.Int).annotate({ description: "Absent if the script cannot be read." }),
  virtualTime: Schema.optionalKey(
    Schema.Struct({ from: Schema.String, until: Schema.String, milliseconds: Count })
  ).annotate({ description: "Absent if the script was not run." }),
  steps: Schema.Struct({ begun: Count, planned: Count }),
  requests: Count,
  commits: Count,
  callbacks: Count,
  faults: Count,
  refusals: Schema.Record(Schema.String, Count).annotate({
    description: "The number of refusals by code, including expected ones."
  }),
  replay: Schema.String.annotate({ description: "The command that repeats exactly this run." }),
  failures: Schema.Array(Failure).annotate({ description: "Empty if the run passed." }),
  unjudged: Schema.optionalKey(Schema.Array(UnjudgedProperty)).annotate({
    description: "Absent if every property of the script was checked."
  })
})
export type FinishedRun = typeof FinishedRun.Type
