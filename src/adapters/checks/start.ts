/** Reports every problem that can be found before a start opens anything, all at once. */
import { Effect, Layer } from "effect"
import { Configuration, missingKeys, readSettings, type Settings, requireNoProblems } from "../configuration.ts"
import { fileFindings, isEmbedded, serverFileFindings } from "./files.ts"
import { ok, problem, type Finding } from "./finding.ts"

/** A server, or a command that uses the same ports and serves no requests. */
export type StartKind = "SERVER" | "BESIDE_SERVER"

/** Checks the settings and the files that they name. */
export const startFindings = (settings: Settings, kind: StartKind): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { present, problems } = settings
    const settingsProblems = [
      ...problems,
      ...missingKeys((variable) => present.has(variable), "ISSUER_KEYS_FILE", "SECRET_KEY"),
      ...(kind === "SERVER" ? sharedPort(settings) : [])
    ].map(problem)
    const settingsFinding = ok(
      `settings: ${isEmbedded(settings) ? "the embedded Postgres" : "the Postgres of DATABASE_URL"}`
    )
    const files = yield* fileFindings(settings)
    const serverFiles = kind === "SERVER" ? yield* serverFileFindings(settings) : []
    const renamed = settings.warnings.map(ok)
    return [
      ...(settingsProblems.length === 0 ? [settingsFinding] : settingsProblems),
      ...renamed,
      ...files,
      ...serverFiles
    ]
  })

const sharedPort = ({ configuration: { port, metricsPort } }: Settings): ReadonlyArray<string> =>
  metricsPort._tag === "Some" && metricsPort.value === port
    ? [`METRICS_PORT: ${port} is the PORT of the service already: choose another one`]
    : []

/** The settings of a start without problems. */
export const checkedConfiguration = (kind: StartKind) =>
  Layer.effect(
    Configuration,
    Effect.gen(function* () {
      const settings = yield* readSettings
      const findings = yield* startFindings(settings, kind)
      const problems = findings.filter(({ outcome }) => outcome === "PROBLEM").map(({ message }) => message)
      return yield* requireNoProblems(settings, problems)
    })
  )
