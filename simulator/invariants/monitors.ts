/** Holds every invariant against one run, from what is observed; the first that is broken is told. */
import type { Directory } from "../directory.ts"
import type { Content } from "../memory-storage/content.ts"
import type { Observed } from "../observation.ts"
import type { Json } from "../script/json.ts"
import { askedBy, Broken, type Invariant, type Moment, Reached, type RequestSeen, Rows } from "./invariant.ts"
import { withNames } from "./support/names.ts"

export interface Violation {
  readonly invariant: string
  /** What was seen. */
  readonly words: string
  /** How many things had been observed by then. */
  readonly at: number
}

export class Monitors {
  readonly #invariants: ReadonlyArray<Invariant>
  readonly #remembered: Array<Json>
  readonly #reached = new Set<string>()
  /** By actor and step: those that nobody has answered yet. */
  readonly #asked = new Map<string, RequestSeen>()
  #rows: Rows
  #last: Moment | undefined
  #seen = 0
  #violation: Violation | undefined

  readonly #keys: Moment["keys"]

  constructor(invariants: ReadonlyArray<Invariant>, content: Content, keys: Moment["keys"]) {
    this.#invariants = invariants
    this.#keys = keys
    this.#remembered = invariants.map(({ begins }) => begins)
    this.#rows = new Rows(content)
  }

  /** The same so far, and on its own from here on. */
  fork(): Monitors {
    const forked = new Monitors(this.#invariants, this.#rows.content, this.#keys)
    forked.#remembered.splice(0, forked.#remembered.length, ...this.#remembered)
    for (const name of this.#reached) forked.#reached.add(name)
    for (const [key, request] of this.#asked) forked.#asked.set(key, request)
    forked.#last = this.#last
    forked.#seen = this.#seen
    forked.#violation = this.#violation
    return forked
  }

  /** The rows as they are. */
  get content(): Content {
    return this.#rows.content
  }

  /** A defect in the service, or a step that never ends. */
  fail(words: string): void {
    this.#violation ??= { invariant: "every step ends", words, at: this.#seen }
  }

  get violation(): Violation | undefined {
    return this.#violation
  }

  /** Those of what has to come about sometimes that did. */
  get reached(): ReadonlySet<string> {
    return this.#reached
  }

  /** Everything that is remembered: two runs with equal worlds and equal memories are judged alike from here on. */
  get memory(): Json {
    return [...this.#remembered, [...this.#asked.keys()].sort()]
  }

  /** `idled` is how long time has passed so far while somebody could have gone on, in milliseconds. */
  observe(observed: Observed, content: Content, directory: Directory, idled = 0): void {
    this.#seen += 1
    const before = this.#rows
    if (before.content !== content) this.#rows = new Rows(content)
    const request = this.#requestOf(observed)
    const moment: Moment = { observed, request, before, rows: this.#rows, directory, keys: this.#keys, idled }
    this.#last = moment
    for (const [index, { name, sees }] of this.#invariants.entries()) {
      const came = sees(this.#remembered[index] ?? null, moment)
      if (came instanceof Broken) this.#break(name, came, directory)
      else if (came instanceof Reached) {
        this.#reached.add(name)
        if (came.remembered !== undefined) this.#remembered[index] = came.remembered
      } else this.#remembered[index] = came
    }
  }

  /** Once the script has ended. */
  end(): void {
    const moment = this.#last
    if (moment === undefined) return
    for (const [index, { name, ends }] of this.#invariants.entries()) {
      const came = ends?.(this.#remembered[index] ?? null, moment)
      if (came instanceof Broken) this.#break(name, came, moment.directory)
      else if (came !== undefined) this.#reached.add(name)
    }
  }

  #break(invariant: string, { words }: Broken, directory: Directory): void {
    this.#violation ??= { invariant, words: withNames(words, directory), at: this.#seen }
  }

  #requestOf(observed: Observed): RequestSeen | undefined {
    if (observed.kind === "request") {
      this.#asked.set(askedBy(observed), observed)
      return observed
    }
    if (observed.kind !== "commit" && observed.kind !== "response") return undefined
    // A request of a step that goes on alone has no number.
    const step = observed.kind === "commit" ? observed.ofStep : observed.step
    const found = [askedBy({ actor: observed.actor, step }), askedBy({ actor: observed.actor, step: undefined })]
    const key = found.find((one) => this.#asked.has(one))
    const request = key === undefined ? undefined : this.#asked.get(key)
    if (key !== undefined && observed.kind === "response") this.#asked.delete(key)
    return request
  }
}
