/** The cause of a saved run with a fixed schedule: its moments are the choices, and other schedules are its continuations. */
import { Result } from "effect"
import type { Violation } from "../properties/monitors.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { reproduceViolation } from "../search/findings/minimize-script.ts"
import { type FailingRun, scenarioOf } from "../search/minimize/failing-run.ts"
import { type RecordedChoice, type ReplaySchedule, ScheduleReplay } from "../search/minimize/replay.ts"
import {
  type PropertySet,
  replayRun,
  strictReplay,
  violatedProbe,
  withScriptProperties
} from "../search/minimize/trials.ts"
import { withoutFault } from "../search/minimize/weaken-faults.ts"
import { following } from "../search/parallel/recorded-run.ts"
import { prepareSearchRoot, type SearchRoot } from "../search/search-root.ts"
import { createMonitors, executeRun, type RunResult } from "../search/search-run.ts"
import { DepthFirstSearch } from "../search/strategies/depth-first.ts"
import { randomWalk } from "../search/strategies/random-walk.ts"
import type { Strategy } from "../search/strategies/strategy.ts"
import { causeOf, type Cause, type Change, type Continuations, isLost } from "./cause.ts"
import { eventsBetween } from "./events-between.ts"
import { causeOfSteps, type RunOfSteps, stepText } from "./steps-cause.ts"

/** After each moment all continuations are tried, up to the order of independent transitions, or `runsMax` of them sampled. */
export const causeOfSchedule = (
  file: string,
  scenario: Scenario,
  checks: PropertySet,
  runsMax: number
): Result.Result<Cause, string> =>
  Result.map(reproduceViolation(file, scenario, checks), ({ failing, property }) => {
    const { properties, probes } = withScriptProperties(failing, checks)
    const isViolated = ({ name }: { readonly name: string }) => name === property
    const run = new ScheduledRun(failing, property, {
      properties: properties.filter(isViolated),
      probes: probes.filter(isViolated)
    })
    const cause = causeOf({
      property,
      words: run.words,
      moments: run.choices,
      eventsFrom: (choice) => run.eventsFromChoice(choice),
      continuationsAfter: (choices) => run.continuationsAfter(choices, runsMax),
      changesUntil: (choices) => [...run.otherChoices(choices), ...run.withoutFaults()]
    })
    // Where no choice decides, a step does.
    return isLost(cause.before) ? causeOfSteps(run.withoutSteps(), runsMax) : cause
  })

class ScheduledRun {
  readonly words: string
  readonly choices: ReadonlyArray<string>
  readonly #failing: FailingRun
  readonly #property: string
  readonly #judged: PropertySet
  readonly #root: SearchRoot
  readonly #made: ReadonlyArray<RecordedChoice>
  readonly #result: RunResult
  /** The number of observations before each choice, and until the violation. */
  readonly #observed: ReadonlyArray<number>

