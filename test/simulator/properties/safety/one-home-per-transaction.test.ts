import { assert, describe, it } from "@effect/vitest"
import { AuthorityEvents, Connections, GrantProjects, GrantProposals, Grants } from "../../../../src/access/store.ts"
import { JobEnvelopes, Jobs } from "../../../../src/jobs/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { ProjectEvents, Projects } from "../../../../src/projects/store.ts"
import { ProposalEvents, Proposals } from "../../../../src/proposals/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { WebhookDeliveries, WebhookListeners, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { oneHomePerTransaction } from "../../../../simulator/properties/safety/one-home-per-transaction.ts"
import { type Change, put, remove, SyntheticRun } from "../../support/synthetic-run.ts"

const buyer = "org_buyer"
const supplier = "org_supplier"
const other = "org_other"

const project = put(Projects, { projectId: "delivery_1", buyerOrganizationId: buyer, supplierOrganizationId: supplier })
const proposal = put(Proposals, { proposalId: "proposal_1", organizationId: supplier })
const grantOf = (organizationId: string) => put(Grants, { grantId: `grant_${organizationId}`, organizationId })
const membershipOf = (organizationId: string) =>
  put(Memberships, { membershipId: `membership_${organizationId}`, organizationId })
const subscriptionOf = (organizationId: string) =>
  put(WebhookSubscriptions, {
    subscriptionId: `subscription_${organizationId}`,
    membershipId: `membership_${organizationId}`
  })

const event = put(ProjectEvents, { projectId: "delivery_1", sequence: 2 })
const requestKey = put(RequestKeys, { owner: "grant_org_supplier", requestId: "request_1" })
const linked = (organizationId: string): ReadonlyArray<Change> => [
  grantOf(organizationId),
  put(GrantProjects, { grantId: `grant_${organizationId}`, projectId: "delivery_2" }),
  put(AuthorityEvents, { grantId: `grant_${organizationId}`, sequence: 1 })
]

const world = () =>
  new SyntheticRun(oneHomePerTransaction).holds(
    project,
    proposal,
    ...[buyer, supplier, other].flatMap((one) => [grantOf(one), membershipOf(one), subscriptionOf(one)])
  )

const violationOf = (...changes: ReadonlyArray<Change>) => world().commits("scout", ...changes).violation

describe("one home per transaction", () => {
  it("A command on a project writes rows of the buyer's organization, also for the supplier", () => {
    assert.isUndefined(violationOf(project, event, requestKey))
  })

  it("A command on a project that also writes the supplier's grant is a violation", () => {
    const words = violationOf(project, event, grantOf(supplier))
    assert.strictEqual(
      words,
      `one transaction wrote rows of 2 organizations: projects of ${buyer}, grants of ${supplier}`
    )
    assert.isUndefined(violationOf(project, event, grantOf(buyer)))
  })

  it("Rows of global tables do not count", () => {
    assert.isUndefined(violationOf(put(Connections, { connectionId: "connection_1" }), grantOf(supplier)))
  })

  it("A removed row counts with the home that it had", () => {
    assert.match(violationOf(remove(Grants, { grantId: `grant_${supplier}` }), event) ?? "", /2 organizations/)
  })

  it("A row that changes its organization is a violation", () => {
    assert.strictEqual(
      violationOf(put(Proposals, { proposalId: "proposal_1", organizationId: buyer })),
      `proposals proposal_1 left ${supplier} for ${buyer}`
    )
  })

  it("An acceptance of a proposal may link grants of both sides, and of no third organization", () => {
    const accepted = [
      proposal,
      put(ProposalEvents, { proposalId: "proposal_1", sequence: 2 }),
      put(Projects, { projectId: "delivery_2", buyerOrganizationId: buyer }),
      put(ProjectEvents, { projectId: "delivery_2", sequence: 1 }),
      ...linked(buyer),
      ...linked(supplier)
    ]
    assert.isUndefined(violationOf(...accepted))
    assert.match(violationOf(...accepted, ...linked(other)) ?? "", /3 organizations/)
    assert.match(violationOf(...accepted, put(Jobs, { jobId: "job_1", projectId: "delivery_2" })) ?? "", /2 organi/)
  })

  it("A grant of a buyer may enter the list of a proposal's grants", () => {
    const scope = put(GrantProposals, { grantId: `grant_${buyer}`, proposalId: "proposal_1" })
    assert.isUndefined(violationOf(grantOf(buyer), scope, proposal))
    assert.match(violationOf(grantOf(buyer), proposal) ?? "", /2 organizations/)
  })

  it("A saved job may be counted by a grant of the other side", () => {
    const job = put(Jobs, { jobId: "job_1", projectId: "delivery_1" })
    const envelope = put(JobEnvelopes, { jobId: "job_1" })
    assert.isUndefined(violationOf(job, envelope, grantOf(supplier)))
    assert.match(violationOf(job, event, grantOf(supplier)) ?? "", /2 organizations/)
  })

  it("A subscription may write its listeners beside the project, and a commit of an event may not write subscriptions", () => {
    const listener = put(WebhookListeners, { projectId: "delivery_1", subscriptionId: `subscription_${supplier}` })
    assert.isUndefined(violationOf(subscriptionOf(supplier), listener, project))
    assert.match(violationOf(subscriptionOf(supplier), event) ?? "", /2 organizations/)
  })

  it("A claim may lease due rows of several organizations, and writes nothing else", () => {
    const leased = [supplier, buyer].map(subscriptionOf)
    assert.isUndefined(violationOf(...leased))
    assert.match(violationOf(...leased, grantOf(buyer)) ?? "", /2 organizations/)
  })

  it("A worker may record sends of several subscriptions together", () => {
    const delivered = [supplier, buyer, other].flatMap((one) => [
      subscriptionOf(one),
      put(WebhookDeliveries, { deliveryId: `delivery_of_${one}`, subscriptionId: `subscription_${one}` })
    ])
    assert.isUndefined(violationOf(...delivered))
    assert.match(violationOf(...delivered, event) ?? "", /3 organizations/)
  })
})
