/**
 * The probe of closures: in a final state, each one that a party can export verifies offline with both halves of its status,
 * encloses the same for all, and is refused, like the Result Package, to every person who passes no gate of it.
 */
import { CommerceOrders, ResultOrders, type ResultOrderRow } from "../../../src/commerce/store.ts"
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import { type Instant, later } from "../../../src/vocabulary/instant.ts"
import { passesGates } from "../../properties/support/record-gate.ts"
import { verifyOffline } from "../../scenario/operations/verify-offline.ts"
import { type Json, valueAt } from "../../vocabulary/json.ts"
import { refusalOf, type WorldFork } from "../world-fork.ts"
import { projectsIn, serviceTimeIn } from "./expected-authorization.ts"
import { decodedText, refutedBy } from "./exported-files.ts"
import { foreignIdsOf } from "./foreign-ids.ts"

/** The violation of a closure, its status or a package that a person can get, in words. */
export const closureViolationIn = (fork: WorldFork, keys: IssuerKeys): string | undefined => {
  const orders = fork.rows.of(ResultOrders)
  if (orders.length === 0) return undefined
  for (const { name, member } of membersWhoReadPayments(fork)) {
    fork.createGiven({ people: { [name]: { name: "Finance", member } } })
    fork.act(name, "signIn")
  }
  for (const order of orders) {
    const wrong = filesViolation(fork, order, keys) ?? gateViolation(fork, order)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** A new member of each organization, who may read payments and nothing else. */
const membersWhoReadPayments = ({ context: { directory } }: WorldFork) =>
  [...directory.organizations.keys()].map((organization) => ({
    name: `financeOf${organization}`,
    member: { [organization]: ["FINANCIAL_READ" as const] }
  }))

const signedIn = ({ context: { directory } }: WorldFork) =>
  [...directory.people].flatMap(([name, { id, session }]) => (session === undefined ? [] : [{ name, id }]))

const issued = /"issuedAt":"([^"]+)"/g

const filesViolation = (fork: WorldFork, order: ResultOrderRow, keys: IssuerKeys): string | undefined => {
  const { resultOrderId } = order
  let first: string | undefined
  for (const { name } of signedIn(fork)) {
    const answer = fork.act(name, "exportClosure", resultOrderId)
    // A refused export is no violation: there may be no attempt yet, and a key may be missing.
    if (answer?.body === undefined || refusalOf(answer) !== undefined) continue
    const what = `the closure of ${resultOrderId} for ${name}`
    const recordDigest = valueAt(answer.body, "body.data.references.commerce.digest") ?? null
    const status = fork.act(name, "readClosureStatus", resultOrderId, { recordDigest })
    const isStated = status?.body !== undefined && refusalOf(status) === undefined
    const wrong = fileProblem(fork, order, keys, answer.body, isStated ? status.body : undefined)
    if (wrong !== undefined) return `${what} ${wrong}`
    const artifacts = JSON.stringify(valueAt(answer.body, "body.data.artifacts"))
    first ??= artifacts
    if (first !== artifacts) return `${what} encloses other bytes than for another person`
  }
  return undefined
}

const fileProblem = (
  fork: WorldFork,
  order: ResultOrderRow,
  keys: IssuerKeys,
  artifact: Json,
  status: Json | undefined
): string | undefined => {
  const text = `${decodedText(artifact)}${decodedText(status ?? null)}`
  // The clock of the service, or the latest statement if that clock was set back.
  const at = [...text.matchAll(issued)].map(([, instant]) => instant as Instant).reduce(later, serviceTimeIn(fork))
  const report = verifyOffline({ artifact, ...(status === undefined ? {} : { status }) }, keys, at)
  const refuted = refutedBy(report)
  if (refuted !== undefined) return refuted
  const foreign = foreignIds(fork, order).find((id) => text.includes(id))
  if (foreign !== undefined) return `contains ${foreign}, which is foreign to it`
  return fork.context.recorder.redact(text) === text ? undefined : "contains a secret"
}

/** Also the ids of other orders and of their attempts. */
const foreignIds = (fork: WorldFork, { projectId, resultOrderId }: ResultOrderRow): ReadonlyArray<string> => {
  const project = projectsIn(fork).find((one) => one.projectId === projectId)
  const others = fork.rows.of(ResultOrders).filter((one) => one.resultOrderId !== resultOrderId)
  const attempts = fork.rows.of(CommerceOrders).filter((one) => one.resultOrderId !== resultOrderId)
  return [
    ...(project === undefined ? [] : foreignIdsOf(fork, project)),
    ...others.map((one) => one.resultOrderId),
    ...attempts.map(({ commerceOrderId }) => commerceOrderId)
  ]
}

const ofOrder = ["exportClosure", "readClosureStatus"]
const ofProject = ["downloadPackage", "downloadBuyerPackage", "downloadSupplierPackage"]

/** Members who only read payments, former representatives and unrelated persons get nothing behind the record gate. */
const gateViolation = (fork: WorldFork, { resultOrderId, projectId }: ResultOrderRow): string | undefined => {
  const requests = [
    ...ofOrder.map((operation) => ({ operation, on: resultOrderId, isOfPayments: true })),
    ...ofProject.map((operation) => ({ operation, on: projectId, isOfPayments: false }))
  ]
  for (const { name, id } of signedIn(fork)) {
    for (const { operation, on, isOfPayments } of requests) {
      if (passesGates(fork.rows, id, { projectId, isOfPayments })) continue
      const refused = refusalOf(fork.act(name, operation, on))
      if (refused !== "FORBIDDEN" && refused !== "NOT_FOUND" && refused !== "AUTH_INVALID") {
        return `${name}, who passes no gate of it, was answered ${refused ?? "200"} to ${operation} of ${on}`
      }
    }
  }
  return undefined
}
