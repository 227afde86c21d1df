/**
 * A saved run of a lesson: a folder with what the agent and others did as `scenario.yaml`, its trace and story, the lesson, and
 * the verdict as `run.json`. It is judged again without the agent.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result, Schema } from "effect"
import { firstDifference } from "../observation/trace.ts"
import { writeGolden } from "../reports/golden.ts"
import { goldenFiles, readText } from "../scenario/files.ts"
import { readScenario } from "../scenario/format/read.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { Session } from "../scenario/session.ts"
import { simulate } from "../scenario/simulate.ts"
import { differenceFromReplay, recordingOf } from "../serve/recording.ts"
import { Conditions, conditionsOf } from "./conditions.ts"
import type { JudgedRun, LessonResult } from "./examine.ts"
import { judge, LessonEnd, verdictOf, verdicts } from "./judge.ts"
import { foldersWith, lessonFile, readLesson, worldFile } from "./lesson.ts"

export const runFormat = "countersign.exam-run/v1"

/** `run.json`. */
const RunDocument = Schema.Struct({
  format: Schema.Literal(runFormat),
  lesson: Schema.String.annotate({ description: "The name of the lesson's folder." }),
  verdict: Schema.Literals(verdicts),
  ended: Schema.String.annotate({ description: "Why the lesson ended." }),
  end: LessonEnd,
  safety: Conditions.annotate({ description: "What always or never has to hold, and does not." }),
  progress: Conditions.annotate({ description: "What has to be reached, and is not." })
})
type RunDocument = typeof RunDocument.Type

const runFile = "run.json"

/** Returns the first difference between the session and its replay, if there is one; the run is saved in any case. */
export const saveRun = (folder: string, result: LessonResult): string | undefined => {
  const { lesson, verdict, judgement, ended, end, session } = result
  const file = path.join(folder, worldFile)
  const recording = recordingOf(session)
  const document: RunDocument = {
    format: runFormat,
    lesson: lesson.name,
    verdict,
    ended: session.setup.recorder.redact(ended),
    end,
    ...conditionsOf(judgement, session)
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, recording.text)
  fs.writeFileSync(path.join(folder, lessonFile), lesson.text)
  fs.writeFileSync(path.join(folder, runFile), `${JSON.stringify(document, undefined, 2)}\n`)
  return Result.match(readScenario(file, recording.text), {
    onFailure: (problems) => problems,
    onSuccess: (scenario) => {
      const replay = simulate(scenario, { file })
      writeGolden(file, replay)
      return differenceFromReplay(session, replay)
    }
  })
}

/** The verdict of a saved run, now and then. */
export interface ReplayedRun extends JudgedRun {
  readonly folder: string
  readonly saved: RunDocument
  /** Each difference from the saved run, in words; empty if it is the same. */
  readonly differences: ReadonlyArray<string>
}

/** Runs a saved run again and judges it; or the problems of its files. */
export const replayRun = (folder: string): Result.Result<ReplayedRun, string> =>
  Result.gen(function* () {
    const begun = performance.now()
    const lesson = yield* readLesson(folder)
    const saved = yield* documentIn(path.join(folder, runFile))
    const trace = yield* readText(goldenFiles(path.join(folder, worldFile)).trace)
    const session = yield* sessionOf(lesson.scenario, path.join(folder, worldFile))
    const judgement = judge(lesson, session)
    const verdict = verdictOf(judgement, saved.end)
    const differences = differencesFrom(saved, trace, { judgement, verdict, session })
    const seconds = (performance.now() - begun) / 1000
    return { folder, lesson, saved, judgement, verdict, ended: saved.ended, session, output: "", seconds, differences }
  })

/** A saved run whose world was changed may be one that cannot exist. */
const sessionOf = (scenario: Scenario, file: string): Result.Result<Session, string> =>
  Result.try({
    try: () => {
      const session = new Session(scenario)
      for (const step of unrollSteps(scenario.steps)) session.do(step)
      return session
    },
    catch: (error) => `${file}: ${error instanceof Error ? error.message : String(error)}`
  })

/** The saved runs in this folder or right below it. */
export const savedRunsIn = (folder: string): ReadonlyArray<string> => foldersWith(runFile, folder)

const documentIn = (file: string): Result.Result<RunDocument, string> =>
  Result.flatMap(readText(file), (text) =>
    Result.mapError(
      Result.flatMap(
        Result.try({ try: (): unknown => JSON.parse(text), catch: String }),
        Schema.decodeUnknownResult(RunDocument)
      ),
      (error) => `${file}: ${String(error)}`
    )
  )

const differencesFrom = (
  saved: RunDocument,
  trace: string,
  now: Pick<ReplayedRun, "judgement" | "verdict" | "session">
): ReadonlyArray<string> => {
  // The last line of the saved trace is the end of the scenario, which a session does not have.
  const withoutEnd = trace.slice(0, trace.lastIndexOf("\n", trace.length - 2) + 1)
  const inTrace = firstDifference(withoutEnd, now.session.trace, ["saved", "now"])
  const conditions = conditionsOf(now.judgement, now.session)
  const isSame = (["safety", "progress"] as const).every(
    (kind) => JSON.stringify(saved[kind]) === JSON.stringify(conditions[kind])
  )
  return [
    ...(inTrace === undefined ? [] : [`The trace differs: ${inTrace}`]),
    ...(saved.verdict === now.verdict ? [] : [`The verdict was ${saved.verdict}, and is ${now.verdict}.`]),
    ...(isSame ? [] : ["Other conditions are broken than in the saved run."])
  ]
}
