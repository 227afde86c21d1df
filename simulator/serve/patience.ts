/** Waiting in real time: for a world to come to rest, and no longer than somebody is ready to. */
import type { LiveSession } from "../live.ts"

/** Comes back once it holds, or with false once patience has run out. */
export const waitUntil = async (holds: () => boolean, seconds: number): Promise<boolean> => {
  const deadline = performance.now() + seconds * 1000
  while (!holds()) {
    if (performance.now() >= deadline) return false
    await new Promise((resolve) => setTimeout(resolve, lookEvery))
  }
  return true
}

/**
 * Waits for what ends only once time can move. Undefined where the world has stood still without a break for longer
 * than anybody wants to wait: what is waited for may still come.
 */
export const whileTimeMoves = async <A>(
  coming: Promise<A>,
  live: LiveSession,
  seconds: number
): Promise<A | undefined> => {
  let deadline = performance.now() + seconds * 1000
  for (;;) {
    const tick = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), lookEvery))
    const came = await Promise.race([coming.then((value) => ({ value })), tick])
    if (came !== undefined) return came.value
    if (live.standing.length === 0) deadline = performance.now() + seconds * 1000
    else if (performance.now() >= deadline) return undefined
  }
}

const lookEvery = 5
