/** This installation as the service needs it: its origin, its legal texts and the prerequisites of an agreement. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Layer, Option, Schema } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { jsonErrorMessages } from "../canonical/json-error-messages.ts"
import { readJson } from "../canonical/json.ts"
import { Installation, type Prerequisite } from "../ports/installation.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { Configuration, siteUrlOf } from "./configuration.ts"

/** States the problem of the texts or the prerequisites, as a message for the operator. */
export class LegalTextsError extends Data.TaggedError("LegalTextsError")<{ readonly message: string }> {}

export const layer = Layer.effect(
  Installation,
  Effect.gen(function* () {
    const configuration = yield* Configuration
    const siteUrl = siteUrlOf(configuration)
    const directory = Option.getOrUndefined(configuration.legalTextsDirectory)
    const texts = directory === undefined ? exampleTexts : yield* readTexts(directory)
    const legalTexts = texts.map(({ kind, version, text }) => ({
      kind,
      version,
      text,
      digest: sha256Hex(text),
      url: `${siteUrl}/legal/${kind}/${version}`
    }))
    const prerequisites = directory === undefined ? [] : yield* readPrerequisites(directory)
    return { siteUrl, legalTexts, prerequisites }
  })
)

interface LegalText {
  readonly kind: string
  readonly version: string
  readonly text: string
}

// A file name is the kind and the version of its text: TERMS_OF_SERVICE-2026-11.txt
const fileName = /^([A-Z_]+)-([0-9A-Za-z.-]+)\.txt$/

export const readTexts = (directory: string) =>
  Effect.try({
    try: () => {
      const texts = fs
        .readdirSync(directory)
        .sort()
        .flatMap((file): ReadonlyArray<LegalText> => {
          const [, kind, version] = fileName.exec(file) ?? []
          if (kind === undefined || version === undefined) return []
          return [{ kind, version, text: fs.readFileSync(path.join(directory, file), "utf8") }]
        })
      if (texts.length === 0) throw new Error("no file is named KIND-version.txt")
      return texts
    },
    catch: (cause) =>
      new LegalTextsError({
        message: `the legal texts in ${directory} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

const Prerequisites = Schema.Struct({
  schema: Schema.Literal("countersign.prerequisites/v1"),
  prerequisites: Schema.Array(
    Schema.Struct({
      id: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.-]{1,100}$/)),
      statement: textUpTo(limits.textCharacters),
      met: Schema.Boolean
    })
  )
})

/** None, where there is no file. Any invalid content stops the start: the file decides who may agree here. */
export const readPrerequisites = (directory: string): Effect.Effect<ReadonlyArray<Prerequisite>, LegalTextsError> => {
  const file = path.join(directory, "prerequisites.json")
  const failure = (problem: string) => new LegalTextsError({ message: `the prerequisites in ${file} ${problem}` })
  return Effect.gen(function* () {
    const bytes = yield* Effect.try({
      try: () => (fs.existsSync(file) ? fs.readFileSync(file) : undefined),
      catch: () => failure("cannot be read")
    })
    if (bytes === undefined) return []
    const parsed = readJson(bytes)
    if (!parsed.ok) return yield* failure(`are not strict JSON: ${jsonErrorMessages[parsed.fault]}`)
    const decode = Schema.decodeUnknownEffect(Prerequisites)
    const { prerequisites } = yield* Effect.mapError(decode(parsed.value, { onExcessProperty: "error" }), () =>
      failure("do not have the documented form")
    )
    const ids = new Set(prerequisites.map(({ id }) => id))
    return ids.size === prerequisites.length ? prerequisites : yield* failure("name one id twice")
  })
}

const exampleTexts: ReadonlyArray<LegalText> = [
  {
    kind: "TERMS_OF_SERVICE",
    version: "example-1",
    text: "Example terms for trying Countersign out. They bind nobody; an operator replaces them.\n"
  }
]
