/** Clients that take turns for a fixed time, each as soon as its last turn ended. */

/** The result of one turn; `exhausted` means that no work is left. */
export type Turn = "done" | "refused" | "exhausted"

export interface Tally {
  readonly done: number
  readonly refused: number
  readonly seconds: number
}

/** Counts the turns that ended in time. All clients stop once one finds no work left. */
export const runClients = async (
  clients: number,
  seconds: number,
  turn: (client: number) => Promise<Turn>
): Promise<Tally> => {
  const tally = { done: 0, refused: 0 }
  const began = performance.now()
  let end = began + seconds * 1000
  const runOne = async (client: number) => {
    while (performance.now() < end) {
      const came = await turn(client)
      if (performance.now() > end) return
      if (came === "exhausted") end = performance.now()
      else tally[came] += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runOne(client)))
  return { ...tally, seconds: (end - began) / 1000 }
}

export const perSecond = ({ done, seconds }: Tally): number => done / seconds

/** Gives each client a lane of its own for that many turns, then the next one. */
export const ownLanes = <L>(lanes: Array<L>, turns: number, take: (lane: L) => Promise<Turn>) => {
  const held = new Map<number, { readonly lane: L; left: number }>()
  return async (client: number): Promise<Turn> => {
    let mine = held.get(client)
    if (mine === undefined || mine.left === 0) {
      const lane = lanes.pop()
      if (lane === undefined) return "exhausted"
      mine = { lane, left: turns }
      held.set(client, mine)
    }
    mine.left -= 1
    return take(mine.lane)
  }
}

/** Lets all clients race on one lane for that many turns, then on the next one. */
export const sharedLane = <L>(lanes: Array<L>, turns: number, take: (lane: L) => Promise<Turn>) => {
  let current = lanes.pop()
  let done = 0
  return async (): Promise<Turn> => {
    const lane = current
    if (lane === undefined) return "exhausted"
    const came = await take(lane)
    if (came === "done" && lane === current && ++done === turns) {
      current = lanes.pop()
      done = 0
    }
    return came
  }
}
