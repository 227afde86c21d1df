/** The worlds of one server, isolated from each other. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import type { WorldDefinition, Scenario } from "../scenario/format/scenario.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { defaultWorldDefinition } from "./default-world.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { ServedWorld } from "./served-world.ts"

/** The options of a new world. */
export interface WorldOptions {
  /** Default: the server's own scenario, or the default world. */
  readonly scenario?: Scenario | undefined
  readonly seed?: number | undefined
  readonly start?: Instant | undefined
  /** Run the steps of the scenario. */
  readonly play?: boolean | undefined
}

export const defaultWorldId = "default"

export class Worlds {
  readonly #worlds = new Map<string, ServedWorld>()
  readonly #programTimeout: number
  readonly #own: Scenario | undefined
  #created = 1

  /** `own` is the scenario of worlds that name none. */
  constructor(programTimeout: number, own?: Scenario) {
    this.#programTimeout = programTimeout
    this.#own = own
  }

  get all(): ReadonlyArray<ServedWorld> {
    return [...this.#worlds.values()]
  }

  get(id: string): ServedWorld | undefined {
    return this.#worlds.get(id)
  }

  /** Throws `ControlRefused` if the world cannot be created. */
  make(wanted: WorldOptions, id: string = this.#nextId()): ServedWorld {
    const { opening, steps } = startOf({ ...wanted, scenario: wanted.scenario ?? this.#own })
    return this.#add(id, opening, steps)
  }

  /** A new world that replays the first steps of another one. */
  fork({ live: { session } }: ServedWorld, steps: number): ServedWorld {
    return this.#add(this.#nextId(), session.opening, session.forms.slice(0, steps))
  }

  remove(world: ServedWorld): void {
    this.#worlds.delete(world.id)
    world.close()
  }

  /** Ends all worlds; their sessions can still be read. */
  close(): void {
    for (const world of this.all) world.close()
  }

  #add(id: string, opening: WorldDefinition, steps: ReadonlyArray<StepForm>): ServedWorld {
    if (this.#worlds.size >= worldsMax)
      throw new ControlRefusal("TOO_MANY_WORLDS", `Limit reached: ${worldsMax} worlds.`)
    const world = createWorld(id, opening, steps, this.#programTimeout)
    this.#worlds.set(id, world)
    return world
  }

  #nextId(): string {
    this.#created += 1
    return `world-${this.#created}`
  }
}

const worldsMax = 100

const startOf = ({ scenario, seed, start, play }: WorldOptions): Start => {
  const { title, say, given, ...own } = scenario ?? defaultWorldDefinition
  const opening = { title, say, given, properties: [], seed: seed ?? own.seed, start: start ?? own.start }
  return { opening, steps: play === true && scenario !== undefined ? unrollSteps(scenario.steps) : [] }
}

interface Start {
  readonly opening: WorldDefinition
  readonly steps: ReadonlyArray<StepForm>
}

const createWorld = (
  id: string,
  opening: WorldDefinition,
  steps: ReadonlyArray<StepForm>,
  programTimeout: number
): ServedWorld => {
  try {
    return new ServedWorld(id, opening, steps, programTimeout)
  } catch (error) {
    throw new ControlRefusal("INVALID_SCENARIO", error instanceof Error ? error.message : String(error))
  }
}
