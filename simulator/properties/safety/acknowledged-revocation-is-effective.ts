/**
 * Linearizable revocation: a revocation, removal, renewal, sign-out (spec 5.3) or end of an assistant (5.7) has taken
 * effect once it is acknowledged; so has a pause or a hand-off, for all agents (spec 3).
 */
import { Credentials, GrantProjects, GrantProposals, Grants } from "../../../src/access/store.ts"
import { CommerceExports, FinancialEvents, RecipientAccounts } from "../../../src/commerce/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import type { Actor } from "../../../src/projects/event.ts"
import { AutomationChanges, Issuances, ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { ProposalAutomationChanges, ProposalEvents } from "../../../src/proposals/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { callerOf } from "../support/caller.ts"
import { type FinancialEvent, parsed } from "../support/commerce.ts"
import { type PropertyViolation, violation, monitoredProperty, type Moment, rowIn, type Rows } from "../property.ts"
import { revokedByResponse, authorityIdsOf } from "../support/revoked-sessions.ts"
import {
  afterResponse,
  afterResume,
  isPaused,
  noRevokedAuthority,
  type RevokedAuthority
} from "../support/revoked-authority.ts"
import { type CommitObservation, hasEffect, rowsWritten, writesTo } from "../support/commits.ts"
import { signedEventOf } from "../support/signed-events.ts"

export const acknowledgedRevocationIsEffective = monitoredProperty<RevokedAuthority>({
  name: "acknowledged revocation is effective",
  kind: "always",
  says: "A revocation, pause, removal, renewal or sign-out has taken effect once it is acknowledged: nothing commits and nothing is sent under the revoked authority.",
  judges: { kinds: ["request", "response", "answer", "commit", "callback"] },
  initial: noRevokedAuthority,
  next: (revoked, moment) => {
    const { observed, rows, request } = moment
    switch (observed.kind) {
      case "request":
        revokedByResponse(moment)
        return revoked
      case "response":
      case "answer":
        return afterResponse(revoked, moment)
      case "commit": {
        if (revoked === noRevokedAuthority) return revoked
        const seen = new CommitCheck(revoked, rows)
        return seen.checkCommit(observed, moment) ?? afterResume(revoked, request)
      }
      case "callback":
        return revoked === noRevokedAuthority
          ? revoked
          : (new CommitCheck(revoked, rows).checkWebhookRequest(
              String(valueAt(observed.headers, "service-delivery-id"))
            ) ?? revoked)
      default:
        return revoked
    }
  }
})

class CommitCheck {
  readonly #revoked: RevokedAuthority
  readonly #rows: Rows

  constructor(revoked: RevokedAuthority, rows: Rows) {
    this.#revoked = revoked
    this.#rows = rows
  }

  checkCommit(commit: CommitObservation, moment: Moment): PropertyViolation | undefined {
    return (
      this.#checkCredential(commit, moment) ??
      this.#checkSession(commit, moment) ??
      this.#checkEvents(commit) ??
      this.#checkJobsAndIssuances(commit) ??
      this.#checkScope(commit) ??
      this.#checkHandOffs(commit) ??
      this.#checkCommerce(commit, moment)
    )
  }

  checkWebhookRequest(deliveryId: string): PropertyViolation | undefined {
    const delivery = rowIn(this.#rows, WebhookDeliveries, [deliveryId])
    const subscription = rowIn(this.#rows, WebhookSubscriptions, [delivery?.subscriptionId ?? ""])
    if (subscription === undefined) return undefined
    const { subscriptionId, grantId, membershipId } = subscription
    const revoked = [subscriptionId, grantId ?? "", membershipId].find((id) => this.#revoked.ended.includes(id))
    return revoked === undefined
      ? undefined
      : violation(`a webhook request of ${subscriptionId} was sent although ${revoked} had ended`)
  }

  /** An agent's request commits under the credential that it presented. */
  #checkCredential(commit: CommitObservation, moment: Moment): PropertyViolation | undefined {
    const credential = callerOf(moment)?.credential
    if (credential === undefined || !hasEffect(commit)) return undefined
    const { grantId, generation } = credential
    const newest = this.#revoked.renewed[grantId] ?? 0
    return generation < newest
      ? violation(`${commit.actor} committed with a replaced credential: generation ${generation} instead of ${newest}`)
      : this.#checkGrant(grantId, `a request of ${commit.actor}`)
  }

  /** Requests of a person in a session, and of an assistant for its task. */
  #checkSession(commit: CommitObservation, moment: Moment): PropertyViolation | undefined {
    const asker = callerOf(moment)
    if (asker === undefined || !hasEffect(commit)) return undefined
    const revoked = authorityIdsOf(asker, this.#rows).find((id) => this.#revoked.ended.includes(id))
    return revoked === undefined
      ? undefined
      : violation(`a request of ${commit.actor} was committed although ${revoked} had ended`)
  }

  #checkGrant(grantId: string, what: string): PropertyViolation | undefined {
    const { membershipId = "" } = rowIn(this.#rows, Grants, [grantId]) ?? {}
    const revoked = [grantId, membershipId].find((id) => this.#revoked.ended.includes(id))
    return revoked === undefined
      ? undefined
      : violation(`${what} was committed under ${grantId} although ${revoked} had ended`)
  }

  #checkEvents(commit: CommitObservation): PropertyViolation | undefined {
    for (const row of rowsWritten(commit, this.#rows, ProjectEvents, "insert")) {
      const found = this.#checkActor(signedEventOf(row).actor, row.projectId, `${row.kind} ${row.sequence}`)
      if (found !== undefined) return found
    }
    for (const row of rowsWritten(commit, this.#rows, ProposalEvents, "insert")) {
      const found = this.#checkActor(signedEventOf(row).actor, row.proposalId, `${row.kind} ${row.sequence}`)
      if (found !== undefined) return found
    }
    return undefined
  }

  #checkActor({ id, organizationId, execution }: Actor, on: string, what: string): PropertyViolation | undefined {
    if (execution === null) return this.#checkPerson(id, organizationId, what)
    return this.#checkGrant(execution.grantId, what) ?? this.#checkPause(on, what)
  }

  /** A removed person may have joined again. */
  #checkPerson(personId: string, organizationId: string, what: string): PropertyViolation | undefined {
    const own = this.#rows
      .of(Memberships)
      .filter((row) => row.personId === personId && row.organizationId === organizationId)
    const isRevoked = own.some(({ membershipId }) => this.#revoked.ended.includes(membershipId))
    return isRevoked && !this.#isMember(personId, organizationId)
      ? violation(`${what} was committed by ${personId} although their membership had ended`)
      : undefined
  }

  #checkPause(id: string, what: string): PropertyViolation | undefined {
    return isPaused(this.#revoked, this.#rows, id)
      ? violation(`${what} was committed for an agent although ${id} was paused`)
      : undefined
  }

  /** Jobs belong to agents only; an issuance request may be a person's, which no pause stops. */
  #checkJobsAndIssuances(commit: CommitObservation): PropertyViolation | undefined {
    for (const { grantId, projectId, state } of rowsWritten(commit, this.#rows, Jobs)) {
      const what = `a job that is ${state}`
      const found = this.#checkGrant(grantId, what) ?? this.#checkPause(projectId, what)
      if (found !== undefined) return found
    }
    if (writesTo(commit, RequestKeys).length === 0) return undefined
    for (const { grantId, projectId } of rowsWritten(commit, this.#rows, Issuances)) {
      const what = "an issuance request"
      const found =
        grantId === null ? undefined : (this.#checkGrant(grantId, what) ?? this.#checkPause(projectId, what))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** An ended authority gets neither credentials nor projects or proposals in scope. */
  #checkScope(commit: CommitObservation): PropertyViolation | undefined {
    const added = [
      ...rowsWritten(commit, this.#rows, Credentials, "insert"),
      ...rowsWritten(commit, this.#rows, GrantProjects, "insert"),
      ...rowsWritten(commit, this.#rows, GrantProposals, "insert")
    ]
    for (const { grantId } of added) {
      const found = this.#checkGrant(grantId, "a credential or an entry in scope")
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A paused agent hands nothing off. */
  #checkHandOffs(commit: CommitObservation): PropertyViolation | undefined {
    const changes = [
      ...rowsWritten(commit, this.#rows, AutomationChanges, "insert").map((row) => ({ ...row, on: row.projectId })),
      ...rowsWritten(commit, this.#rows, ProposalAutomationChanges, "insert").map((row) => ({
        ...row,
        on: row.proposalId
      }))
    ]
    const handOff = changes.find(
      ({ by, on, revision }) => by.startsWith("agent_") && isPaused(this.#revoked, this.#rows, on, revision - 1)
    )
    return handOff === undefined ? undefined : violation(`an agent handed ${handOff.on} off although it was paused`)
  }
  /** Orders are moved, records exported and accounts opened by members in force; the service itself has no actor. */
  #checkCommerce(commit: CommitObservation, moment: Moment): PropertyViolation | undefined {
    for (const row of rowsWritten(commit, this.#rows, FinancialEvents, "insert")) {
      const { kind, sequence, actor } = parsed<FinancialEvent>(row.event)
      const found =
        actor === null
          ? undefined
          : this.#checkPerson(actor.personId, actor.organizationId, `${kind} ${sequence} of ${row.resultOrderId}`)
      if (found !== undefined) return found
    }
    const person = callerOf(moment)?.owner ?? ""
    for (const { projectId, commerceOrderId } of rowsWritten(commit, this.#rows, CommerceExports, "insert")) {
      const { buyerOrganizationId = "", supplierOrganizationId } = rowIn(this.#rows, Projects, [projectId]) ?? {}
      const parties = [buyerOrganizationId, supplierOrganizationId ?? ""]
      if (parties.some((one) => this.#isMember(person, one))) continue
      const what = `the record of ${commerceOrderId}`
      const found = parties.map((one) => this.#checkPerson(person, one, what)).find((one) => one !== undefined)
      if (found !== undefined) return found
    }
    for (const { organizationId } of rowsWritten(commit, this.#rows, RecipientAccounts, "insert")) {
      const found = this.#checkPerson(person, organizationId, `the recipient account of ${organizationId}`)
      if (found !== undefined) return found
    }
    return undefined
  }

  #isMember(personId: string, organizationId: string): boolean {
    return this.#rows
      .of(Memberships)
      .filter((row) => row.personId === personId && row.organizationId === organizationId)
      .some(({ membershipId, endedAt }) => endedAt === null && !this.#revoked.ended.includes(membershipId))
  }
}
