/** Who and what a script has named: the ids behind the names, and what each party knows. */
import type { Kernel } from "./kernel/kernel.ts"
import { Knowledge } from "./operations/knowledge.ts"
import type { Json } from "./script/json.ts"

export interface Person {
  readonly id: string
  /** Membership ids by the name of the organization. */
  readonly memberships: Map<string, string>
}

export interface Agent {
  readonly id: string
  readonly grantId: string
  readonly token: string
  readonly role: string
  readonly personId: string
}

export class Directory {
  readonly organizations = new Map<string, string>()
  readonly people = new Map<string, Person>()
  readonly agents = new Map<string, Agent>()
  /** What `${…}` stands for: ids of those named, and everything kept from answers. */
  readonly names = new Map<string, Json>()
  readonly #knowledge = new Map<string, Knowledge>()
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  addOrganization(name: string, id: string): void {
    this.organizations.set(name, id)
    this.names.set(name, { id })
  }

  addPerson(name: string, id: string): void {
    this.people.set(name, { id, memberships: new Map() })
    this.names.set(name, { id })
  }

  addAgent(name: string, agent: Agent): void {
    this.agents.set(name, agent)
    this.names.set(name, { id: agent.id, grantId: agent.grantId, personId: agent.personId })
    this.#knowledge.delete(name)
  }

  /** What a party has learned so far. Its request ids come from a stream of its own. */
  knowledgeOf(name: string): Knowledge {
    const known = this.#knowledge.get(name)
    if (known !== undefined) return known
    const agent = this.agents.get(name)
    const knowledge = new Knowledge({
      personId: agent?.personId ?? this.people.get(name)?.id ?? null,
      role: agent?.role ?? null,
      uuid: () => this.#kernel.streams.uuid(`request ids of ${name}`)
    })
    this.#knowledge.set(name, knowledge)
    return knowledge
  }
}
