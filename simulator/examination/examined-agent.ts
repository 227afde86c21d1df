/** The agent under examination: a program that the examination starts, or one that is started elsewhere on this machine. */
import type { JsonObject } from "../vocabulary/json.ts"

export interface ExaminedAgent {
  start(environment: AgentEnvironment): void
  /** Ends it as a crash would, and starts it again, unless it has ended. */
  restart(): void
  /** Starts it again, also where it has ended. */
  reboot(): void
  /** Ends it for good. */
  stop(): void
  readonly hasEnded: boolean
  /** The reason if it could not be started or ended with an error. */
  readonly failure: string | undefined
  /** The last part of what it printed. */
  readonly output: string
}

/** What an agent gets from the examination. */
export interface AgentEnvironment {
  /** The address of the service. */
  readonly url: string
  /** Below it are `tell` and `credential`. */
  readonly person: string
  /** Below it is `wait`; without it the agent has no clock of the world. */
  readonly clock: string | undefined
  readonly task: JsonObject
  /** The port on which it may receive webhooks. */
  readonly callbackPort: number
  /** Undefined for an agent that has to connect by a code. */
  readonly token: string | undefined
  /** A folder for what it has to know after a restart. */
  readonly state: string
}

/** By name; undefined for a variable that is absent in this lesson. */
export const variablesOf = ({
  url,
  person,
  clock,
  task,
  callbackPort,
  token,
  state
}: AgentEnvironment): Readonly<Record<string, string | undefined>> => ({
  COUNTERSIGN_URL: url,
  COUNTERSIGN_TASK: JSON.stringify(task),
  COUNTERSIGN_CALLBACK_PORT: String(callbackPort),
  COUNTERSIGN_STATE: state,
  COUNTERSIGN_PERSON: person,
  COUNTERSIGN_CLOCK: clock,
  COUNTERSIGN_TOKEN: token
})
