/**
 * The probe of Commerce Records: in a final state, each one that a party can export verifies offline with its status, and is
 * the same for all.
 */
import { CommerceOrders } from "../../../src/commerce/store.ts"
import { Organizations } from "../../../src/people/store.ts"
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import { type Instant, later } from "../../../src/vocabulary/instant.ts"
import { bindingOf } from "../../properties/support/commerce.ts"
import { verifyOffline } from "../../scenario/operations/verify-offline.ts"
import { refusalOf, type WorldFork } from "../world-fork.ts"
import { projectsIn, serviceTimeIn } from "./expected-authorization.ts"
import { decodedText, refutedBy } from "./exported-files.ts"

const issued = /"issuedAt":"([^"]+)"/g

/** The violation of a Commerce Record that a person can export, in words. */
export const commerceRecordViolationIn = (fork: WorldFork, keys: IssuerKeys): string | undefined => {
  for (const attempt of fork.rows.of(CommerceOrders)) {
    const { commerceOrderId, projectId } = attempt
    let first: string | undefined
    for (const [actor, { session }] of fork.context.directory.people) {
      const answer = session === undefined ? undefined : fork.act(actor, "exportCommerceRecord", commerceOrderId)
      // A refused export is no violation: a person may have no authority, and a key may be missing.
      if (answer?.body === undefined || refusalOf(answer) !== undefined) continue
      const text = decodedText(answer.body)
      const status = fork.act(actor, "readCommerceStatus", commerceOrderId)
      const beside = status?.body === undefined || refusalOf(status) !== undefined ? {} : { status: status.body }
      const at = [...`${text}${decodedText(status?.body ?? null)}`.matchAll(issued)].map(
        ([, instant]) => instant as Instant
      )
      const report = verifyOffline({ artifact: answer.body, ...beside }, keys, at.reduce(later, serviceTimeIn(fork)))
      const refuted = refutedBy(report)
      const what = `the Commerce Record of ${commerceOrderId} for ${actor}`
      if (refuted !== undefined) return `${what} ${refuted}`
      const foreign = foreignIdsOf(fork, projectId, bindingOf(attempt)).find((id) => text.includes(id))
      if (foreign !== undefined) return `${what} contains ${foreign}, which is foreign to it`
      if (fork.context.recorder.redact(text) !== text) return `${what} contains a secret`
      first ??= text
      if (first !== text) return `${what} has other bytes than for another person`
    }
  }
  return undefined
}

/** The ids of persons, and of organizations and projects that are no part of the order. */
const foreignIdsOf = (
  fork: WorldFork,
  projectId: string,
  { buyerScope, recipientScope }: { readonly buyerScope: string; readonly recipientScope: string }
): ReadonlyArray<string> => [
  ...[...fork.context.directory.people.values()].map(({ id }) => id),
  ...projectsIn(fork)
    .map((one) => one.projectId)
    .filter((id) => id !== projectId),
  ...fork.rows
    .of(Organizations)
    .map(({ organizationId }) => organizationId)
    .filter((id) => id !== buyerScope && id !== recipientScope)
]