  constructor(failing: FailingRun, property: string, judged: PropertySet) {
    this.#failing = failing
    this.#property = property
    this.#judged = judged
    this.#root = prepareSearchRoot(scenarioOf(failing))
    const replay = new ScheduleReplay(strictReplay(failing))
    const observed: Array<number> = []
    const monitors = createMonitors(this.#root, judged.properties)
    this.#result = executeRun(this.#root, monitors, replay.decide, ({ kind }, _, progress) => {
      if (kind === "order") observed.push(progress().observed)
    })
    const violation = this.#violationIn(this.#result)
    this.#made = replay.made
    this.#observed = [...observed, violation?.at ?? 0]
    this.words = violation?.words ?? ""
    this.choices = replay.made.map(({ options, chosen }, index) => choiceText(index, chosen, options))
  }

  eventsFromChoice(choice: number): ReadonlyArray<string> {
    return this.#eventsFrom(this.#observed[choice] ?? 0)
  }

  continuationsAfter(choices: number, runsMax: number): Continuations {
    const search = new DepthFirstSearch()
    const counted = this.#count(search, choices, runsMax)
    if (search.proof().isComplete) return { ...counted, areAll: true }
    return { ...this.#count(randomWalk(seed), choices, runsMax), areAll: false }
  }

  /** Each other option of each of the first choices, with the later choices as they were made where they are offered. */
  otherChoices(choices: number): ReadonlyArray<Change> {
    const names = this.#made.map(({ chosen }) => chosen)
    return this.#made.slice(0, choices).flatMap(({ options, chosen }, index) =>
      options
        .filter((option) => option !== chosen)
        .map((option) => ({
          what: choiceText(index, option, [chosen]),
          stillFails: this.#failsWith(this.#failing, { names: names.with(index, option), how: "BY_POSITION" })
        }))
    )
  }

  withoutFaults(): ReadonlyArray<Change> {
    const { rest, choices } = this.#failing
    return withoutFault(rest).map(({ what, left }) => ({
      what: `without ${what}`,
      stillFails: this.#failsWith({ ...this.#failing, rest: left }, { names: choices, how: "BY_NAME" })
    }))
  }

  /** The run as the steps after the explore step, with the same choices where they are offered. */
  withoutSteps(): RunOfSteps {
    const { before, rest, choices } = this.#failing
    const leaves = leavesOf(rest, before.length + 2)
    const { observations } = this.#result.setup.recorder
    return {
      property: this.#property,
      words: this.words,
      steps: leaves.map(({ form, number }) => stepText(form, number)),
      failsWithout: (leftOut) => {
        const kept = new Set(leaves.filter((_, index) => !leftOut.has(index)).map(({ form }) => form))
        return this.#failsWith({ ...this.#failing, rest: onlyLeaves(rest, kept) }, { names: choices, how: "BY_NAME" })
      },
      eventsFrom: (step) => {
        const number = leaves[step]?.number
        return this.#eventsFrom(observations.findIndex((one) => one.kind === "step" && one.step === number))
      }
    }
  }

  #eventsFrom(observed: number): ReadonlyArray<string> {
    return eventsBetween(this.#result.setup.recorder, observed, this.#observed.at(-1) ?? 0)
  }

  #count(strategy: Strategy, choices: number, runsMax: number): Omit<Continuations, "areAll"> {
    const monitors = createMonitors(this.#root, this.#judged.properties)
    // Faults are steps of the run, so that each choice point is one of the order.
    const made = this.#made.slice(0, choices).map(({ options, chosen }) => options.indexOf(chosen))
    const counted = { runs: 0, failed: 0 }
    for (let run = 0; run < runsMax; run++) {
      const decide = strategy.next()
      if (decide === undefined) break
      const result = executeRun(this.#root, monitors, following(made, decide))
      strategy.onRunFinished(result)
      const fails = this.#violationIn(result) !== undefined
      // A pruned run continues as one before it.
      if (result.ended === "DONE" || fails) counted.runs += 1
      if (fails) counted.failed += 1
    }
    return counted
  }

  #violationIn(result: RunResult): Violation | undefined {
    const violation = result.violation ?? violatedProbe(this.#root, result, this.#judged.probes)
    return violation?.property === this.#property ? violation : undefined
  }

  #failsWith(failing: FailingRun, wanted: ReplaySchedule): boolean {
    return replayRun(failing, wanted, this.#judged).violation?.property === this.#property
  }
}

const seed = 1

const choiceText = (index: number, chosen: string, options: ReadonlyArray<string>): string => {
  const others = options.filter((option) => option !== chosen)
  return `choice ${index + 1}: ${chosen}${others.length === 0 ? "" : `, before ${others.join(", ")}`}`
}

/** The steps without inner ones, and those inside the others, with their numbers. */
const leavesOf = (forms: ReadonlyArray<StepForm>, from: number): ReadonlyArray<{ form: StepForm; number: number }> => {
  let number = from
  return forms.flatMap((form) => {
    const own = number
    number += 1 + (form.together?.length ?? 0)
    return form.together?.map((inner, index) => ({ form: inner, number: own + 1 + index })) ?? [{ form, number: own }]
  })
}

const onlyLeaves = (forms: ReadonlyArray<StepForm>, kept: ReadonlySet<StepForm>): ReadonlyArray<StepForm> =>
  forms.flatMap((form) => {
    if (form.together === undefined) return kept.has(form) ? [form] : []
    const together = form.together.filter((inner) => kept.has(inner))
    return together.length > 1 ? [{ ...form, together }] : together
  })
