/**
 * The client state of one actor: the answers it received. Requests are planned from this state alone, so an actor that
 * does not read again sends a stale head and is refused.
 */
import { orderStates } from "../../src/commerce/moves.ts"
import { draftStates } from "../../src/drafts/draft.ts"
import { states } from "../../src/projects/project.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"

/** The identity of a client, known before it reads anything. */
export interface ClientIdentity {
  readonly personId?: string
  readonly role?: string
  readonly organizationId?: string
}

/** A step omits a member whose default its actor has not read yet. */
export class MissingClientState extends Error {
  override readonly name = "NotRead"
}

/** The view read has an unknown state: the client sends no request and asks a person (3). */
export class UnknownState extends Error {
  override readonly name = "UnknownState"
}

/** A kind of aggregate: the paths of id and state in its view. */
interface Kind {
  readonly noun: string
  /** The prefix of its ids. */
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
  {
    noun: "Result Order",
    prefix: "order_",
    id: "resultOrderId",
    state: "state",
    states: orderStates,
    reading: "readResultOrder"
  },
  { noun: "draft", prefix: "draft_", id: "draftId", state: "state", states: draftStates, reading: "readDraft" }
]

export class ClientState {
  readonly #uuid: () => string
  readonly #views = new Map<string, JsonObject>()
  readonly #generations = new Map<string, number>()
  /** The digest of each publication that the actor has read, by its id. */
  readonly #publications = new Map<string, string>()
  readonly #answers = new Map<string, JsonObject>()

  /** `uuid` returns the next request id or nonce. */
  constructor(uuid: () => string) {
    this.#uuid = uuid
  }

  /** Stores an answer as the latest of its operation, and as the latest view of its aggregate. */
  learn(operation: string, answer: Json): void {
    if (!isObject(answer)) return
    this.#answers.set(operation, answer)
    const { resultOrders } = answer
    for (const view of [answer, ...(Array.isArray(resultOrders) ? resultOrders.filter(isObject) : [])]) {
      this.#learnView(view)
    }
    const grants = answer["grants"]
    for (const grant of Array.isArray(grants) ? grants : [answer]) this.#learnGrant(grant as Json)
    const { publications } = answer
    for (const one of Array.isArray(publications) ? publications : [answer]) this.#learnPublication(one as Json)
  }

  /** The plan of a request about one target. */
  planFor(planner: ClientIdentity, on: string | undefined): RequestPlan {
    return new RequestPlan(planner, this.#uuid, {
      kind: kinds.find(({ prefix }) => on?.startsWith(prefix)) ?? project,
      view: on === undefined ? undefined : this.#views.get(on),
      generation: on === undefined ? undefined : this.#generations.get(on),
      // The id of a publication follows that of its project.
      publicationDigest: this.#publications.get(on?.split("/").at(-1) ?? ""),
      answers: this.#answers
    })
  }

  copyFrom(earlier: ClientState): void {
    for (const [id, view] of earlier.#views) this.#views.set(id, view)
    for (const [id, generation] of earlier.#generations) this.#generations.set(id, generation)
    for (const [id, digest] of earlier.#publications) this.#publications.set(id, digest)
    for (const [operation, answer] of earlier.#answers) this.#answers.set(operation, answer)
  }

  #learnView(view: JsonObject): void {
    for (const kind of kinds) {
      const id = valueAt(view, kind.id)
      if (typeof id === "string") this.#views.set(id, view)
    }
  }

  #learnGrant(grant: Json): void {
    if (!isObject(grant)) return
    const { id, grantId = id, generation } = grant
    if (typeof grantId === "string" && typeof generation === "number") this.#generations.set(grantId, generation)
  }

  #learnPublication(publication: Json): void {
    if (!isObject(publication)) return
    const { publicationId, publicationDigest } = publication
    if (typeof publicationId === "string" && typeof publicationDigest === "string")
      this.#publications.set(publicationId, publicationDigest)
  }
}

/** The client state that is relevant to one target. */
interface TargetState {
  readonly kind: Kind
  readonly view: JsonObject | undefined
  readonly generation: number | undefined
  readonly publicationDigest: string | undefined
  readonly answers: ReadonlyMap<string, JsonObject>
}

export class RequestPlan {
  readonly uuid: () => string
  readonly #planner: ClientIdentity
  readonly #state: TargetState

  constructor(planner: ClientIdentity, uuid: () => string, state: TargetState) {
    this.uuid = uuid
    this.#planner = planner
    this.#state = state
  }

