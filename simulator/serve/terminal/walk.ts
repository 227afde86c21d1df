/**
 * A walk through a scenario: branches, each a world with executed and next steps. Going back replays the earlier steps in
 * a new world; the undone steps become next steps again.
 */
import type { Scenario, Step } from "../../scenario/format/scenario.ts"
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import { unrollSteps } from "../../scenario/format/unroll.ts"
import { type RowChange, rowChanges } from "../../storage/row-changes.ts"
import { type Outcome, Session } from "../../scenario/session.ts"

/** A next step: its form and its model. */
export interface NextStep {
  readonly form: StepForm
  readonly step: Step
}

/** A choice point: its options and the one chosen. */
export interface ChoicePoint {
  readonly options: ReadonlyArray<string>
  readonly chosen: string
}

export interface ExecutedStep extends Outcome {
  readonly form: StepForm
  /** The row changes of its commits. */
  readonly changes: ReadonlyArray<RowChange>
}

export interface Branch {
  readonly name: string
  readonly world: Session
  readonly done: ReadonlyArray<ExecutedStep>
  readonly future: ReadonlyArray<NextStep>
}

export class Walk {
  readonly scenario: Scenario
  readonly #branches = new Map<string, Branch>()
  #current: string = mainBranch
  /** The options at each choice point of the current step. */
  #offered: Array<ReadonlyArray<string>> = []

  /** Throws `WorldUnusable` if the world cannot be created. */
  constructor(scenario: Scenario) {
    this.scenario = scenario
    const forms = unrollSteps(scenario.steps)
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

  /** The failure of the last step of the branch, if any. */
  get ended(): Outcome["ended"] {
    return this.branch.done.at(-1)?.ended
  }

  /** Runs the next step. Undefined if there is none. Throws `BadStep`. */
  next(): ExecutedStep | undefined {
    const [item, ...rest] = this.branch.future
    return item === undefined ? undefined : this.#do(item.form, item.step, rest)
  }

  /** Runs another step before the next steps. Throws `BadStep`. */
  do(value: unknown): ExecutedStep {
    const { done, future } = this.branch
    return this.#do(value, { file: "typed", line: done.length + 1 }, future)
  }

  /** Goes back so many steps, in a new world. */
  back(count: number): void {
    const { name, done, future } = this.branch
    const kept = done.length - count
    const world = this.branch.world.fork(kept)
    const undone = done.slice(kept).map(({ form, step }) => ({ form, step }))
    this.#put({ name, world, done: done.slice(0, kept), future: [...undone, ...future] })
  }

  /** Discards so many of the next steps. */
  drop(count: number): void {
    this.#put({ ...this.branch, future: this.branch.future.slice(count) })
  }

  /** Forks the branch under another name and switches to the fork. */
  fork(name: string): void {
    const world = this.branch.world.fork()
    this.#put({ ...this.branch, name, world })
    this.#current = name
  }

  /** Switches to an existing branch. */
  switchTo(name: string): void {
    this.#current = name
  }

  /** Sets the schedule of the next step; an empty list clears it. */
  choose(names: ReadonlyArray<string>): void {
    const [item, ...rest] = this.branch.future
    if (item === undefined) return
    const { choose: _, ...form } = item.form
    const chosen = names.length === 0 ? form : { ...form, choose: names }
    this.#put({ ...this.branch, future: [{ ...item, form: chosen }, ...rest] })
  }

  /** Runs the next step in a temporary fork, and returns its choice points and its failure, if any. */
  rehearse(): { readonly choices: ReadonlyArray<ChoicePoint>; readonly ended: Outcome["ended"] } {
    const { world, future } = this.branch
    const spare = world.fork()
    this.#offered = []
    const { observed, ended } = spare.do(future[0]?.form)
    const recorded = observed.flatMap((line): ReadonlyArray<ChoicePoint> => (line.kind === "choice" ? [line] : []))
    const open = this.#offered.map((options): ChoicePoint => ({ options, chosen: options[0] ?? "" }))
    return { choices: recorded.length > 0 ? recorded : open, ended }
  }

  #do(value: unknown, { file, line }: Pick<Step, "file" | "line">, future: ReadonlyArray<NextStep>): ExecutedStep {
    const { name, world, done } = this.branch
    this.#offered = []
    const outcome = world.do(value)
    const form = world.forms.at(-1) ?? {}
    const changes = outcome.observed.flatMap((one) => rowChanges(one, world.setup.states.get(one)))
    const executed = { ...outcome, step: { ...outcome.step, file, line }, form, changes }
    this.#put({ name, world, done: [...done, executed], future })
    return executed
  }

  #put(branch: Branch): void {
    this.#branches.set(branch.name, branch)
  }
}

export const mainBranch = "main"
