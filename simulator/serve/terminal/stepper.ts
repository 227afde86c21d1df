/** The commands of an interactive walk through a scenario, independent of the terminal. */
import { Result } from "effect"
import { escapeForTerminal } from "../../reports/escape.ts"
import { readSource } from "../../scenario/format/yaml-source.ts"
import type { Scenario } from "../../scenario/format/scenario.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"
import { BadStep, type Outcome } from "../../scenario/session.ts"
import { instantText } from "../../view-model/instant-text.js"
import { summarizeSession } from "../../view-model/session-summary.ts"
import { sessionText } from "../../view-model/session-text.js"
import { chooseSchedule } from "./choose-schedule.ts"
import { type OriginalScript, saveBranch } from "./save-branch.ts"
import { showRows, showView, viewNames } from "./views.ts"
import { parseStopCondition } from "./stop-condition.ts"
import { renderStep } from "./render-step.ts"
import { type Branch, type ExecutedStep, Walk } from "./walk.ts"

type Lines = ReadonlyArray<string>

/** Failures are sentences that name the command to type next. */
type Answer = Result.Result<Lines, string>

interface StepCommand {
  /** The arguments and the effect, for the help. */
  readonly takes: string
  readonly does: string
  readonly run: (rest: string) => Answer
}

export class Stepper {
  hasQuit = false
  /** True if a command was refused, other than because an earlier step failed. */
  hasRefused = false
  readonly #walk: Walk
  readonly #origin: OriginalScript

  /** Throws `WorldUnusable` if the world cannot be created. */
  constructor(scenario: Scenario, origin: OriginalScript) {
    this.#walk = new Walk(scenario)
    this.#origin = origin
  }

  /** The failure of the last step, if any. */
  get ended(): Outcome["ended"] {
    return this.#walk.ended
  }

  get prompt(): string {
    const { branch } = this.#walk
    return `${branch.name}, ${this.#position(branch)} > `
  }

  get greeting(): Lines {
    const { branch } = this.#walk
    const summary = this.#summaryOf(branch)
    return [
      summary.title,
      sessionText(summary),
      `${branch.future.length} steps; next runs one, help lists the commands`
    ]
  }

