/** `countersign doctor`: every check of a start, without starting or changing anything. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseFindings } from "../adapters/checks/database.ts"
import type { Finding } from "../adapters/checks/finding.ts"
import { externalServerFindings } from "../adapters/checks/external-servers.ts"
import { portFindings } from "../adapters/checks/ports.ts"
import { replicaFindings } from "../adapters/checks/replica.ts"
import { startFindings } from "../adapters/checks/start.ts"
import { readSettings } from "../adapters/configuration.ts"
import { CommandFailure } from "./production.ts"

/** Every check, in the order in which they are printed. */
export const runChecks = Effect.gen(function* () {
  const settings = yield* readSettings
  const findings = yield* Effect.all(
    [
      startFindings(settings, "SERVER"),
      portFindings(settings),
      databaseFindings(settings),
      replicaFindings(settings),
      externalServerFindings(settings)
    ],
    { concurrency: "unbounded" }
  )
  return findings.flat()
})

const labels = { OK: "ok     ", WARNING: "warning", PROBLEM: "problem", SKIPPED: "skipped" }

const textOf = (findings: ReadonlyArray<Finding>, problems: number): string =>
  [
    ...findings.map(({ outcome, message }) => `${labels[outcome]}  ${message}`),
    problems === 0 ? "No problems found." : `${problems} of ${findings.length} checks found a problem.`
  ].join("\n")

export const doctor = Command.make(
  "doctor",
  {
    json: Flag.Boolean("json").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Print one JSON object: problems, and checks in order")
    )
  },
  ({ json }) =>
    Effect.gen(function* () {
      const checks = yield* runChecks
      const problems = checks.filter(({ outcome }) => outcome === "PROBLEM").length
      yield* Console.log(json ? JSON.stringify({ problems, checks }, null, 2) : textOf(checks, problems))
      if (problems > 0) return yield* new CommandFailure({ message: `${problems} problems` })
    })
).pipe(
  Command.withDescription(
    "Check what serve needs, without starting or changing anything: settings, keys, files, ports, " +
      "database, replica, sign-in provider, mail server and payment provider. Exits with 1 if a check found a problem, else with 0"
  )
)
