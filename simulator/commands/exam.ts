/** `simulate exam`: gives lessons to an agent, each in a world of its own, and prints the verdicts. */
import * as path from "node:path"
import { Effect, Result } from "effect"
import { Command } from "effect/cli"
import { examine, type ExamOptions, type LessonResult } from "../examination/examine.ts"
import { explain, totalsOf, trialTotals } from "../examination/explain.ts"
import { examineToFewest } from "../examination/fewest.ts"
import { drawnPlan } from "../examination/profile.ts"
import { examReports } from "../examination/reports/exam-reports.ts"
import { writeReport } from "../reports/destinations.ts"
import { moveAfterSilence } from "../serve/patient-time.ts"
import { examCheckResult } from "./exam-check-result.ts"
import { exitCodeFor } from "./exam-exit.ts"
import { examFlags, planExam } from "./exam-plan.ts"
import { examReplay } from "./exam-replay.ts"
import { examServer, writeSaved } from "./exam-shared.ts"
import { writeSigned } from "./exam-signing.ts"
import { examSweep } from "./exam-sweep.ts"
import { endWith, noteExitCode, UNUSABLE, writeOrEnd } from "./exit.ts"

export const exam = Command.make(
  "exam",
  examFlags,
  Effect.fn(function* (input) {
    const planned = yield* Effect.result(planExam(input))
    if (Result.isFailure(planned)) return yield* endWith(UNUSABLE, planned.failure)
    const { agent, destinations, lessons, patience, print, saved, signing } = planned.success
    const { fewest, profile, seed, silence, trials } = input
    const { worlds, origin } = yield* examServer
    if (patience !== undefined) {
      yield* Effect.acquireRelease(
        Effect.sync(() => moveAfterSilence(worlds, patience)),
        (end) => Effect.sync(end)
      )
    }
    const options: ExamOptions = { newAgent: agent.newAgent, origin, isCooperative: patience === undefined, silence }
    // An attached agent is not started again for runs with fewer faults.
    const give = fewest && agent.command !== undefined ? examineToFewest : examine
    const results: Array<LessonResult> = []
    for (const lesson of lessons) {
      const run = { ...options, faults: drawnPlan(profile, seed, lesson), hasYear: profile === "year" }
      const result = yield* Effect.promise(() => give(lesson, worlds, run))
      results.push(result)
      const folder = path.join(saved, lesson.name)
      yield* writeSaved(folder, result)
      yield* print(explain(result, folder))
    }
    if (trials > 1) yield* print(trialTotals(results, trials))
    yield* print(`${totalsOf(results)}. The runs are saved in ${saved}`)
    noteExitCode(exitCodeFor(results))
    for (const destination of destinations) {
      yield* writeOrEnd(destination.file, () => writeReport(examReports, destination, { results, profile, seed }))
    }
    if (signing !== undefined) {
      const time = patience === undefined ? "COOPERATIVE" : "PATIENT"
      yield* writeSigned(signing, { time, trials, profile, seed }, results)
    }
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Give an agent each lesson in a world of its own, and judge what it does. Verdicts: PASS, FAIL, UNKNOWN (it " +
      "never reached the point), ERROR (it ended before). Exit codes: 0 if every lesson is passed, 1 if one fails, 2 if an agent " +
      "ended with an error or nothing can be run, 4 if a verdict is unknown."
  ),
  Command.withShortDescription("Examine whether an agent keeps the protocol's rules"),
  Command.withExamples([
    { command: 'simulate exam --command "python3 my-agent.py"', description: "All lessons" },
    {
      command: 'simulate exam scenarios/lessons/answer-lost --command "./agent" --patience 20s',
      description: "One lesson, for an agent without a clock of the world"
    },
    {
      command: "simulate exam scenarios/lessons/answer-lost --attach",
      description: "One lesson, for an agent that is started elsewhere, such as in a debugger"
    },
    {
      command: 'simulate exam --command "./agent" --report html=scorecard.html --report junit=exam.xml',
      description: "A page of the results, and a report for CI"
    }
  ]),
  Command.withSubcommands([examReplay, examSweep, examCheckResult])
)
