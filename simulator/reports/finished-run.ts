/** A run that has come to its end, as every report tells it. */
import { Schema } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Difference = Schema.Struct({
  path: Schema.String,
  expected: Schema.Json,
  actual: Schema.optionalKey(Schema.Json).annotate({ description: "Absent where there is nothing at that path." })
}).annotate({ description: "Where an answer is not what the script expects." })

export const Failure = Schema.Struct({
  file: Schema.String.annotate({ description: "The file of the place: the script, or a committed file beside it." }),
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  reason: Schema.String,
  differences: Schema.Array(Difference),
  details: Schema.Array(Schema.String).annotate({ description: "More lines for a reader." }),
  trace: Schema.Array(Schema.String).annotate({
    description: "The lines of the trace around the failure; a very long line is cut and ends with an ellipsis."
  })
})
export type Failure = typeof Failure.Type

const UnjudgedProperty = Schema.Struct({
  file: Schema.String,
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  property: Schema.String,
  reason: Schema.String
}).annotate({ description: "A property that the script states, and by which this run was not judged." })

export const FinishedRun = Schema.Struct({
  file: Schema.String.annotate({ description: "The script as the command line named it." }),
  title: Schema.String,
  verdict: Schema.Literals(["PASSED", "FAILED", "UNUSABLE"]).annotate({
    description: "UNUSABLE where the script asks for something that cannot be done, and nothing was learned."
  }),
  seed: Schema.optionalKey(Schema.Int).annotate({ description: "Absent where the script cannot be read." }),
  virtualTime: Schema.optionalKey(
    Schema.Struct({ from: Schema.String, until: Schema.String, milliseconds: Count })
  ).annotate({ description: "Absent where nothing was run." }),
  steps: Schema.Struct({ begun: Count, planned: Count }),
  requests: Count,
  commits: Count,
  callbacks: Count,
  faults: Count,
  refusals: Schema.Record(Schema.String, Count).annotate({
    description: "How often each refusal was met, by its code; expected ones too."
  }),
  replay: Schema.String.annotate({ description: "The command that runs exactly this again." }),
  failures: Schema.Array(Failure).annotate({ description: "Empty where the run passed." }),
  unjudged: Schema.optionalKey(Schema.Array(UnjudgedProperty)).annotate({
    description: "Absent where the run was judged by every property that the script states."
  })
})
export type FinishedRun = typeof FinishedRun.Type
