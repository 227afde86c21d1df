/** The probe of Result Orders: each person can do what its view lists, and nothing else, also where it may not read. */
import { ResultOrders } from "../../../src/commerce/store.ts"
import { ResultRecords } from "../../../src/records/store.ts"
import { rowIn, rowsWithPrefix } from "../../properties/property.ts"
import { digestOf, eventsOf, termsOf } from "../../properties/support/commerce.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { refusalOf, type WorldFork } from "../world-fork.ts"
import { projectsIn } from "./expected-authorization.ts"

/** One act that a person tried, and what came of it. */
export interface TriedAction {
  readonly name: string
  readonly operation: string
  readonly act: string
  readonly on: string
  readonly isListed: boolean
  readonly refused: string | undefined
}

export const triedOrderActions = (fork: WorldFork): ReadonlyArray<TriedAction> =>
  [...fork.context.directory.people].flatMap(([name, { session }]) =>
    session === undefined
      ? []
      : [
          ...projectsIn(fork).flatMap(({ projectId }) => triedOffers(fork, name, projectId)),
          ...fork.rows.of(ResultOrders).flatMap(({ resultOrderId }) => triedCommands(fork, name, resultOrderId))
        ]
  )

const commands = [
  { act: "APPROVE_RESULT_ORDER", operation: "approveResultOrder", input: {} },
  { act: "DECLINE_RESULT_ORDER", operation: "declineResultOrder", input: { reason: "Tried." } },
  { act: "WITHDRAW_RESULT_ORDER", operation: "withdrawResultOrder", input: { reason: "Tried." } },
  { act: "PAY_RESULT_ORDER", operation: "payResultOrder", input: {} }
] as const

const triedCommands = (fork: WorldFork, name: string, on: string): ReadonlyArray<TriedAction> => {
  const listed = listedIn(viewOf(fork, name, "readResultOrder", on))
  return commands.map(({ act, operation, input: more }) => {
    const input = { ...preconditionsOf(fork, on), ...more }
    return {
      name,
      operation,
      act,
      on,
      isListed: listed.includes(act),
      refused: tried(fork, name, operation, on, input)
    }
  })
}

/** Of the current record, as a party names it. */
const triedOffers = (fork: WorldFork, name: string, on: string): ReadonlyArray<TriedAction> => {
  const record = rowsWithPrefix(fork.rows, ResultRecords, [on]).at(-1)
  const project = viewOf(fork, name, "readOwnProject", on)
  if (record === undefined || project === undefined) return []
  const [act, operation] = ["OFFER_RESULT_ORDER", "offerResultOrder"]
  const listed = listedIn(viewOf(fork, name, "listProjectResultOrders", on))
  const input = { recordId: record.recordId, currency: "EUR", amountMinor: 100 }
  const refused = tried(fork, name, operation, on, input)
  // Neither the provider nor the account is asked for a hint.
  const isUnasked = refused === "RECIPIENT_NOT_PAYABLE"
  return isUnasked ? [] : [{ name, operation, act, on, isListed: listed.includes(act), refused }]
}

/** The terms and the head as they are, also for a person who may not read them. */
const preconditionsOf = ({ rows }: WorldFork, resultOrderId: string): JsonObject => {
  const order = rowIn(rows, ResultOrders, [resultOrderId])!
  const head = eventsOf(rows, resultOrderId).at(-1)?.hash ?? ""
  return { termsDigest: digestOf(termsOf(order)), financialHead: head }
}

const viewOf = (fork: WorldFork, name: string, reading: string, on: string): JsonObject | undefined => {
  const answer = fork.act(name, reading, on)
  return refusalOf(answer) === undefined && isObject(answer?.body) ? answer.body : undefined
}

const tried = (fork: WorldFork, name: string, operation: string, on: string, input: JsonObject) =>
  fork.withRollback(() => refusalOf(fork.act(name, operation, on, input)))

const listedIn = (view: JsonObject | undefined): ReadonlyArray<Json> => {
  const list = view === undefined ? undefined : valueAt(view, "availableActions")
  return Array.isArray(list) ? list : []
}
