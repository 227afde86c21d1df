/**
 * What one party has learned from the answers it got, as a client program would keep it. Requests are planned from
 * this alone: a party that does not read again plans from an old head, and is refused.
 */
import { draftStates } from "../../src/drafts/draft.ts"
import { states } from "../../src/projects/project.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../script/json.ts"

/** Who plans: what a program knows about itself before it reads anything. */
export interface Planner {
  readonly personId?: string
  readonly role?: string
  readonly organizationId?: string
}

/** A step leaves out what its actor has not read yet. */
export class NotRead extends Error {
  override readonly name = "NotRead"
}

/** What a party read names a state that it does not know: it plans nothing on it and asks a person (3). */
export class UnknownState extends Error {
  override readonly name = "UnknownState"
}

/** What a client plans on: where a view of it says which one it shows and how that stands. */
interface Kind {
  readonly noun: string
  /** How ids of it begin. */
  readonly prefix: string
  readonly id: string
  readonly state: string
  readonly states: ReadonlyArray<string>
  readonly reading: string
}

const project: Kind = {
  noun: "project",
  prefix: "delivery_",
  id: "project.taskId",
  state: "project.state",
  states,
  reading: "readProject"
}

const kinds: ReadonlyArray<Kind> = [
  project,
  {
    noun: "proposal",
    prefix: "proposal_",
    id: "proposal.id",
    state: "proposal.state",
    states: proposalStates,
    reading: "readProposal"
  },
  { noun: "draft", prefix: "draft_", id: "draftId", state: "state", states: draftStates, reading: "readDraft" }
]

export class Knowledge {
  readonly #uuid: () => string
  readonly #views = new Map<string, JsonObject>()
  readonly #generations = new Map<string, number>()
  readonly #answers = new Map<string, JsonObject>()

  /** `uuid` gives the next request id or nonce. */
  constructor(uuid: () => string) {
    this.#uuid = uuid
  }

  /** Keeps an answer: as the newest of its operation, and as the newest view of what it shows. */
  learn(operation: string, answer: Json): void {
    if (!isObject(answer)) return
    this.#answers.set(operation, answer)
    for (const kind of kinds) {
      const id = valueAt(answer, kind.id)
      if (typeof id === "string") this.#views.set(id, answer)
    }
    const grants = answer["grants"]
    for (const grant of Array.isArray(grants) ? grants : [answer]) this.#learnGrant(grant as Json)
  }

