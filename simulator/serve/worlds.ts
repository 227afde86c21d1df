/** The worlds of one server. Each is for itself: what happens in one is seen in no other. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { StepForm } from "../script/format.ts"
import type { Opening, Scenario } from "../script/scenario.ts"
import { unrolled } from "../script/unrolled.ts"
import { defaultOpening } from "./opening.ts"
import { ControlRefused } from "./refusals.ts"
import { ServedWorld } from "./served-world.ts"

/** What a world is made from. */
export interface Wanted {
  /** The server's own world where absent. */
  readonly scenario?: Scenario | undefined
  readonly seed?: number | undefined
  readonly start?: Instant | undefined
  /** Also do the steps of the scenario. */
  readonly play?: boolean | undefined
}

export const defaultWorld = "default"

export class Worlds {
  readonly #worlds = new Map<string, ServedWorld>()
  readonly #patience: number
  readonly #own: Scenario | undefined
  #made = 1

  /** `own` is what a world is made from where nobody says otherwise. */
  constructor(patience: number, own?: Scenario) {
    this.#patience = patience
    this.#own = own
  }

  get all(): ReadonlyArray<ServedWorld> {
    return [...this.#worlds.values()]
  }

  get(id: string): ServedWorld | undefined {
    return this.#worlds.get(id)
  }

  /** Throws `ControlRefused` where it cannot be made. */
  make(wanted: Wanted, id: string = this.#nextId()): ServedWorld {
    const { opening, steps } = read({ ...wanted, scenario: wanted.scenario ?? this.#own })
    return this.#add(id, opening, steps)
  }

  /** A world of its own that begins as another one was after so many steps. */
  fork({ live: { session } }: ServedWorld, steps: number): ServedWorld {
    return this.#add(this.#nextId(), session.opening, session.forms.slice(0, steps))
  }

  remove(world: ServedWorld): void {
    this.#worlds.delete(world.id)
    world.close()
  }

  /** Ends what is under way in every world. What came into them can still be read. */
  close(): void {
    for (const world of this.all) world.close()
  }

  #add(id: string, opening: Opening, steps: ReadonlyArray<StepForm>): ServedWorld {
    if (this.#worlds.size >= worldsMax) throw new ControlRefused("TOO_MANY_WORLDS", `There are ${worldsMax} worlds.`)
    const world = make(id, opening, steps, this.#patience)
    this.#worlds.set(id, world)
    return world
  }

  #nextId(): string {
    this.#made += 1
    return `world-${this.#made}`
  }
}

const worldsMax = 100

const read = ({ scenario, seed, start, play }: Wanted): Beginning => {
  const { title, say, given, ...own } = scenario ?? defaultOpening
  const opening = { title, say, given, properties: [], seed: seed ?? own.seed, start: start ?? own.start }
  return { opening, steps: play === true && scenario !== undefined ? unrolled(scenario.steps) : [] }
}

interface Beginning {
  readonly opening: Opening
  readonly steps: ReadonlyArray<StepForm>
}

const make = (id: string, opening: Opening, steps: ReadonlyArray<StepForm>, patience: number): ServedWorld => {
  try {
    return new ServedWorld(id, opening, steps, patience)
  } catch (error) {
    throw new ControlRefused("INVALID_SCENARIO", error instanceof Error ? error.message : String(error))
  }
}
