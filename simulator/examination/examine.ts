/** Gives one lesson to an agent: a world of its own, the acts of others, and the verdict. */
import * as fs from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { resolve } from "../scenario/format/references.ts"
import type { Session } from "../scenario/session.ts"
import { attachProgram } from "../serve/external-processes.ts"
import { pause } from "../serve/real-time-wait.ts"
import type { ServedWorld } from "../serve/served-world.ts"
import type { Worlds } from "../serve/worlds.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import { isObject, type JsonObject } from "../vocabulary/json.ts"
import type { ExaminedAgent } from "./examined-agent.ts"
import { type ExamVerdict, judge, type Judgement, type LessonEnd, requestsMax, verdictOf } from "./judge.ts"
import { LessonActs } from "./lesson-acts.ts"
import { ActsWithFaults, type FaultPlan, type InjectedFault, planOf } from "./agent-faults.ts"
import type { Lesson } from "./lesson.ts"
import type { Fewest } from "./fewest.ts"
import { continueForYear } from "./year.ts"

export interface ExamOptions {
  /** The agent for one run of a lesson. */
  readonly newAgent: (lesson: Lesson) => ExaminedAgent
  /** The address of the server of the worlds. */
  readonly origin: string
  /** True if the agent waits by the clock of the world; false if time moves after silence. */
  readonly isCooperative: boolean
  /** How many seconds of real time may pass without a request; the verdict is UNKNOWN then, never FAIL. */
  readonly silence: number
}

/** One run of a lesson. */
export interface RunOptions extends ExamOptions {
  /** Faults beside those of the lesson. */
  readonly faults?: FaultPlan | undefined
  /** True if the world continues for a year after the agent has passed. */
  readonly hasYear?: boolean | undefined
}

/** A run of a lesson with its verdict, of an agent or replayed. */
export interface JudgedRun {
  readonly lesson: Lesson
  readonly verdict: ExamVerdict
  readonly judgement: Judgement
  /** Why the lesson ended. */
  readonly ended: string
  readonly session: Session
  /** The fewest faults and acts with which it fails, where they were looked for. */
  readonly fewest?: Fewest | undefined
  /** The last part of what the agent printed; empty in a replay. */
  readonly output: string
  /** The wall time. */
  readonly seconds: number
}

export interface LessonResult extends JudgedRun {
  readonly end: LessonEnd
  /** The faults beside those of the lesson, in order. */
  readonly injected: ReadonlyArray<InjectedFault>
}

export const examine = async (lesson: Lesson, worlds: Worlds, options: RunOptions): Promise<LessonResult> => {
  const { agent } = lesson.form
  const begun = performance.now()
  const world = worlds.make({ scenario: lesson.scenario, play: true })
  const port = await freePort()
  world.programs.isRepeating = lesson.persona?.form.manner?.repeats === true
  const { receivers = {} } = lesson.scenario.given
  for (const receiver of Object.keys(receivers)) await attachProgram(world, receiver, `http://127.0.0.1:${port}/`)
  const program = options.newAgent(lesson)
  let restartedAt = 0
  const restart = () => {
    restartedAt = world.live.session.observations.length
    program.restart()
  }
  const acts = new LessonActs(world, lesson, restart)
  const faulted = new ActsWithFaults({ world, lesson, acts, plan: options.faults ?? planOf([]), restart })
  world.acts = faulted
  await faulted.act()
  const state = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-agent-"))
  if (options.isCooperative) world.agents.join(agent)
  const address = `${options.origin}/sim/worlds/${world.id}`
  const person = `${address}/agents/${agent}`
  program.start({
    url: `${address}/service`,
    person,
    clock: options.isCooperative ? person : undefined,
    task: taskFor(lesson, world.live.session),
    callbackPort: port,
    token: world.live.session.context.directory.agents.get(agent)?.token,
    state
  })
  try {
    const { session } = world.live
    let ended = await untilOver(lesson, world, acts, program, options)
    const endNow = (): LessonEnd => ({
      hasFailed: program.failure !== undefined,
      isBroken: acts.broken !== undefined,
      isTimedOut: ended === silent,
      isAnswerLate: wentOnUnanswered(lesson, world, restartedAt)
    })
    if (options.hasYear === true && verdictOf(judge(lesson, session), endNow()) === "PASS") {
      const stopped = () => stopIn(lesson, world, options)
      ended = await continueForYear({ lesson, world, program, isCooperative: options.isCooperative, stopped })
    }
    const end = endNow()
    const judgement = judge(lesson, session)
    const verdict = verdictOf(judgement, end)
    if (verdict === "UNKNOWN" && end.isAnswerLate === true) ended = late
    const { injected } = faulted
    const seconds = (performance.now() - begun) / 1000
    return { lesson, verdict, judgement, ended, end, session, injected, output: program.output, seconds }
  } finally {
    program.stop()
    worlds.remove(world)
    fs.rmSync(state, { recursive: true, force: true })
  }
}

