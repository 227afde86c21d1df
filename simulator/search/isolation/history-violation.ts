/**
 * The probe of closures with history: in a final state, with each passport of a recorded reference, each order and each
 * project as the next agreement, a person who passes both gates gets a file that verifies offline or the refusal that the
 * history does not hold, and everyone else a refusal that tells nothing of the next agreement.
 */
import { HistoryReferences } from "../../../src/closure/store.ts"
import { ResultOrders } from "../../../src/commerce/store.ts"
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import { type Instant, later } from "../../../src/vocabulary/instant.ts"
import { bodyOf } from "../../properties/support/caller.ts"
import { passesGates } from "../../properties/support/record-gate.ts"
import { verifyOffline } from "../../scenario/operations/verify-offline.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { refusalOf, type WorldFork } from "../world-fork.ts"
import { projectsIn, serviceTimeIn } from "./expected-authorization.ts"
import { refutedBy } from "./exported-files.ts"

/** The violation of a closure with history that a person can get, in words. */
export const historyViolationIn = (fork: WorldFork, keys: IssuerKeys): string | undefined => {
  const referred = new Set(fork.rows.of(HistoryReferences).map(({ projectId }) => projectId))
  if (referred.size === 0) return undefined
  for (const passport of passportsIn(fork)) {
    for (const requested of requestsIn(fork, passport)) {
      const wrong = violationOf(fork, keys, requested, referred.has(requested.nextTaskId))
      if (wrong !== undefined) {
        const { name, resultOrderId, nextTaskId } = requested
        return `${name} requested the closure of ${resultOrderId} with the history of ${nextTaskId}, and ${wrong}`
      }
    }
  }
  return undefined
}

/** The passports with which references were requested. */
const passportsIn = ({ context: { recorder } }: WorldFork): ReadonlyArray<JsonObject> => {
  const passports = recorder.observations.flatMap((observed) => {
    if (observed.kind !== "request" || !observed.path.endsWith("/history-reference")) return []
    const passport = valueAt(bodyOf(observed) ?? null, "passport")
    return isObject(passport) ? [passport] : []
  })
  return [...new Map(passports.map((passport) => [JSON.stringify(passport), passport])).values()]
}

interface Requested {
  readonly name: string
  readonly id: string
  readonly resultOrderId: string
  readonly projectId: string
  readonly nextTaskId: string
  readonly passport: JsonObject
}

const requestsIn = (fork: WorldFork, passport: JsonObject): ReadonlyArray<Requested> =>
  [...fork.context.directory.people].flatMap(([name, { id, session }]) =>
    session === undefined
      ? []
      : fork.rows.of(ResultOrders).flatMap(({ resultOrderId, projectId }) =>
          projectsIn(fork).map((next) => ({
            name,
            id,
            resultOrderId,
            projectId,
            nextTaskId: next.projectId,
            passport
          }))
        )
  )

const violationOf = (
  fork: WorldFork,
  keys: IssuerKeys,
  { name, id, resultOrderId, projectId, nextTaskId, passport }: Requested,
  hasReference: boolean
): string | undefined => {
  const request = (file: JsonObject) =>
    fork.act(name, "exportClosureWithHistory", resultOrderId, { passport: file, nextTaskId })
  const answer = request(passport)
  const refused = refusalOf(answer)
  if (!passesGates(fork.rows, id, { projectId, isOfPayments: true, nextProjectId: nextTaskId })) {
    // A passport that is none of this service's, with a summary in the place of its manifest.
    const broken = { ...passport, manifest: valueAt(passport, "summaries.0") ?? "" }
    const refusals = [refused, refusalOf(request(broken))]
    const shown = refusals.find((code) => !hidden.has(code))
    return refusals.every((code) => hidden.has(code))
      ? undefined
      : `passes no gate of it and was answered ${shown ?? "200"}`
  }
  if (answer?.body === undefined || refused !== undefined) return undefined
  return hasReference ? fileProblem(fork, keys, answer.body) : "got a file, although that agreement has no history"
}

/** What says nothing of the next agreement. */
const hidden: ReadonlySet<string | undefined> = new Set(["FORBIDDEN", "NOT_FOUND", "AUTH_INVALID"])

const fileProblem = (fork: WorldFork, keys: IssuerKeys, artifact: Json): string | undefined => {
  const issuedAt = valueAt(artifact, "body.issuedAt")
  const at = later(serviceTimeIn(fork), (typeof issuedAt === "string" ? issuedAt : serviceTimeIn(fork)) as Instant)
  const refuted = refutedBy(verifyOffline({ artifact }, keys, at))
  return refuted === undefined ? undefined : `got a file that ${refuted}`
}
