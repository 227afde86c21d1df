/** The SQL of a new epoch: what it invalidates, and rows for a person to check, since revocations made after the backup are lost. */

/** The most rows of a listing that are printed. */
export const listedMax = 1000

/** Their tokens are invalid in the new epoch in any case; these statements make the rows say so. */
export const endStatements = {
  sessions: "update sessions set ended_at = now() where ended_at is null and expires_at > now()",
  // The sweep expires the connections, with the grants that no agent collected.
  connections:
    "update connections set expires_at = now(), due_at = least(due_at, now())" +
    " where state in ('PENDING', 'APPROVED') and expires_at > now()",
  invitations:
    "update invitations set state = 'REVOKED', concluded_at = now() where state = 'OPEN' and expires_at > now()",
  assistants: "update participation_items set credential_hash = null where credential_hash is not null"
} as const

const liveGrant =
  "g.revoked_at is null and g.expires_at > now() and m.ended_at is null and m.valid_until > now()" +
  " and not exists (select from connections c where c.grant_id = g.grant_id and c.state = 'APPROVED')"

const liveGrants = `select g.grant_id from grants g join memberships m using (membership_id) where ${liveGrant}`

/** Each is ordered, so that a truncated list always has the same rows. */
export const listings = {
  /** Each of these needs a renewal or a revocation by its authorizer. */
  grantsToRenew:
    `select g.grant_id as "grantId", g.agent_name as "agentName", g.role, g.person_id as "authorizerId",` +
    ` g.authorizer_name as "authorizerName", g.organization_id as "organizationId", g.created_at as "createdAt",` +
    ` g.expires_at as "expiresAt" from grants g join memberships m using (membership_id) where ${liveGrant}` +
    " order by g.created_at desc, g.grant_id",
  /** Agents can act here under one of these grants: pauses made after the backup are lost. */
  projectsNotPaused:
    `select project_id as "projectId", state, buyer_organization_id as "buyerOrganizationId",` +
    ` supplier_organization_id as "supplierOrganizationId" from projects where pauses = '[]' and exists` +
    ` (select from grant_projects l where l.project_id = projects.project_id and l.grant_id in (${liveGrants}))` +
    " order by last_event_at desc, project_id",
  proposalsNotPaused:
    `select proposal_id as "proposalId", state, organization_id as "organizationId" from proposals` +
    " where pauses = '[]' and exists (select from grant_proposals l where l.proposal_id = proposals.proposal_id" +
    ` and l.grant_id in (${liveGrants})) order by last_event_at desc, proposal_id`,
  sharesOpen:
    `select share_id as "shareId", project_id as "projectId", side, recipient_actor_id as "recipientId",` +
    ` shared_by as "sharedBy", shared_at as "sharedAt" from record_shares where revoked_at is null` +
    " order by shared_at desc, share_id",
  /** Withdrawals made after the backup are lost: these are public again while their projects are confirmed. */
  publicationsPublic:
    `select publication_id as "publicationId", project_id as "projectId", subject_id as "subjectId",` +
    ` buyer_organization_id as "buyerOrganizationId", approved_at as "approvedAt" from publications` +
    " where state = 'PUBLISHED' order by approved_at desc, publication_id",
  /** Payments made after the backup are lost here, and not at the provider: these can be paid a second time. */
  ordersToPay:
    `select o.result_order_id as "resultOrderId", o.project_id as "projectId", o.state,` +
    ` o.buyer_organization_id as "buyerOrganizationId", a.commerce_order_id as "lastAttemptId",` +
    ` a.state as "lastAttemptState" from result_orders o left join lateral` +
    " (select commerce_order_id, state from commerce_orders c where c.result_order_id = o.result_order_id" +
    " order by number desc limit 1) a on true where o.state in ('APPROVED', 'PAYING')" +
    " order by o.offered_at desc, o.result_order_id",
  membershipsInForce:
    `select m.membership_id as "membershipId", m.person_id as "personId", p.name as "personName",` +
    ` m.organization_id as "organizationId", m.valid_until as "validUntil" from memberships m` +
    " join persons p using (person_id) where m.ended_at is null and m.valid_until > now()" +
    " order by m.valid_from desc, m.membership_id",
  callbackSubscriptions:
    `select subscription_id as "subscriptionId", owner, person_id as "personId", created_at as "createdAt",` +
    ` expires_at as "expiresAt" from webhook_subscriptions where revoked_at is null and not is_paused` +
    " and expires_at > now() order by created_at desc, subscription_id"
} as const
