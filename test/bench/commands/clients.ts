/** Clients that take a number of turns together, each as soon as its last turn ended. */

/** The result of one turn; `refused` means that another client was faster. */
export type Turn = "done" | "refused"

export interface Tally {
  readonly done: number
  readonly refused: number
  readonly seconds: number
  /** The time of each turn. */
  readonly milliseconds: ReadonlyArray<number>
}

export const runClients = async (
  clients: number,
  turns: number,
  turn: (client: number) => Promise<Turn>
): Promise<Tally> => {
  const tally = { done: 0, refused: 0 }
  const milliseconds: Array<number> = []
  let started = 0
  const began = performance.now()
  const runOne = async (client: number) => {
    while (started < turns) {
      started += 1
      const turnBegan = performance.now()
      tally[await turn(client)] += 1
      milliseconds.push(performance.now() - turnBegan)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runOne(client)))
  return { ...tally, milliseconds, seconds: (performance.now() - began) / 1000 }
}

/** How clients spread over lanes. */
export interface Spread {
  readonly clients: number
  /** The number of commands that a project takes before its client continues on the next. */
  readonly commandsEach: number
  /** All clients race on one project. */
  readonly isRace: boolean
}

/** The number of lanes that so many turns need at most. */
export const lanesFor = ({ clients, commandsEach, isRace }: Spread, turns: number): number =>
  Math.min(turns, Math.ceil(turns / commandsEach) + (isRace ? 1 : clients))

export const turnsOn = <L>(spread: Spread, lanes: Array<L>, take: (lane: L) => Promise<Turn>) =>
  (spread.isRace ? sharedLane : ownLanes)(lanes, spread.commandsEach, take)

/** Gives each client a lane of its own for that many turns, then the next one. */
const ownLanes = <L>(lanes: Array<L>, turns: number, take: (lane: L) => Promise<Turn>) => {
  const held = new Map<number, { readonly lane: L; left: number }>()
  return (client: number): Promise<Turn> => {
    let mine = held.get(client)
    if (mine === undefined || mine.left === 0) {
      mine = { lane: lanes.pop()!, left: turns }
      held.set(client, mine)
    }
    mine.left -= 1
    return take(mine.lane)
  }
}

/** Lets all clients race on one lane for that many turns, then on the next one. */
const sharedLane = <L>(lanes: Array<L>, turns: number, take: (lane: L) => Promise<Turn>) => {
  let current = lanes.pop()!
  let done = 0
  return async (): Promise<Turn> => {
    const lane = current
    const came = await take(lane)
    if (came === "done" && lane === current && ++done === turns) {
      current = lanes.pop()!
      done = 0
    }
    return came
  }
}
