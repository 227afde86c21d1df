/** Every problem that can be found before a start opens anything, reported at once. */
import { Effect, Layer } from "effect"
import { Configuration, missingKeys, readSettings, type Settings, usable } from "../configuration.ts"
import { fileFindings, isEmbedded, serverFileFindings } from "./files.ts"
import { ok, problem, type Finding } from "./finding.ts"

/** A server, or a command that uses the same ports and answers no requests. */
export type StartKind = "SERVER" | "BESIDE_SERVER"

/** Checks the settings and the files that they name. */
export const startFindings = (settings: Settings, starting: StartKind): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { present, problems } = settings
    const wrong = [
      ...problems,
      ...missingKeys((variable) => present.has(variable), "ISSUER_KEYS_FILE", "SECRET_KEY"),
      ...(starting === "SERVER" ? sharedPort(settings) : [])
    ].map(problem)
    const well = ok(`settings: ${isEmbedded(settings) ? "the embedded Postgres" : "the Postgres of DATABASE_URL"}`)
    const files = yield* fileFindings(settings)
    const serverFiles = starting === "SERVER" ? yield* serverFileFindings(settings) : []
    const renamed = settings.warnings.map(ok)
    return [...(wrong.length === 0 ? [well] : wrong), ...renamed, ...files, ...serverFiles]
  })

const sharedPort = ({ configuration: { port, metricsPort } }: Settings): ReadonlyArray<string> =>
  metricsPort._tag === "Some" && metricsPort.value === port
    ? [`METRICS_PORT: ${port} is the PORT of the service already: choose another one`]
    : []

/** The settings of a start that can go ahead. */
export const checkedConfiguration = (starting: StartKind) =>
  Layer.effect(
    Configuration,
    Effect.gen(function* () {
      const settings = yield* readSettings
      const findings = yield* startFindings(settings, starting)
      const problems = findings.filter(({ outcome }) => outcome === "PROBLEM").map(({ message }) => message)
      return yield* usable(settings, problems)
    })
  )
