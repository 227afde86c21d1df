/** The year after a lesson: the agent's machine is off, and after each quarter its program is started again for an hour. */
import { advanceTo } from "../serve/due-times.ts"
import type { ServedWorld } from "../serve/served-world.ts"
import type { ExaminedAgent } from "./examined-agent.ts"
import { pause } from "../serve/real-time-wait.ts"
import type { Lesson } from "./lesson.ts"

interface PassedLesson {
  readonly lesson: Lesson
  readonly world: ServedWorld
  readonly program: ExaminedAgent
  /** True if the agent waits by the clock of the world. */
  readonly isCooperative: boolean
  /** The reason why its program may run no longer, if there is one. */
  readonly stopped: () => string | undefined
}

/** Returns why it ended. */
export const continueForYear = async (passed: PassedLesson): Promise<string> => {
  const { lesson, world, program, isCooperative, stopped } = passed
  const { agent } = lesson.form
  const { scheduler } = world.live.session
  const start = scheduler.now
  for (let quarter = 1; quarter <= 4; quarter++) {
    program.stop()
    world.agents.leave(agent)
    await advanceTo(world, Math.max(scheduler.now, start + quarter * quarterMilliseconds))
    if (isCooperative) world.agents.join(agent)
    world.notice()
    program.reboot()
    const until = scheduler.now + hour
    while (!program.hasEnded && scheduler.now <= until) {
      const reason = stopped()
      if (reason !== undefined) return reason
      await pause(pollMilliseconds)
    }
    if (program.hasEnded) world.agents.leave(agent)
  }
  return "a year has passed since everything was reached"
}

const pollMilliseconds = 20
const hour = 3_600_000
const quarterMilliseconds = 91.25 * 24 * hour
