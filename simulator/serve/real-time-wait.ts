/** Waits in real time, with a timeout. */
import type { LiveSession } from "../scenario/live.ts"

/** Resolves with true once the condition holds, or with false after the timeout. */
export const waitUntil = async (holds: () => boolean, seconds: number): Promise<boolean> => {
  const deadline = performance.now() + seconds * 1000
  while (!holds()) {
    if (performance.now() >= deadline) return false
    await pause(pollMilliseconds)
  }
  return true
}

export const pause = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds))

/**
 * Waits for a promise that needs virtual time to advance. Undefined if the time was frozen for the whole timeout; the
 * promise may still resolve.
 */
export const waitWhileTimeAdvances = async <A>(
  result: Promise<A>,
  live: LiveSession,
  seconds: number
): Promise<A | undefined> => {
  let deadline = performance.now() + seconds * 1000
  for (;;) {
    const settled = await Promise.race([result.then((value) => ({ value })), pause(pollMilliseconds)])
    if (settled !== undefined) return settled.value
    if (live.frozenFor.length === 0) deadline = performance.now() + seconds * 1000
    else if (performance.now() >= deadline) return undefined
  }
}

const pollMilliseconds = 5
