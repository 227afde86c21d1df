/** Agents that read and write under grants of their own, until a person revokes the grant. */
import { Effect } from "effect"
import { buyerActions, makeAgent } from "../../support/parties.ts"
import { send } from "../../support/service.ts"
import { post } from "../../support/workspace.ts"
import type { Parties } from "../../processes/upgrade/load.ts"

/** The number of refused requests after which a revocation counts as observed on every server. */
const refusalsWanted = 4

export class Revocations {
  acknowledged = 0
  readonly wrong: Array<string> = []
  readonly #parties: Parties
  readonly #agents: ReadonlyArray<RevocableAgent>

  private constructor(parties: Parties, agents: ReadonlyArray<RevocableAgent>) {
    this.#parties = parties
    this.#agents = agents
  }

  static of = Effect.fnUntraced(function* (parties: Parties, count: number) {
    const projectIds = parties.lanes.map(({ projectId }) => projectId)
    const agents = yield* Effect.forEach(Array.from({ length: count }), () =>
      Effect.map(makeAgent(parties.buyer, "BUYER", buyerActions, projectIds), ({ grantId, token }): RevocableAgent => ({
        grantId,
        token,
        isRevoked: false,
        refused: 0
      }))
    )
    return new Revocations(parties, agents)
  })

  /** One revocation after the other, a second apart; ends once each agent was refused repeatedly. */
  get run() {
    const readers = Effect.forEach(this.#agents, (agent) => this.#use(agent), {
      concurrency: "unbounded",
      discard: true
    })
    const person = Effect.forEach(this.#agents, (agent) => Effect.delay(this.#revoke(agent), "1 second"), {
      discard: true
    })
    return Effect.all([readers, person], { concurrency: "unbounded", discard: true })
  }

  #revoke(agent: RevocableAgent) {
    return Effect.gen({ self: this }, function* () {
      const { status, body } = yield* post(this.#parties.buyer, `/grants/${agent.grantId}/revoke`)
      if (status !== 200) this.wrong.push(`a revocation was answered ${status} ${JSON.stringify(body)}`)
      agent.isRevoked = true
      this.acknowledged += 1
    })
  }

  #use(agent: RevocableAgent) {
    return Effect.gen({ self: this }, function* () {
      const { projectId } = this.#parties.lanes[0]!
      while (agent.refused < refusalsWanted && this.wrong.length === 0) {
        const wasRevoked = agent.isRevoked
        const { status } = yield* send("GET", `/api/agents/v1/projects/${projectId}`, { token: agent.token })
        if (status === 401 && agent.isRevoked) agent.refused += 1
        else if (wasRevoked && status === 200)
          this.wrong.push(`${agent.grantId} read after its revocation was acknowledged`)
        else if (status !== 200 && status !== 401) this.wrong.push(`${agent.grantId} was answered ${status}`)
        yield* Effect.sleep("300 millis")
      }
    })
  }
}

interface RevocableAgent {
  readonly grantId: string
  readonly token: string
  isRevoked: boolean
  refused: number
}
