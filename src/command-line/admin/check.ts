/** `admin check`: whether the rows of this installation are whole. Reads only, and writes no row of `admin log`. */
import { Console, Effect, Option, Ref, type Stdio } from "effect"
import { Command, Flag } from "effect/cli"
import {
  checkPage,
  type Finding,
  cursorOf,
  type PassPosition,
  positionFrom,
  startOfPass
} from "../../integrity/pass.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { CheckFindings, CommandFailure, UnusableCommand } from "../production.ts"
import { json } from "./flags.ts"
import { runReadCommand } from "./session.ts"
import { jsonText } from "./text.ts"

const resume = Flag.String("resume").pipe(
  Flag.withDescription("Continue where an earlier check stopped: the cursor that it printed"),
  Flag.optional
)

const pace = Flag.Int("pace").pipe(
  Flag.withDescription("The pause between two pages in milliseconds, for a database that serves"),
  Flag.withDefault(limits.checkPause)
)

export const check = Command.make("check", { resume, pace, json }, ({ resume, pace, json }) =>
  Effect.gen(function* () {
    const totals = yield* Ref.make({ checked: 0, findings: 0 })
    const pass = Effect.gen(function* () {
      if (pace < 0) return yield* refuse("INVALID_REQUEST", { detail: "--pace is a number of milliseconds from 0 on." })
      const start = Option.isSome(resume) ? yield* positionFrom(resume.value) : startOfPass
      yield* checkFrom(start, pace, json, totals)
      return yield* Ref.get(totals)
    })
    yield* runReadCommand(pass, (found) => (json ? jsonText(found, 0) : summaryText(found)))
    const { findings } = yield* Ref.get(totals)
    if (findings > 0) return yield* new CheckFindings({ message: `${findings} findings` })
  }).pipe(asUnusable)
).pipe(
  Command.withDescription(
    "Check the stored chains, credits, queues, tokens and payment journals, without changing anything; exits with 0 if " +
      "nothing is wrong, 1 with findings, 2 if it could not check"
  )
)

interface Totals {
  readonly checked: number
  readonly findings: number
}

const checkFrom = Effect.fnUntraced(function* (
  start: PassPosition,
  pace: number,
  json: boolean,
  totals: Ref.Ref<Totals>
) {
  const position = yield* Ref.make<PassPosition | undefined>(start)
  const pages = Effect.gen(function* () {
    for (let at: PassPosition | undefined = start; at !== undefined;) {
      const page: Effect.Success<ReturnType<typeof checkPage>> = yield* checkPage(at)
      yield* Effect.forEach(page.findings, (finding) => Console.log(json ? jsonText(finding, 0) : findingText(finding)))
      const { checked } = yield* Ref.updateAndGet(totals, (so) => ({
        checked: so.checked + page.checked,
        findings: so.findings + page.findings.length
      }))
      if (page.next?.kind !== at.kind) yield* Console.error(`countersign: ${at.kind} checked, ${checked} in all`)
      at = page.next
      yield* Ref.set(position, at)
      if (at !== undefined) yield* Effect.sleep(pace)
    }
  })
  const resumable = Effect.flatMap(Ref.get(position), (at) =>
    at === undefined ? Effect.void : Console.error(`countersign: stopped; continue with --resume ${cursorOf(at)}`)
  )
  yield* Effect.onExit(pages, (exit) => (exit._tag === "Success" ? Effect.void : resumable))
})

const findingText = ({ check, kind, id, problem, look }: Finding): string =>
  `${check}  ${kind}  ${id}  ${problem}; look at ${look}`

const summaryText = ({ checked, findings }: Totals): string =>
  findings === 0 ? `${checked} checked, nothing wrong` : `${checked} checked, ${findings} findings`

/** An installation that could not be checked must not look like one with findings. */
const asUnusable = <R>(command: Effect.Effect<void, CheckFindings | CommandFailure, R | Stdio.Stdio>) =>
  Effect.mapError(command, (error) =>
    error instanceof CheckFindings ? error : new UnusableCommand({ message: error.message })
  )
