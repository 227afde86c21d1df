/** Commands with idempotency keys, pauses and reads on several projects, and the check that each had its effect once. */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SeededRandom } from "../../../simulator/kernel/seeded-random.ts"
import { now } from "../../../src/vocabulary/instant.ts"
import type { TestInstallation } from "../../support/installation.ts"
import {
  buyerActions,
  confirmAgreement,
  creationInput,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  sendCommand,
  supplierActions,
  uuid
} from "../../support/parties.ts"
import { signInNewPerson } from "../../support/sessions.ts"
import { flawsOf, readEvents } from "../../support/stored-chains.ts"
import { createdBody, post } from "../../support/workspace.ts"
import { createWith, nextCommand, type Lane } from "../arena.ts"

/** Both sides with an agent each, and projects that the supplier has agreed to. */
export const makeParties = Effect.fnUntraced(function* (projects: number) {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* makeParty("Sam")
  const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions)
  const digest = yield* confirmAgreement
  const today = yield* now
  const projectIds = yield* Effect.forEach(Array.from({ length: projects }), () =>
    Effect.map(
      createWith(buyerAgent.token, creationInput(supplier, digest, today)),
      (answer): string => createdBody(answer).project.taskId
    )
  )
  const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, projectIds)
  const lanes = yield* Effect.forEach(projectIds, (projectId) =>
    Effect.gen(function* () {
      const first = yield* readProject(supplierAgent.token, projectId)
      const answer = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(first, { supplier }))
      return { projectId, view: createdBody(answer) } satisfies Lane
    })
  )
  return { buyer, buyerAgent, supplierAgent, lanes }
})

export type Parties = Effect.Success<ReturnType<typeof makeParties>>

export class Load {
  isStopped = false
  /** Acknowledged commands, by project: their idempotency keys. */
  readonly commands = new Map<string, Array<string>>()
  /** Acknowledged pauses and their ends, by project. */
  readonly pauses = new Map<string, number>()
  acknowledged = 0
  readonly wrong: Array<string> = []

  readonly parties: Parties
  readonly #random: SeededRandom

  constructor(parties: Parties, random: SeededRandom) {
    this.parties = parties
    this.#random = random
    for (const { projectId } of parties.lanes) {
      this.commands.set(projectId, [])
      this.pauses.set(projectId, 0)
    }
  }

  /** Runs until it is stopped; one client for each project. */
  get run() {
    return Effect.forEach(this.parties.lanes, (lane) => this.#client(lane), { concurrency: "unbounded", discard: true })
  }

  /** Completes after that many more acknowledged acts. */
  more(acts: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const wanted = this.acknowledged + acts
      return Effect.asVoid(
        Effect.repeat(Effect.sleep(10), { until: () => this.acknowledged >= wanted || this.wrong.length > 0 })
      )
    })
  }

  #client(lane: Lane) {
    return Effect.gen({ self: this }, function* () {
      while (!this.isStopped) {
        const drawn = this.#random.below(8)
        if (drawn === 0) yield* this.#pause(lane)
        else if (drawn === 1 || this.commands.get(lane.projectId)!.length >= eventsMax) yield* this.#read(lane)
        else yield* this.#command(lane)
        yield* Effect.sleep(50 + this.#random.below(100))
      }
    })
  }

  #command(lane: Lane) {
    return Effect.gen({ self: this }, function* () {
      const { token, operation, body } = nextCommand(this.parties, lane)
      const answer = yield* sendCommand(token, lane.projectId, operation, body)
      if (answer.status !== 200) return this.#unexpected(operation, answer)
      lane.view = answer.body
      this.commands.get(lane.projectId)!.push(body.input.requestId)
      this.acknowledged += 1
    })
  }

  /** While the project is paused a command of either agent is refused. */
  #pause(lane: Lane) {
    return Effect.gen({ self: this }, function* () {
      for (const act of ["pause", "resume"] as const) {
        const body = { requestId: uuid(), reason: "To look at it." }
        const answer = yield* post(this.parties.buyer, `/projects/${lane.projectId}/${act}`, body)
        if (answer.status !== 200) return this.#unexpected(act, answer)
        this.pauses.set(lane.projectId, this.pauses.get(lane.projectId)! + 1)
        this.acknowledged += 1
        if (act === "resume") break
        const { token, operation, body: command } = nextCommand(this.parties, lane)
        const refused = yield* sendCommand(token, lane.projectId, operation, command)
        if (refused.status !== 409) this.#unexpected(`${operation} of a paused project`, refused)
      }
      yield* this.#read(lane)
    })
  }

  #read(lane: Lane) {
    return Effect.gen({ self: this }, function* () {
      const view = yield* readProject(this.parties.buyerAgent.token, lane.projectId)
      if (view.project?.headEventHash !== lane.view.project.headEventHash) {
        this.wrong.push(
          `a read of ${lane.projectId} lacks the acknowledged head: ${JSON.stringify(view).slice(0, 200)}`
        )
      }
      lane.view = view
    })
  }

  #unexpected(act: string, { status, body }: { readonly status: number; readonly body: unknown }): void {
    this.wrong.push(`${act} was answered ${status} ${JSON.stringify(body)}`)
  }
}

/** Below the limit of events of one project, with its creation and the supplier's response. */
const eventsMax = 90

/** What is stored against what was acknowledged. */
export const checkEffects = Effect.fnUntraced(function* ({ connection, publicJwk }: TestInstallation, load: Load) {
  const session = yield* Effect.orDie(PgConnection.make(connection))
  const wrong: Array<string> = []
  for (const { projectId } of load.parties.lanes) {
    const [row] = yield* Effect.orDie(
      session.queryValues(
        "select head_event_hash, agreement_digest, (select count(*) from automation_changes c where c.project_id = p.project_id)" +
          " from projects p where project_id = $1",
        [PgTypes.text(projectId)]
      )
    )
    const [head, digest, changes] = row!
    const events = yield* readEvents(session, "project", projectId)
    wrong.push(...flawsOf(events, publicJwk, String(digest)))
    if (events.at(-1)?.hash !== head) wrong.push(`the row of ${projectId} does not end with its chain`)
    const stored = events.slice(2).map(({ payload }) => String(payload.requestId))
    const acknowledged = load.commands.get(projectId)!
    if (JSON.stringify(stored) !== JSON.stringify(acknowledged)) {
      wrong.push(`${projectId} has ${stored.length} commands, ${acknowledged.length} were acknowledged`)
    }
    if (Number(changes) !== load.pauses.get(projectId)) {
      wrong.push(`${projectId} has ${changes} pauses and ends, ${load.pauses.get(projectId)} were acknowledged`)
    }
  }
  return wrong
})
