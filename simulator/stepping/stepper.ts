/** What a person types while walking through a scenario, and what is answered; it knows nothing of terminals. */
import { Result } from "effect"
import { visibleOnTerminal } from "../reports/visible.ts"
import { readSource } from "../script/source.ts"
import type { Scenario } from "../script/scenario.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import { BadStep, type Outcome } from "../session.ts"
import { choose } from "./choosing.ts"
import { type Origin, save } from "./saving.ts"
import { rows, show } from "./showing.ts"
import { targetOf } from "./target.ts"
import { clock, tellDone } from "./telling.ts"
import { type Done, Walk } from "./walk.ts"

type Lines = ReadonlyArray<string>

/** Failures are sentences that say what to type next. */
type Answer = Result.Result<Lines, string>

interface StepCommand {
  /** What stands behind its name, and what it does. */
  readonly takes: string
  readonly does: string
  readonly run: (rest: string) => Answer
}

export class Stepper {
  isOver = false
  /** Whether a line that was typed could not be done, other than because a step before it did not go as expected. */
  hasRefused = false
  readonly #walk: Walk
  readonly #origin: Origin

  /** Throws `WorldUnusable` where what is given cannot be made. */
  constructor(scenario: Scenario, origin: Origin) {
    this.#walk = new Walk(scenario)
    this.#origin = origin
  }

  /** How the last step ended, where that was not as expected. */
  get ended(): Outcome["ended"] {
    return this.#walk.ended
  }

  get prompt(): string {
    const { name, done, future, world } = this.#walk.branch
    return `${name}, step ${done.length} of ${done.length + future.length}, ${clock(world.now)} > `
  }

  get greeting(): Lines {
    const { title } = this.#walk.scenario
    return [title, `${this.#walk.branch.future.length} steps; next does one, help says what else there is`]
  }

