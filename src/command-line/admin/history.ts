/** Lost events: heads that are known outside of a restored database, and the statement of which projects lost some. */
import { readFile } from "node:fs/promises"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { jsonErrorMessages } from "../../canonical/json-error-messages.ts"
import { readJson, type Json } from "../../canonical/json.ts"
import { Signer } from "../../ports/signer.ts"
import { inTransaction } from "../../ports/storage/run.ts"
import { compareKnownHeads } from "../../projects/known-heads.ts"
import { beginHistoryEpoch } from "../../projects/state-loss.ts"
import { headsIn, newestHeads } from "../../records/artifact-heads.ts"
import { limits } from "../../vocabulary/limits.ts"
import { CommandFailure } from "../production.ts"
import { act } from "./act.ts"

const knownHeads = act(
  "known-heads",
  {
    files: Argument.Path("files").pipe(
      Argument.withDescription(
        "Packages, records, statuses, closures, webhook bodies or project views, as JSON or JWS"
      ),
      Argument.variadic({ min: 1 })
    )
  },
  {
    description: "Compare heads that are known outside with the database; projects whose head is gone become read-only",
    changes: "DATABASE",
    recordedInput: ({ files }) => ({ files: [...files] }),
    run: ({ files }) =>
      Effect.gen(function* () {
        const { keys } = yield* Signer
        const artifacts = yield* Effect.forEach(files, readArtifact)
        const heads = newestHeads(artifacts.flatMap((artifact) => headsIn(artifact, keys)))
        const compared = yield* compareKnownHeads(heads)
        // The row of a comparison that found nothing.
        yield* inTransaction({ locks: [] }, () => Effect.void)
        return { heads: compared, next: nextStep }
      })
  }
)

const newEpoch = act(
  "new-epoch",
  {},
  {
    description: "State, signed, that events of the read-only projects may be lost; the projects continue after them",
    changes: "DATABASE",
    reason: Flag.String("reason").pipe(
      Flag.withDescription("The reason, which is part of each statement and which both parties read"),
      Flag.map(Option.some)
    ),
    run: (_, why) => beginHistoryEpoch(why ?? "")
  }
)

export const historyActs = [knownHeads, newEpoch] as const

const nextStep =
  "LOST: the project is read-only. Compare every artifact that you can get, newest first, then run `admin new-epoch`." +
  " LOST_WITHOUT_SEQUENCE: a record or status names no sequence; get the package or a view of its project, and compare again."

/** One JSON document, or one compact JWS. */
const readArtifact = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => readFile(file),
    catch: (error) => new CommandFailure({ message: error instanceof Error ? error.message : String(error) })
  })
  const text = bytes.toString("utf8").trim()
  if (jwsForm.test(text)) return text satisfies Json
  const parsed = readJson(bytes, {
    bytesMax: limits.knownHeadsFileBytes,
    depthMax: limits.jsonDepth,
    refusesNul: true,
    valuesMax: limits.jsonValues
  })
  return parsed.ok
    ? parsed.value
    : yield* new CommandFailure({ message: `${file}: ${jsonErrorMessages[parsed.fault]}` })
})

const jwsForm = /^[\w-]+\.[\w-]+\.[\w-]+$/
