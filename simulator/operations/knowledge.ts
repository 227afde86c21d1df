/**
 * What one party has learned from the answers it got, as a client program would keep it. Requests are planned from
 * this alone: a party that does not read again plans from an old head, and is refused.
 */
import { isObject, valueAt, type Json, type JsonObject } from "../script/json.ts"

/** Who plans: what a program knows about itself before it reads anything. */
export interface Planner {
  readonly personId: string | null
  readonly role: string | null
  /** The next request id or nonce. */
  readonly uuid: () => string
}

/** A step leaves out what its actor has not read yet. */
export class NotRead extends Error {
  override readonly name = "NotRead"
}

export class Knowledge {
  readonly #planner: Planner
  readonly #projects = new Map<string, JsonObject>()
  readonly #answers = new Map<string, JsonObject>()

  constructor(planner: Planner) {
    this.#planner = planner
  }

  /** Keeps an answer: as the newest of its operation, and as the newest view of the project it shows. */
  learn(operation: string, answer: Json): void {
    if (!isObject(answer)) return
    this.#answers.set(operation, answer)
    const projectId = valueAt(answer, "project.taskId")
    if (typeof projectId === "string") this.#projects.set(projectId, answer)
  }

  /** What this party would plan a request about one project from. */
  planFor(projectId: string | undefined): Plan {
    const view = projectId === undefined ? undefined : this.#projects.get(projectId)
    return new Plan(this.#planner, view, this.#answers)
  }
}

export class Plan {
  readonly personId: string | null
  readonly role: string | null
  readonly uuid: () => string
  readonly #view: JsonObject | undefined
  readonly #answers: ReadonlyMap<string, JsonObject>

  constructor(planner: Planner, view: JsonObject | undefined, answers: ReadonlyMap<string, JsonObject>) {
    this.personId = planner.personId
    this.role = planner.role
    this.uuid = planner.uuid
    this.#view = view
    this.#answers = answers
  }

  /** A member of the last view read; null where the view has none. */
  read(path: string): Json {
    if (this.#view === undefined) throw new NotRead("it has not read this project; add a readProject step before")
    return valueAt(this.#view, path) ?? null
  }

  /** The current legal documents as a request names them, once they were read. */
  legalContext(): JsonObject {
    const documents = valueAt(this.#answers.get("legalConfig") ?? {}, "documents")
    if (!Array.isArray(documents)) return {}
    return { legalContext: { documents: documents.map(withoutAddress) } }
  }

  /** The digest of the last confirmation previewed. */
  previewedConfirmation(): JsonObject {
    const digest = valueAt(this.#answers.get("confirmationPreview") ?? {}, "confirmation.digest")
    return digest === undefined ? {} : { confirmationDigest: digest }
  }

  /** The digest that the project shows for a decision, where it asks for one. */
  confirmationFor(decision: "respond" | "acceptance" | "issuance"): JsonObject {
    const shown = valueAt(this.#view ?? {}, `project.confirmations.${decision}`)
    const digest = isObject(shown) ? shown["digest"] : shown
    return typeof digest === "string" ? { confirmationDigest: digest } : {}
  }

  /** Every file of the current submission, as a reviewer names what was opened. */
  filesOfSubmission(): ReadonlyArray<Json> {
    const items = valueAt(this.#view ?? {}, "project.submission.items")
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
