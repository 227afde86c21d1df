/** This installation as the service needs it: its address and its legal texts. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Layer, Option } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { Installation } from "../ports/installation.ts"
import { Configuration, siteUrlOf } from "./configuration.ts"

export class LegalTextsError extends Data.TaggedError("LegalTextsError")<{ readonly message: string }> {}

export const layer = Layer.effect(
  Installation,
  Effect.gen(function* () {
    const configuration = yield* Configuration
    const siteUrl = siteUrlOf(configuration)
    const texts = yield* Option.match(configuration.legalTextsDirectory, {
      onNone: () => Effect.succeed(exampleTexts),
      onSome: readTexts
    })
    const legalTexts = texts.map(({ kind, version, text }) => ({
      kind,
      version,
      text,
      digest: sha256Hex(text),
      url: `${siteUrl}/legal/${kind}/${version}`
    }))
    return { siteUrl, legalTexts }
  })
)

interface Text {
  readonly kind: string
  readonly version: string
  readonly text: string
}

// A file is named after what it is and which version: TERMS_OF_SERVICE-2026-11.txt
const fileName = /^([A-Z_]+)-([0-9A-Za-z.-]+)\.txt$/

const readTexts = (directory: string) =>
  Effect.try({
    try: () => {
      const texts = fs
        .readdirSync(directory)
        .sort()
        .flatMap((file): ReadonlyArray<Text> => {
          const [, kind, version] = fileName.exec(file) ?? []
          if (kind === undefined || version === undefined) return []
          return [{ kind, version, text: fs.readFileSync(path.join(directory, file), "utf8") }]
        })
      if (texts.length === 0) throw new Error("no file is named KIND-version.txt")
      return texts
    },
    catch: (cause) =>
      new LegalTextsError({ message: `the legal texts in ${directory} cannot be read: ${String(cause)}` })
  })

const exampleTexts: ReadonlyArray<Text> = [
  {
    kind: "TERMS_OF_SERVICE",
    version: "example-1",
    text: "Example terms for trying Countersign out. They bind nobody; an operator replaces them.\n"
  }
]
