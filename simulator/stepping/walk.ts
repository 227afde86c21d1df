/**
 * A walk through a scenario: branches, each a world of its own with what was done in it and what is still to come. Going
 * back makes a new world up to there; what was taken back is to come again.
 */
import type { Scenario, Step } from "../script/scenario.ts"
import type { StepForm } from "../script/format.ts"
import { unrolled } from "../script/unrolled.ts"
import { type RowChange, rowChanges } from "../row-changes.ts"
import { type Outcome, Session } from "../session.ts"

/** A step to do, as a script says it and as it is told. */
export interface Item {
  readonly form: StepForm
  readonly step: Step
}

/** What could have gone first at one choice, and what did. */
export interface Choice {
  readonly options: ReadonlyArray<string>
  readonly chosen: string
}

export interface Done extends Outcome {
  readonly form: StepForm
  /** What its commits changed, row by row. */
  readonly changes: ReadonlyArray<RowChange>
}

export interface Branch {
  readonly name: string
  readonly world: Session
  readonly done: ReadonlyArray<Done>
  readonly future: ReadonlyArray<Item>
}

export class Walk {
  readonly scenario: Scenario
  readonly #branches = new Map<string, Branch>()
  #current: string = mainBranch
  /** Everything that could go first at the step under way. */
  #offered: Array<ReadonlyArray<string>> = []

  /** Throws `WorldUnusable` where what is given cannot be made. */
  constructor(scenario: Scenario) {
    this.scenario = scenario
    const forms = unrolled(scenario.steps)
    const future = scenario.steps.flatMap((step, index) => {
      const form = forms[index]
      return form === undefined ? [] : [{ form, step }]
    })
    const choose = (options: ReadonlyArray<string>) => {
      this.#offered.push(options)
      return 0
    }
    this.#put({ name: mainBranch, world: new Session(scenario, { choose }), done: [], future })
  }

  get branch(): Branch {
    const branch = this.#branches.get(this.#current)
    if (branch === undefined) throw new RangeError("the current branch is one of the branches")
    return branch
  }

  get branches(): ReadonlyArray<Branch> {
    return [...this.#branches.values()]
  }

  /** How the last step of the branch ended, where that was not as expected. */
  get ended(): Outcome["ended"] {
    return this.branch.done.at(-1)?.ended
  }

  /** Does what comes next. Undefined where nothing is to come. Throws `BadStep`. */
  next(): Done | undefined {
    const [item, ...rest] = this.branch.future
    return item === undefined ? undefined : this.#do(item.form, item.step, rest)
  }

  /** Does another step before everything that is to come. Throws `BadStep`. */
  do(value: unknown): Done {
    const { done, future } = this.branch
    return this.#do(value, { file: "typed", line: done.length + 1 }, future)
  }

  /** A new world up to so many steps ago. */
  back(count: number): void {
    const { name, done, future } = this.branch
    const kept = done.length - count
    const world = this.branch.world.fork(kept)
    const again = done.slice(kept).map(({ form, step }) => ({ form, step }))
    this.#put({ name, world, done: done.slice(0, kept), future: [...again, ...future] })
  }

  /** Forgets so many of the steps to come. */
  drop(count: number): void {
    this.#put({ ...this.branch, future: this.branch.future.slice(count) })
  }

  /** The same world once more under another name, to go on there. */
  fork(name: string): void {
    const world = this.branch.world.fork()
    this.#put({ ...this.branch, name, world })
    this.#current = name
  }

  /** Goes on in a branch that there is. */
  switchTo(name: string): void {
    this.#current = name
  }

  /** Says who goes first at the choices of the step to come; nobody says so any more where there is no name. */
  choose(names: ReadonlyArray<string>): void {
    const [item, ...rest] = this.branch.future
    if (item === undefined) return
    const { choose: _, ...form } = item.form
    const chosen = names.length === 0 ? form : { ...form, choose: names }
    this.#put({ ...this.branch, future: [{ ...item, form: chosen }, ...rest] })
  }

  /** What the step to come would do, in a world that is thrown away: its choices in order, and how it ends. */
  rehearse(): { readonly choices: ReadonlyArray<Choice>; readonly ended: Outcome["ended"] } {
    const { world, future } = this.branch
    const spare = world.fork()
    this.#offered = []
    const { observed, ended } = spare.do(future[0]?.form)
    const told = observed.flatMap((line): ReadonlyArray<Choice> => (line.kind === "choice" ? [line] : []))
    const untold = this.#offered.map((options): Choice => ({ options, chosen: options[0] ?? "" }))
    return { choices: told.length > 0 ? told : untold, ended }
  }

  #do(value: unknown, { file, line }: Pick<Step, "file" | "line">, future: ReadonlyArray<Item>): Done {
    const { name, world, done } = this.branch
    this.#offered = []
    const outcome = world.do(value)
    const form = world.forms.at(-1) ?? {}
    const changes = outcome.observed.flatMap((seen) => rowChanges(seen, world.stage.states.get(seen)))
    const did = { ...outcome, step: { ...outcome.step, file, line }, form, changes }
    this.#put({ name, world, done: [...done, did], future })
    return did
  }

  #put(branch: Branch): void {
    this.#branches.set(branch.name, branch)
  }
}

export const mainBranch = "main"
