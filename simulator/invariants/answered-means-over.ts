/**
 * Revocation, removal and renewal end access at once (spec 5.3), and so do a sign-out and the end of an assistant (5.7);
 * a pause or a hand-off stops all agents (spec 3).
 */
import { Credentials, GrantProjects, GrantProposals, Grants } from "../../src/access/store.ts"
import { Jobs } from "../../src/jobs/store.ts"
import { Memberships } from "../../src/people/store.ts"
import type { Actor } from "../../src/projects/event.ts"
import { AutomationChanges, Issuances, ProjectEvents } from "../../src/projects/store.ts"
import { ProposalAutomationChanges, ProposalEvents } from "../../src/proposals/store.ts"
import { RequestKeys } from "../../src/replay/store.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { valueAt } from "../script/json.ts"
import { askerOf } from "./support/asker.ts"
import { type Broken, broken, invariant, type Moment, rowIn, type Rows } from "./invariant.ts"
import { endedByAnswer, standsOn } from "./support/over-sessions.ts"
import { afterAnswer, afterResume, isStopped, nothingOver, type Over } from "./support/over.ts"
import { type CommitSeen, hasEffect, rowsWritten, writesTo } from "./support/commits.ts"
import { signedIn } from "./support/signed.ts"

export const answeredMeansOver = invariant<Over>({
  name: "answered means over",
  kind: "always",
  says: "Once a revocation, a pause, a removal, a renewal or a sign-out was answered, nothing commits and no byte leaves under what it ended.",
  begins: nothingOver,
  sees: (over, moment) => {
    const { observed, rows, request } = moment
    switch (observed.kind) {
      case "request":
        endedByAnswer(moment)
        return over
      case "response":
      case "answer":
        return afterAnswer(over, moment)
      case "commit": {
        if (over === nothingOver) return over
        const seen = new Judgement(over, rows)
        return seen.ofCommit(observed, moment) ?? afterResume(over, request)
      }
      case "callback":
        return over === nothingOver
          ? over
          : (new Judgement(over, rows).ofCallback(String(valueAt(observed.headers, "service-delivery-id"))) ?? over)
      default:
        return over
    }
  }
})

class Judgement {
  readonly #over: Over
  readonly #rows: Rows

  constructor(over: Over, rows: Rows) {
    this.#over = over
    this.#rows = rows
  }

  ofCommit(commit: CommitSeen, moment: Moment): Broken | undefined {
    return (
      this.#ofCredential(commit, moment) ??
      this.#ofSession(commit, moment) ??
      this.#ofEvents(commit) ??
      this.#ofWishes(commit) ??
      this.#ofScope(commit) ??
      this.#ofHandOff(commit)
    )
  }