  /** Executes a typed line and returns the output. */
  answer(line: string): Lines {
    const [, name = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? []
    if (name === "" || name.startsWith("#")) return []
    const command = this.#commands.get(name)
    const answer =
      command === undefined
        ? Result.fail(`unknown command ${name}${didYouMean(name, this.#commands.keys())}; help lists the commands`)
        : this.#guarded(() => command.run(rest))
    if (Result.isFailure(answer) && answer.failure !== stopped) this.hasRefused = true
    const lines = Result.isSuccess(answer) ? answer.success : [answer.failure]
    const { redact } = this.#walk.branch.world.setup.recorder
    return lines.flatMap((text) => escapeForTerminal(redact(text)).split("\n"))
  }

  /** The completions of a line. */
  completions(line: string): ReadonlyArray<string> {
    const [, name = "", rest] = /^(\S*)(?:\s+(\S*))?$/.exec(line) ?? []
    if (rest === undefined) return [...this.#commands.keys()].filter((known) => known.startsWith(name))
    const { branch, branches } = this.#walk
    const words: { readonly [command: string]: Lines } = {
      show: viewNames,
      switch: branches.map((one) => one.name),
      until: branch.future.flatMap(({ step }) => step.id ?? [])
    }
    return (words[name] ?? []).filter((word) => word.startsWith(rest)).map((word) => `${name} ${word}`)
  }

  readonly #commands: ReadonlyMap<string, StepCommand> = new Map<string, StepCommand>([
    ["next", { takes: "[n]", does: "runs the next step, or the next n", run: (rest) => this.#next(rest) }],
    [
      "back",
      {
        takes: "[n]",
        does: "goes back one step, or n: replays the earlier steps in a new world",
        run: (rest) => this.#back(rest)
      }
    ],
    [
      "until",
      {
        takes: "<step, id, state, refusal or instant>",
        does: "runs steps until it is reached",
        run: (rest) => this.#until(rest)
      }
    ],
    [
      "choose",
      {
        takes: "[names or numbers]",
        does: "sets the schedule of the next step; without arguments, lists the options",
        run: (rest) => chooseSchedule(this.#walk, wordsIn(rest))
      }
    ],
    [
      "do",
      { takes: "<step>", does: "runs a step of your own: do { as: dana, do: signIn }", run: (rest) => this.#do(rest) }
    ],
    ["say", { takes: "<text>", does: "adds a sentence to the story, as a step", run: (rest) => this.#say(rest) }],
    ["drop", { takes: "[n]", does: "discards all next steps, or the next n", run: (rest) => this.#drop(rest) }],
    [
      "branch",
      { takes: "<name>", does: "forks this branch and switches to the fork", run: (rest) => this.#fork(rest) }
    ],
    ["branches", { takes: "", does: "lists the branches", run: () => this.#branches() }],
    ["switch", { takes: "<name>", does: "switches to that branch", run: (rest) => this.#switch(rest) }],
    [
      "show",
      {
        takes: "<what>",
        does: "shows the request, response, state, events or trace of the last step, or all names or steps",
        run: (rest) => showView(rest, this.#walk.branch)
      }
    ],
    [
      "rows",
      {
        takes: "[table]",
        does: "shows the rows of a table; without a name, lists the tables that have rows",
        run: (rest) => showRows(rest, this.#walk.branch)
      }
    ],
    [
      "save",
      {
        takes: "<file>",
        does: "writes the executed steps of this branch as a scenario",
        run: (rest) => this.#save(rest, false)
      }
    ],
    [
      "save!",
      { takes: "<file>", does: "the same, and overwrites an existing file", run: (rest) => this.#save(rest, true) }
    ],
    ["help", { takes: "", does: "shows this list", run: () => this.#help() }],
    ["quit", { takes: "", does: "ends the program, as does the end of input", run: () => this.#quit() }]
  ])

  #next(rest: string): Answer {
    return Result.flatMap(countOf(rest, "next"), (count) => this.#goOn((steps) => steps >= count))
  }

  #until(rest: string): Answer {
    if (rest === "")
      return Result.fail("target is missing: until LOCKED, until 12, until 2026-10-05 or until <step id>")
    return Result.flatMap(parseStopCondition(rest, this.#walk.branch), ({ isReached, unmetMessage }) =>
      Result.flatMap(
        this.#goOn(() => isReached(this.#walk.branch)),
        (lines): Answer => {
          if (isReached(this.#walk.branch) || this.#walk.ended !== undefined) return Result.succeed(lines)
          return Result.fail(
            [...lines, `all steps were executed, and ${unmetMessage}; back returns to an earlier step`].join("\n")
          )
        }
      )
    )
  }

  /** Runs steps until the condition holds, a step fails, or none is left. */
  #goOn(isEnough: (steps: number) => boolean): Answer {
    const { ended, branch } = this.#walk
    if (ended !== undefined) return Result.fail(stopped)
    if (branch.future.length === 0)
      return Result.fail("no next step; do … adds one, back returns to an earlier one, save writes the scenario")
    const lines: Array<string> = []
    for (let steps = 1; ; steps++) {
      const done = this.#walk.next()
      if (done === undefined) return Result.succeed(lines)
      lines.push(...this.#tell(done))
      if (done.ended !== undefined || isEnough(steps)) return Result.succeed(lines)
    }
  }

  #back(rest: string): Answer {
    const steps = this.#walk.branch.done.length
    return Result.flatMap(countOf(rest, "back"), (count): Answer => {
      if (steps === 0) return Result.fail("no step was executed yet; next runs the first one")
      if (count > steps) return Result.fail(`only ${steps} steps were executed; back ${steps} returns to the beginning`)
      this.#walk.back(count)
      return Result.succeed([])
    })
  }

  #do(rest: string): Answer {
    if (rest === "")
      return Result.fail("step is missing: do { as: dana, do: signIn }, do { advance: 1h } or any other step")
    if (this.#walk.ended !== undefined) return Result.fail(stopped)
    const { value, problems } = readSource(rest.startsWith("{") ? rest : `{ ${rest} }`)
    const [problem] = problems
    if (problem !== undefined)
      return Result.fail(`invalid YAML: ${problem.message}; example: do { as: dana, do: signIn }`)
    return Result.succeed(this.#tell(this.#walk.do(value)))
  }

  #say(rest: string): Answer {
    if (rest === "") return Result.fail("text is missing: say <text> adds it to the story and to the saved scenario")
    if (this.#walk.ended !== undefined) return Result.fail(stopped)
    return Result.succeed(this.#tell(this.#walk.do({ say: rest })))
  }

  #drop(rest: string): Answer {
    const { length } = this.#walk.branch.future
    return Result.map(rest === "" ? Result.succeed(length) : countOf(rest, "drop"), (count) => {
      this.#walk.drop(count)
      const dropped = Math.min(count, length)
      return [`${dropped} ${dropped === 1 ? "step" : "steps"} discarded, ${length - dropped} left`]
    })
  }

  #fork(name: string): Answer {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(name))
      return Result.fail("the name of a branch has letters, digits and hyphens")
    if (this.#names.includes(name)) return Result.fail(`branch ${name} already exists; switch ${name} switches to it`)
    this.#walk.fork(name)
    return Result.succeed([`switched to the new branch ${name}`])
  }

  #branches(): Answer {
    const current = this.#walk.branch.name
    return Result.succeed(
      this.#walk.branches.map((branch) => {
        const failed = branch.done.at(-1)?.ended === undefined ? "" : ", failed"
        const mark = branch.name === current ? "*" : " "
        return `${mark} ${branch.name}: ${this.#position(branch)}${failed}`
      })
    )
  }

  #switch(name: string): Answer {
    if (!this.#names.includes(name)) {
      return Result.fail(`unknown branch ${name}${didYouMean(name, this.#names)}; branches lists them`)
    }
    this.#walk.switchTo(name)
    return Result.succeed([])
  }

  #save(name: string, mayReplace: boolean): Answer {
    return Result.map(saveBranch(name, mayReplace, this.#walk.branch, this.#origin), (message) => [message])
  }

  #help(): Answer {
    const width = Math.max(...[...this.#commands].map(([name, { takes }]) => name.length + takes.length)) + 1
    return Result.succeed(
      [...this.#commands].map(([name, { takes, does }]) => `  ${`${name} ${takes}`.padEnd(width)}  ${does}`)
    )
  }

  #quit(): Answer {
    this.hasQuit = true
    return Result.succeed([])
  }

  #position(branch: Branch): string {
    const { done, future } = branch
    const { now } = this.#summaryOf(branch)
    const at = now === null ? "after the last instant" : instantText(now)
    return `step ${done.length} of ${done.length + future.length}, ${at}`
  }

  #summaryOf({ world, done }: Branch) {
    return summarizeSession(world, this.#origin.file, done.at(-1)?.ended)
  }

  get #names(): Lines {
    return this.#walk.branches.map(({ name }) => name)
  }

  #tell(done: ExecutedStep): Lines {
    return renderStep(this.#origin.file, this.#walk.branch, done)
  }

  #guarded(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof BadStep)) throw error
      const problems = error.problems.map(({ path, message }) => `  ${path === "" ? "" : `${path}: `}${message}`)
      return Result.fail(["invalid step:", ...problems].join("\n"))
    }
  }
}

const stopped = "the last step failed; back returns to before it, then do … adds another step, or drop 1 discards it"

const wordsIn = (text: string): Lines => text.split(/\s+/).filter((word) => word !== "")

const countOf = (text: string, command: string): Result.Result<number, string> => {
  if (text === "") return Result.succeed(1)
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return Result.succeed(count)
  return Result.fail(`${command} takes a number of steps: ${command} 3`)
}