  /** The person the client acts for; an agent that connected by itself reads it from `me`. */
  get personId(): Json {
    return this.#planner.personId ?? this.lastAnswer("me", "delegatedBy")
  }

  /** A person reads their side from the project view. */
  get role(): Json {
    return this.#planner.role ?? valueAt(this.#state.view ?? {}, "role") ?? this.lastAnswer("me", "role")
  }

  /** The only organization of a person, or the account they created. */
  get organizationId(): Json {
    const created = valueAt(this.#state.answers.get("makeAccount") ?? {}, "organizationId")
    const organizationId = this.#planner.organizationId ?? created
    if (organizationId === undefined)
      throw new MissingClientState("the actor does not act for exactly one organization; name it in the input")
    return organizationId
  }

  /** A member of the latest answer of an operation. */
  lastAnswer(operation: string, path: string): Json {
    const answer = this.#state.answers.get(operation)
    if (answer === undefined)
      throw new MissingClientState(`the actor has not read ${path}; add a ${operation} step before`)
    return valueAt(answer, path) ?? null
  }

  /** The generation of the grant last read. */
  readonly generation = (): Json => {
    const { generation } = this.#state
    if (generation === undefined)
      throw new MissingClientState("the actor has not read this grant; add a listGrants step before")
    return generation
  }

  /** The digest of the publication last read. */
  readonly publicationDigest = (): Json => {
    const { publicationDigest } = this.#state
    if (publicationDigest === undefined)
      throw new MissingClientState("the actor has not read this publication; add a listPublications step before")
    return publicationDigest
  }

  /** All publications of the list of a supplier last read, as a request selects them. */
  readonly listedSelections = (): Json => {
    const listed = this.lastAnswer("listDisclosedPublications", "publications")
    return (Array.isArray(listed) ? listed : []).filter(isObject).map((one: JsonObject) => ({
      publicationId: one["publicationId"] ?? null,
      publicationDigest: one["publicationDigest"] ?? null
    }))
  }

  /** A member of the latest view; null if absent. */
  read(path: string): Json {
    const { view, kind } = this.#state
    if (view === undefined)
      throw new MissingClientState(`the actor has not read this ${kind.noun}; add a ${kind.reading} step before`)
    const state = valueAt(view, kind.state)
    if (!kind.states.some((known) => known === state)) {
      throw new UnknownState(`the actor read the unknown state ${String(state)}; a person must decide`)
    }
    return valueAt(view, path) ?? null
  }

  /** The current legal documents as a request names them; empty if not read yet. */
  legalContext(): JsonObject {
    const documents = valueAt(this.#state.answers.get("legalConfig") ?? {}, "documents")
    if (!Array.isArray(documents)) return {}
    return { legalContext: { documents: documents.map(withoutAddress) } }
  }

  /** The terms of the agreement last read, with its current supplier, as defaults of a new agreement. */
  lastTerms(): JsonObject {
    const agreement = this.read("project.agreement")
    if (!isObject(agreement)) return {}
    const { digest: _, version: __, ...terms } = agreement
    const supplierActorId = this.read("project.parties.supplier.actorId")
    return supplierActorId === null ? terms : { ...terms, supplierActorId }
  }

  /** A native signature over the digest at `path`, if the agreement requires one. */
  nativeSignature(path: string): JsonObject {
    const { view = {} } = this.#state
    if (valueAt(view, "project.agreement.signing.method") !== "NATIVE") return {}
    return { signature: { method: "NATIVE", digest: this.read(path) } }
  }

  /** The digest of the latest confirmation preview. */
  previewedConfirmation(): JsonObject {
    const digest = valueAt(this.#state.answers.get("confirmationPreview") ?? {}, "confirmation.digest")
    return digest === undefined ? {} : { confirmationDigest: digest }
  }

  /** The confirmation digest that the project view has for a decision; empty if it requires none. */
  confirmationFor(decision: "respond" | "acceptance" | "issuance"): JsonObject {
    const confirmation = valueAt(this.#state.view ?? {}, `project.confirmations.${decision}`)
    const digest = isObject(confirmation) ? confirmation["digest"] : confirmation
    return typeof digest === "string" ? { confirmationDigest: digest } : {}
  }

  /** All files of the current submission, as a reviewer lists the checked files. */
  filesOfSubmission(): ReadonlyArray<Json> {
    const items = valueAt(this.#state.view ?? {}, "project.submission.items")
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