  ofCallback(deliveryId: string): Broken | undefined {
    const delivery = rowIn(this.#rows, WebhookDeliveries, [deliveryId])
    const subscription = rowIn(this.#rows, WebhookSubscriptions, [delivery?.subscriptionId ?? ""])
    if (subscription === undefined) return undefined
    const { subscriptionId, grantId, membershipId } = subscription
    const over = [subscriptionId, grantId ?? "", membershipId].find((id) => this.#over.ended.includes(id))
    return over === undefined ? undefined : broken(`a callback of ${subscriptionId} left although ${over} was over`)
  }

  /** What an agent asks for has an effect under the very credential that it showed. */
  #ofCredential(commit: CommitSeen, moment: Moment): Broken | undefined {
    const credential = askerOf(moment)?.credential
    if (credential === undefined || !hasEffect(commit)) return undefined
    const { grantId, generation } = credential
    const newest = this.#over.renewed[grantId] ?? 0
    return generation < newest
      ? broken(`${commit.actor} had an effect with a credential that was replaced: ${generation} instead of ${newest}`)
      : this.#ofGrant(grantId, `an effect for ${commit.actor}`)
  }

  /** What a person asks for in a session, and an assistant for its task. */
  #ofSession(commit: CommitSeen, moment: Moment): Broken | undefined {
    const asker = askerOf(moment)
    if (asker === undefined || !hasEffect(commit)) return undefined
    const over = standsOn(asker, this.#rows).find((id) => this.#over.ended.includes(id))
    return over === undefined ? undefined : broken(`${commit.actor} had an effect although ${over} was over`)
  }

  #ofGrant(grantId: string, what: string): Broken | undefined {
    const { membershipId = "" } = rowIn(this.#rows, Grants, [grantId]) ?? {}
    const over = [grantId, membershipId].find((id) => this.#over.ended.includes(id))
    return over === undefined ? undefined : broken(`${what} was committed under ${grantId} although ${over} was over`)
  }

  #ofEvents(commit: CommitSeen): Broken | undefined {
    for (const row of rowsWritten(commit, this.#rows, ProjectEvents, "insert")) {
      const found = this.#ofActor(signedIn(row).actor, row.projectId, `${row.kind} ${row.sequence}`)
      if (found !== undefined) return found
    }
    for (const row of rowsWritten(commit, this.#rows, ProposalEvents, "insert")) {
      const found = this.#ofActor(signedIn(row).actor, row.proposalId, `${row.kind} ${row.sequence}`)
      if (found !== undefined) return found
    }
    return undefined
  }

  #ofActor({ id, organizationId, execution }: Actor, on: string, what: string): Broken | undefined {
    if (execution === null) return this.#ofPerson(id, organizationId, what)
    return this.#ofGrant(execution.grantId, what) ?? this.#ofPause(on, what)
  }

  /** Whoever was removed may have joined again. */
  #ofPerson(personId: string, organizationId: string, what: string): Broken | undefined {
    const own = this.#rows
      .of(Memberships)
      .filter((row) => row.personId === personId && row.organizationId === organizationId)
    const isOver = own.some(({ membershipId }) => this.#over.ended.includes(membershipId))
    const isBack = own.some(({ membershipId, endedAt }) => endedAt === null && !this.#over.ended.includes(membershipId))
    return isOver && !isBack
      ? broken(`${what} was committed by ${personId} although their membership was over`)
      : undefined
  }

  #ofPause(id: string, what: string): Broken | undefined {
    return isStopped(this.#over, this.#rows, id)
      ? broken(`${what} was committed for an agent although ${id} was paused`)
      : undefined
  }

  /** Jobs are of agents alone; a wish to have a record issued may be a person's, which no pause stops. */
  #ofWishes(commit: CommitSeen): Broken | undefined {
    for (const { grantId, projectId, state } of rowsWritten(commit, this.#rows, Jobs)) {
      const what = `a job that is ${state}`
      const found = this.#ofGrant(grantId, what) ?? this.#ofPause(projectId, what)
      if (found !== undefined) return found
    }
    if (writesTo(commit, RequestKeys).length === 0) return undefined
    for (const { grantId, projectId } of rowsWritten(commit, this.#rows, Issuances)) {
      const what = "the wish for a record"
      const found = grantId === null ? undefined : (this.#ofGrant(grantId, what) ?? this.#ofPause(projectId, what))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Neither a new token nor anything in scope for what has ended. */
  #ofScope(commit: CommitSeen): Broken | undefined {
    const given = [
      ...rowsWritten(commit, this.#rows, Credentials, "insert"),
      ...rowsWritten(commit, this.#rows, GrantProjects, "insert"),
      ...rowsWritten(commit, this.#rows, GrantProposals, "insert")
    ]
    for (const { grantId } of given) {
      const found = this.#ofGrant(grantId, "a credential or something in scope")
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Where agents stand still, none hands over. */
  #ofHandOff(commit: CommitSeen): Broken | undefined {
    const changes = [
      ...rowsWritten(commit, this.#rows, AutomationChanges, "insert").map((row) => ({ ...row, on: row.projectId })),
      ...rowsWritten(commit, this.#rows, ProposalAutomationChanges, "insert").map((row) => ({
        ...row,
        on: row.proposalId
      }))
    ]
    const handed = changes.find(
      ({ by, on, revision }) => by.startsWith("agent_") && isStopped(this.#over, this.#rows, on, revision - 1)
    )
    return handed === undefined ? undefined : broken(`an agent handed ${handed.on} over although it was paused`)
  }
}