  /** What is said to a line that was typed. */
  answer(line: string): Lines {
    const [, name = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? []
    if (name === "" || name.startsWith("#")) return []
    const command = this.#commands.get(name)
    const answer =
      command === undefined
        ? Result.fail(`there is no ${name}${didYouMean(name, this.#commands.keys())}; help lists what there is`)
        : this.#guarded(() => command.run(rest))
    if (Result.isFailure(answer) && answer.failure !== stopped) this.hasRefused = true
    const lines = Result.isSuccess(answer) ? answer.success : [answer.failure]
    const { redact } = this.#walk.branch.world.stage.recorder
    return lines.flatMap((text) => visibleOnTerminal(redact(text)).split("\n"))
  }

  /** The words that a line could go on with, for a terminal. */
  completions(line: string): ReadonlyArray<string> {
    const [, name = "", rest] = /^(\S*)(?:\s+(\S*))?$/.exec(line) ?? []
    if (rest === undefined) return [...this.#commands.keys()].filter((known) => known.startsWith(name))
    const { branch, branches } = this.#walk
    const words: { readonly [command: string]: Lines } = {
      show: ["request", "response", "state", "trace", "names", "steps"],
      switch: branches.map((one) => one.name),
      until: branch.future.flatMap(({ step }) => step.id ?? [])
    }
    return (words[name] ?? []).filter((word) => word.startsWith(rest)).map((word) => `${name} ${word}`)
  }

  readonly #commands: ReadonlyMap<string, StepCommand> = new Map<string, StepCommand>([
    ["next", { takes: "[n]", does: "does the next step, or n of them", run: (rest) => this.#next(rest) }],
    ["back", { takes: "[n]", does: "makes a new world up to one step ago, or n", run: (rest) => this.#back(rest) }],
    [
      "until",
      {
        takes: "<step, id, state, refusal or moment>",
        does: "goes on until it is there",
        run: (rest) => this.#until(rest)
      }
    ],
    [
      "choose",
      {
        takes: "[names or numbers]",
        does: "says who goes first in the step to come; alone, lists who could",
        run: (rest) => choose(this.#walk, wordsIn(rest))
      }
    ],
    [
      "do",
      { takes: "<step>", does: "does a step of your own: do { as: dana, do: signIn }", run: (rest) => this.#do(rest) }
    ],
    ["say", { takes: "<text>", does: "puts words into the story, as a step", run: (rest) => this.#say(rest) }],
    ["drop", { takes: "[n]", does: "forgets the steps to come, or the next n", run: (rest) => this.#drop(rest) }],
    [
      "branch",
      { takes: "<name>", does: "goes on in another world that is the same so far", run: (rest) => this.#fork(rest) }
    ],
    ["branches", { takes: "", does: "lists the branches", run: () => this.#branches() }],
    ["switch", { takes: "<name>", does: "goes on in that branch", run: (rest) => this.#switch(rest) }],
    [
      "show",
      {
        takes: "<what>",
        does: "the request, response, state or trace of the last step; all names or steps",
        run: (rest) => show(rest, this.#walk.branch)
      }
    ],
    [
      "rows",
      {
        takes: "[table]",
        does: "the rows of a table; alone, which tables have any",
        run: (rest) => rows(rest, this.#walk.branch)
      }
    ],
    [
      "save",
      {
        takes: "<file>",
        does: "writes what was done on this branch as a scenario",
        run: (rest) => this.#save(rest, false)
      }
    ],
    [
      "save!",
      { takes: "<file>", does: "the same, in the place of a file that is there", run: (rest) => this.#save(rest, true) }
    ],
    ["help", { takes: "", does: "this list", run: () => this.#help() }],
    ["quit", { takes: "", does: "ends the walk; so does the end of input", run: () => this.#quit() }]
  ])

  #next(rest: string): Answer {
    return Result.flatMap(countOf(rest, "next"), (count) => this.#goOn((steps) => steps >= count))
  }

  #until(rest: string): Answer {
    if (rest === "") return Result.fail("until what? until LOCKED, until 12, until 2026-10-05 or the id of a step")
    return Result.flatMap(targetOf(rest, this.#walk.branch), ({ isReached, awaited }) =>
      Result.flatMap(
        this.#goOn(() => isReached(this.#walk.branch)),
        (lines): Answer => {
          if (isReached(this.#walk.branch) || this.#walk.ended !== undefined) return Result.succeed(lines)
          return Result.fail([...lines, `the steps are at their end, and ${awaited}; back goes back`].join("\n"))
        }
      )
    )
  }

  /** Step after step, until it is enough, one does not go as expected, or none is left. */
  #goOn(isEnough: (steps: number) => boolean): Answer {
    const { ended, branch } = this.#walk
    if (ended !== undefined) return Result.fail(stopped)
    if (branch.future.length === 0)
      return Result.fail("no step is to come; do … makes one, back goes back, save keeps all")
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
      if (steps === 0) return Result.fail("this is the beginning; next does the first step")
      if (count > steps) return Result.fail(`only ${steps} steps were done; back ${steps} goes to the beginning`)
      this.#walk.back(count)
      return Result.succeed([])
    })
  }

  #do(rest: string): Answer {
    if (rest === "")
      return Result.fail("do what? do { as: dana, do: signIn }, do { advance: 1h } or any step of a script")
    if (this.#walk.ended !== undefined) return Result.fail(stopped)
    const { value, problems } = readSource(rest.startsWith("{") ? rest : `{ ${rest} }`)
    const [problem] = problems
    if (problem !== undefined) return Result.fail(`that is not YAML: ${problem.message}; do { as: dana, do: signIn }`)
    return Result.succeed(this.#tell(this.#walk.do(value)))
  }

  #say(rest: string): Answer {
    if (rest === "") return Result.fail("say what? The words stand in the story, and in what is saved")
    if (this.#walk.ended !== undefined) return Result.fail(stopped)
    return Result.succeed(this.#tell(this.#walk.do({ say: rest })))
  }

  #drop(rest: string): Answer {
    const { length } = this.#walk.branch.future
    return Result.map(rest === "" ? Result.succeed(length) : countOf(rest, "drop"), (count) => {
      this.#walk.drop(count)
      const dropped = Math.min(count, length)
      return [`${dropped} ${dropped === 1 ? "step is" : "steps are"} forgotten, ${length - dropped} to come`]
    })
  }

  #fork(name: string): Answer {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(name))
      return Result.fail("a branch has a name of letters, digits and hyphens")
    if (this.#names.includes(name)) return Result.fail(`there is a branch ${name} already; switch ${name} goes there`)
    this.#walk.fork(name)
    return Result.succeed([`from here on this is ${name}`])
  }

  #branches(): Answer {
    const current = this.#walk.branch.name
    return Result.succeed(
      this.#walk.branches.map(({ name, done, future, world }) => {
        const failed = done.at(-1)?.ended === undefined ? "" : ", did not go as expected"
        const mark = name === current ? "*" : " "
        return `${mark} ${name}: step ${done.length} of ${done.length + future.length}, ${clock(world.now)}${failed}`
      })
    )
  }

  #switch(name: string): Answer {
    if (!this.#names.includes(name)) {
      return Result.fail(`there is no branch ${name}${didYouMean(name, this.#names)}; branches lists them`)
    }
    this.#walk.switchTo(name)
    return Result.succeed([])
  }

  #save(name: string, mayReplace: boolean): Answer {
    return Result.map(save(name, mayReplace, this.#walk.branch, this.#origin), (said) => [said])
  }

  #help(): Answer {
    const width = Math.max(...[...this.#commands].map(([name, { takes }]) => name.length + takes.length)) + 1
    return Result.succeed(
      [...this.#commands].map(([name, { takes, does }]) => `  ${`${name} ${takes}`.padEnd(width)}  ${does}`)
    )
  }

  #quit(): Answer {
    this.isOver = true
    return Result.succeed([])
  }

  get #names(): Lines {
    return this.#walk.branches.map(({ name }) => name)
  }

  #tell(done: Done): Lines {
    return tellDone(this.#origin.file, this.#walk.branch, done)
  }

  #guarded(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof BadStep)) throw error
      const problems = error.problems.map(({ path, message }) => `  ${path === "" ? "" : `${path}: `}${message}`)
      return Result.fail(["that is no step here:", ...problems].join("\n"))
    }
  }
}

const stopped =
  "the last step did not go as expected; back goes before it, then do … goes another way, or drop 1 leaves it out"

const wordsIn = (text: string): Lines => text.split(/\s+/).filter((word) => word !== "")

const countOf = (text: string, command: string): Result.Result<number, string> => {
  if (text === "") return Result.succeed(1)
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return Result.succeed(count)
  return Result.fail(`${command} takes a number of steps, such as ${command} 3`)
}