/** True if the agent sent a request after one for whose answer it had not waited, although it was not lost. */
const wentOnUnanswered = ({ form: { agent } }: Lesson, world: ServedWorld, restartedAt: number): boolean =>
  world.unreadAnswers.some(({ actor, requestedAt }) => {
    if (actor !== agent || requestedAt < restartedAt) return false
    const since = world.live.session.observations.slice(requestedAt)
    return since.filter((one) => one.kind === "request" && one.actor === agent).length > 1
  })

const late =
  "an answer came later than the agent waits, and no fault lost it: give it more seconds, or this machine less work"

const taskFor = ({ form: { task, agent } }: Lesson, session: Session): JsonObject => {
  const { names, agents } = session.context.directory
  const resolved = resolve(task, names)
  // What is subscribed already needs no target.
  const receivers = task.subscription === undefined ? Object.keys(session.opening.given.receivers ?? {}) : []
  const [target] = receivers.map((name) => names.get(name)).filter((named) => isObject(named ?? null))
  return {
    agent,
    ...(isObject(resolved) ? resolved : {}),
    ...(isObject(target ?? null) ? { webhookTarget: (target as JsonObject)["target"] ?? null } : {}),
    hasToken: agents.has(agent)
  }
}

const silent = "no request for too long in real time"

/** Waits until the agent has ended, used its budget, or has nothing left to do; returns the reason. */
const untilOver = async (
  lesson: Lesson,
  world: ServedWorld,
  acts: LessonActs,
  program: ExaminedAgent,
  options: ExamOptions
): Promise<string> => {
  const { agent, budget = {} } = lesson.form
  const { live } = world
  const start = live.session.scheduler.now
  const timeMax = durationInMilliseconds(budget.time ?? "20d")
  let reachedAt: number | undefined
  let judged = -1
  for (;;) {
    const { observations, scheduler } = live.session
    if (program.hasEnded) {
      world.agents.leave(agent)
      return program.failure ?? "the agent ended"
    }
    if (options.isCooperative && !world.agents.takesPart(agent)) return "the agent no longer takes part"
    if (acts.broken !== undefined) return acts.broken.message
    if (scheduler.now - start > timeMax) return `the virtual time of the budget, ${budget.time ?? "20d"}, is used`
    const stopped = stopIn(lesson, world, options)
    if (stopped !== undefined) return stopped
    if (judged !== observations.length && acts.areOver) {
      judged = observations.length
      reachedAt ??= judge(lesson, live.session).progress.length === 0 ? scheduler.now : undefined
    }
    // What must never happen may still happen after everything is reached.
    if (reachedAt !== undefined && scheduler.now - reachedAt > afterwards) return "everything was reached"
    await pause(pollMilliseconds)
  }
}

const afterwards = 3_600_000
const pollMilliseconds = 20

/** The reason why the agent may not go on in a lesson, if there is one. */
const stopIn = (lesson: Lesson, { live, lastActivity }: ServedWorld, { silence }: ExamOptions): string | undefined => {
  const { agent } = lesson.form
  const sent = live.session.observations.filter((one) => one.kind === "request" && one.actor === agent).length
  if (sent > requestsMax(lesson)) return `the ${requestsMax(lesson)} requests of the budget are used`
  return performance.now() - lastActivity > silence * 1000 ? silent : undefined
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