  /** What this party would plan a request about one thing from. */
  planFor(planner: Planner, on: string | undefined): Plan {
    return new Plan(planner, this.#uuid, {
      kind: kinds.find(({ prefix }) => on?.startsWith(prefix)) ?? project,
      view: on === undefined ? undefined : this.#views.get(on),
      generation: on === undefined ? undefined : this.#generations.get(on),
      answers: this.#answers
    })
  }

  takeOver(earlier: Knowledge): void {
    for (const [id, view] of earlier.#views) this.#views.set(id, view)
    for (const [id, generation] of earlier.#generations) this.#generations.set(id, generation)
    for (const [operation, answer] of earlier.#answers) this.#answers.set(operation, answer)
  }

  #learnGrant(grant: Json): void {
    if (!isObject(grant)) return
    const { id, grantId = id, generation } = grant
    if (typeof grantId === "string" && typeof generation === "number") this.#generations.set(grantId, generation)
  }
}

/** What its owner has read that matters here. */
interface Known {
  readonly kind: Kind
  readonly view: JsonObject | undefined
  readonly generation: number | undefined
  readonly answers: ReadonlyMap<string, JsonObject>
}

export class Plan {
  readonly uuid: () => string
  readonly #planner: Planner
  readonly #known: Known

  constructor(planner: Planner, uuid: () => string, known: Known) {
    this.uuid = uuid
    this.#planner = planner
    this.#known = known
  }

  /** The person it acts for: an agent that connected by itself asks who that is. */
  get personId(): Json {
    return this.#planner.personId ?? this.answered("me", "delegatedBy")
  }

  /** A person sees their side in the project itself. */
  get role(): Json {
    return this.#planner.role ?? valueAt(this.#known.view ?? {}, "role") ?? this.answered("me", "role")
  }

  /** The organization of a person who has one, or the workspace they made. */
  get organizationId(): Json {
    const made = valueAt(this.#known.answers.get("makeAccount") ?? {}, "organizationId")
    const organizationId = this.#planner.organizationId ?? made
    if (organizationId === undefined) throw new NotRead("it does not stand for one organization; say which is meant")
    return organizationId
  }

  /** A member of the last answer of an operation. */
  answered(operation: string, path: string): Json {
    const answer = this.#known.answers.get(operation)
    if (answer === undefined) throw new NotRead(`it lacks ${path}; add a ${operation} step before`)
    return valueAt(answer, path) ?? null
  }

  /** How often the grant was renewed, as last seen. */
  readonly generation = (): Json => {
    const { generation } = this.#known
    if (generation === undefined) throw new NotRead("it has not looked at this grant; add a listGrants step before")
    return generation
  }

  /** A member of the last view read; null where the view has none. */
  read(path: string): Json {
    const { view, kind } = this.#known
    if (view === undefined) throw new NotRead(`it has not read this ${kind.noun}; add a ${kind.reading} step before`)
    const state = valueAt(view, kind.state)
    if (!kind.states.some((known) => known === state)) {
      throw new UnknownState(`it read the state ${String(state)}, which it does not know; a person has to look`)
    }
    return valueAt(view, path) ?? null
  }

  /** The current legal documents as a request names them, once they were read. */
  legalContext(): JsonObject {
    const documents = valueAt(this.#known.answers.get("legalConfig") ?? {}, "documents")
    if (!Array.isArray(documents)) return {}
    return { legalContext: { documents: documents.map(withoutAddress) } }
  }

  /** The terms of the agreement last read, as a new one takes them over: with whoever is the supplier now. */
  termsRead(): JsonObject {
    const agreement = this.read("project.agreement")
    if (!isObject(agreement)) return {}
    const { digest: _, version: __, ...terms } = agreement
    const supplierActorId = this.read("project.parties.supplier.actorId")
    return supplierActorId === null ? terms : { ...terms, supplierActorId }
  }

  /** A signature by a click here over what a person was shown, where the agreement asks for that. */
  nativeSignature(shown: string): JsonObject {
    const { view = {} } = this.#known
    if (valueAt(view, "project.agreement.signing.method") !== "NATIVE") return {}
    return { signature: { method: "NATIVE", digest: this.read(shown) } }
  }

  /** The digest of the last confirmation previewed. */
  previewedConfirmation(): JsonObject {
    const digest = valueAt(this.#known.answers.get("confirmationPreview") ?? {}, "confirmation.digest")
    return digest === undefined ? {} : { confirmationDigest: digest }
  }

  /** The digest that the project shows for a decision, where it asks for one. */
  confirmationFor(decision: "respond" | "acceptance" | "issuance"): JsonObject {
    const shown = valueAt(this.#known.view ?? {}, `project.confirmations.${decision}`)
    const digest = isObject(shown) ? shown["digest"] : shown
    return typeof digest === "string" ? { confirmationDigest: digest } : {}
  }

  /** Every file of the current submission, as a reviewer names what was opened. */
  filesOfSubmission(): ReadonlyArray<Json> {
    const items = valueAt(this.#known.view ?? {}, "project.submission.items")
    if (!Array.isArray(items)) return []
    return items.flatMap((item: Json) => {
      const files = isObject(item) ? item["files"] : undefined
      if (!isObject(item) || !Array.isArray(files)) return []
      return files.map((file: Json) => ({
        criterionId: item["criterionId"] ?? null,
        name: valueAt(file, "name") ?? null,
        sha256: valueAt(file, "sha256") ?? null
      }))
    })
  }
}

const withoutAddress = (document: Json): Json => {
  if (!isObject(document)) return document
  const { url: _, ...named } = document
  return named
}
