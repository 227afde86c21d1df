/** The names of a scenario with their ids, and the client state of each actor. */
import type { Identity } from "../../src/ports/sign-in.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"
import { ClientState, type RequestPlan, type ClientIdentity } from "./client-state.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"

export interface Person {
  readonly id: string
  /** The identity that the identity provider proves. */
  readonly identity: Omit<Identity, "authenticatedAt">
  /** The identity provider, if it is not the world's default. */
  readonly provider: string | undefined
  /** Membership ids by organization name. */
  readonly memberships: Map<string, string>
  /** The session token in this person's cookie, also after the session has ended. */
  session: string | undefined
}

export interface Agent {
  readonly id: string
  readonly grantId: string
  readonly token: string
  /** Absent if the agent connected by itself: then the service reports its role and person. */
  readonly role?: string
  readonly personId?: string
}

export class NameRegistry {
  readonly organizations = new Map<string, string>()
  readonly people = new Map<string, Person>()
  readonly agents = new Map<string, Agent>()
  /** The values of `${…}`: ids of named entities, and values kept from responses. */
  readonly names = new Map<string, Json>()
  /** The agents by every token that was issued to them, also after a renewal. */
  readonly #holders = new Map<string, string>()
  readonly #knowledge = new Map<string, ClientState>()
  readonly #scheduler: VirtualScheduler

  constructor(scheduler: VirtualScheduler) {
    this.#scheduler = scheduler
  }

  addOrganization(name: string, id: string): void {
    this.organizations.set(name, id)
    this.names.set(name, { id })
  }

  addPerson(name: string, id: string, identity: Person["identity"], provider?: string): void {
    this.people.set(name, { id, identity, provider, memberships: new Map(), session: undefined })
    this.names.set(name, { id })
  }

  /** Sets an agent's identity and current token. */
  addAgent(name: string, agent: Agent): void {
    this.agents.set(name, agent)
    this.#holders.set(agent.token, name)
    const { id, grantId, personId } = agent
    this.names.set(name, { id, grantId, ...(personId === undefined ? {} : { personId }) })
  }

  /** The agent to which a token was issued. */
  agentWithToken(token: string): string | undefined {
    return this.#holders.get(token)
  }

  /** Sets the user code that a client shows to its person. */
  setUserCode(name: string, userCode: string): void {
    const known = this.names.get(name)
    this.names.set(name, { ...(isObject(known ?? null) ? (known as JsonObject) : {}), userCode })
  }

  nameOfOrganization(id: string): string | undefined {
    return [...this.organizations].find(([, known]) => known === id)?.[0]
  }

  /** The client state of an actor, with a random stream of its own for request ids. */
  clientStateOf(name: string): ClientState {
    const known = this.#knowledge.get(name)
    if (known !== undefined) return known
    const knowledge = new ClientState(() => this.#scheduler.streams.uuid(`request ids of ${name}`))
    this.#knowledge.set(name, knowledge)
    return knowledge
  }

  /** Copies the state of an earlier registry, without sharing mutable state. */
  copyStateFrom(earlier: NameRegistry): void {
    for (const [name, id] of earlier.organizations) this.organizations.set(name, id)
    for (const [name, person] of earlier.people) {
      this.people.set(name, { ...person, memberships: new Map(person.memberships) })
    }
    for (const [name, agent] of earlier.agents) this.agents.set(name, agent)
    for (const [token, name] of earlier.#holders) this.#holders.set(token, name)
    for (const [name, value] of earlier.names) this.names.set(name, value)
    for (const [name, knowledge] of earlier.#knowledge) this.clientStateOf(name).copyFrom(knowledge)
  }

  planFor(name: string, on: string | undefined): RequestPlan {
    return this.clientStateOf(name).planFor(this.#plannerOf(name), on)
  }

  #plannerOf(name: string): ClientIdentity {
    const agent = this.agents.get(name)
    if (agent !== undefined) return agent
    const person = this.people.get(name)
    if (person === undefined) return {}
    const [organization, another] = person.memberships.keys()
    const isOne = organization !== undefined && another === undefined
    const organizationId = isOne ? this.organizations.get(organization) : undefined
    return { personId: person.id, ...(organizationId === undefined ? {} : { organizationId }) }
  }
}
