/** Clients that take their turns for a while, each as soon as its last one ended. */

/** What one turn came to; there is nothing left to do once a client finds the work exhausted. */
export type Turn = "done" | "refused" | "exhausted"

export interface Tally {
  readonly done: number
  readonly refused: number
  readonly seconds: number
}

/** Counts the turns that ended in time. The time is over for everybody once one client finds nothing left to do. */
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

/** Gives each client a lane of its own for so many turns, then the next one. */
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

/** Lets all clients race on one lane until so many turns were done on it, then on the next one. */
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
