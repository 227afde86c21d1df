/**
 * Unauthorized requests of an unrelated tenant that knows the ids of other tenants: one for each operation that changes
 * a resource, in the form that its owner could send.
 */
import { hash } from "node:crypto"
import { Grants } from "../../../src/access/store.ts"
import { CommerceOrders, ResultOrders } from "../../../src/commerce/store.ts"
import { Drafts } from "../../../src/drafts/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import { ParticipationItems } from "../../../src/participation/store.ts"
import { Invitations, Memberships, Organizations } from "../../../src/people/store.ts"
import type { AnyTable, LockKind, RowOf } from "../../../src/ports/table.ts"
import { Projects } from "../../../src/projects/store.ts"
import { Proposals } from "../../../src/proposals/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { RecordShares } from "../../../src/records/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { Rows } from "../../properties/property.ts"
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import type { JsonObject } from "../../vocabulary/json.ts"

/** The unrelated tenant: a person with a session, and an agent with a grant of that person. */
export interface UnrelatedTenantIds {
  readonly person: string
  readonly personId: string
  readonly organizationId: string
  readonly agent: string
}

interface ResourceRequests {
  readonly table: AnyTable
  /** The kind of lock key of a row; undefined if the row is locked with a row of another table. */
  readonly lockKind: LockKind | undefined
  readonly requests: (row: object, by: RequestBuilder) => ReadonlyArray<StepForm>
}

const requestsFor = <T extends AnyTable>(
  table: T,
  lockKind: LockKind | undefined,
  requests: (row: RowOf<T>, by: RequestBuilder) => ReadonlyArray<StepForm>
): ResourceRequests => ({ table, lockKind, requests: (row, by) => requests(row as RowOf<T>, by) })

const resourceRequests: ReadonlyArray<ResourceRequests> = [
  requestsFor(Projects, "project", ({ projectId: id }, by) => [
    by.agent(`/projects/${id}/handoff`, { expectedEventHash: unknownHead, automationRevision: 0, input: by.stop }),
    by.agent("/webhooks", by.subscription(id)),
    by.agent("/jobs", by.job(id)),
    by.person(`/projects/${id}/pause`, by.stop),
    by.person(`/projects/${id}/representative-invitations`, by.request),
    by.person(`/projects/${id}/participation-invitations`, { ...by.request, ...task }),
    by.person(`/projects/${id}/record-shares`, { ...by.request, recipient: "Us", recipientActorId: by.personId }),
    by.person(`/projects/${id}/publications`, { ...by.request, title: "Theirs", summary: "One.", namesBuyer: true }),
    by.person(`/projects/${id}/result-orders`, {
      ...by.request,
      agreementDigest: unknownHead,
      recordId: unknownRecord,
      currency: "EUR",
      amountMinor: 1
    }),
    by.download(`/api/transactions/${id}/result/package`),
    by.download(`/api/acceptance/tasks/${id}/result/package`),
    by.download(`/api/acceptance/provider-tasks/${id}/result/package`),
    by.subscriber("", by.subscription(id)),
    by.grant({ projectIds: [id] })
  ]),
  requestsFor(Proposals, "proposal", ({ proposalId: id }, by) => [
    by.agent(`/proposals/${id}/handoff`, { expectedProposalHead: unknownHead, automationRevision: 0, input: by.stop }),
    by.person(`/proposals/${id}/pause`, by.stop),
    by.grant({ proposalIds: [id] })
  ]),
  requestsFor(Grants, "grant", ({ grantId: id }, by) => [
    by.person(`/grants/${id}/revoke`),
    by.person(`/grants/${id}/renew`, { ...by.request, expectedGeneration: 1 })
  ]),
  requestsFor(WebhookSubscriptions, "subscription", ({ subscriptionId: id }, by) => [
    by.agent(`/webhooks/${id}/pause`, {}),
    by.subscriber(`/${id}/revoke`, {})
  ]),
  requestsFor(Jobs, undefined, ({ jobId: id }, by) => [by.agent(`/jobs/${id}/submit`, { confirmed: true })]),
  requestsFor(ParticipationItems, "item", ({ itemId: id }, by) => [
    by.person(`/items/${id}/done`),
    by.person(`/items/${id}/withdraw`),
    by.person(`/items/${id}/credentials`, by.request),
    by.person(`/items/${id}/credentials/end`)
  ]),
  requestsFor(RecordShares, undefined, ({ shareId: id, projectId }, by) => [
    by.person(`/shared-records/${id}/open`),
    by.person(`/projects/${projectId}/record-shares/${id}/revoke`, by.request)
  ]),
  requestsFor(Publications, undefined, ({ publicationId, projectId, subjectId, digest: publicationDigest }, by) => [
    by.person(`/projects/${projectId}/publications/${publicationId}/approve`, { ...by.request, publicationDigest }),
    by.person(`/projects/${projectId}/publications/${publicationId}/withdraw`, by.stop),
    by.anybody(`/providers/${subjectId}/passport`, { selections: [{ publicationId, publicationDigest }] }),
    by.anybody(`/providers/${subjectId}/passport/status`, { selections: [{ publicationId, publicationDigest }] })
  ]),
  requestsFor(ResultOrders, undefined, ({ resultOrderId: id, terms }, by) => {
    const command = { ...by.request, termsDigest: digestOf(terms), financialHead: unknownHead }
    return [
      by.reader(`/result-orders/${id}`),
      by.person(`/result-orders/${id}/approve`, command),
      by.person(`/result-orders/${id}/decline`, { ...command, ...by.stop }),
      by.person(`/result-orders/${id}/withdraw`, { ...command, ...by.stop }),
      by.person(`/result-orders/${id}/payments`, command),
      by.exporter(`/result-orders/${id}/closure`),
      by.exporter(`/result-orders/${id}/closure/status`)
    ]
  }),
  requestsFor(CommerceOrders, undefined, ({ commerceOrderId: id }, by) => [
    by.exporter(`/orders/${id}/record`),
    by.exporter(`/orders/${id}/status`),
    by.refresher(`/orders/${id}/refresh`)
  ]),
  requestsFor(Drafts, "draft", ({ draftId: id }, by) => [
    by.person(`/drafts/${id}/discard`, { ...by.request, revision: 1 })
  ]),
  requestsFor(Invitations, "invitation", ({ invitationId: id }, by) => [by.person(`/invitations/${id}/revoke`)]),
  requestsFor(Memberships, "membership", ({ membershipId: id }, by) => [by.person(`/memberships/${id}/end`)]),
  requestsFor(Organizations, undefined, ({ organizationId: id }, by) => [
    by.person(`/organizations/${id}/invitations`, { ...by.request, authorities: ["DELEGATE"] }),
    by.person(`/organizations/${id}/contacts`, { reference: "us", name: "Us", personId: by.personId }),
    by.person(`/organizations/${id}/contacts/remove`, { reference: "us" }),
    by.person(`/organizations/${id}/recipient-account`)
  ])
]

/** The ids of all resources that have such requests. */
export const idsIn = (rows: Rows): ReadonlyArray<string> =>
  resourceRequests.flatMap(({ table }) => rows.of(table).map((row) => idOf(table, row)))

/** The locks of these resources, as locks name them. */
export const lockKeysIn = (rows: Rows, isMeant: (id: string) => boolean): ReadonlyArray<string> =>
  resourceRequests.flatMap(({ table, lockKind }) =>
    lockKind === undefined
      ? []
      : rows
          .of(table)
          .map((row) => idOf(table, row))
          .filter(isMeant)
          .map((id) => `${lockKind} ${id}`)
  )

/** The requests against every resource that the tenant does not own; `uuid` is the id of each request. */
export const unauthorizedRequests = (
  rows: Rows,
  isOwn: (id: string) => boolean,
  strangers: UnrelatedTenantIds,
  uuid: string
): ReadonlyArray<StepForm> => {
  const by = new RequestBuilder(strangers, uuid)
  return resourceRequests.flatMap(({ table, requests }) =>
    rows
      .of(table)
      .filter((row) => !isOwn(idOf(table, row)))
      .flatMap((row) => requests(row, by))
  )
}

const idOf = (table: AnyTable, row: object): string => String(Reflect.get(row, table.key[0] ?? ""))

/** Builds the requests of the unrelated tenant. */
class RequestBuilder {
  readonly request: JsonObject
  readonly stop: JsonObject
  readonly #by: UnrelatedTenantIds

  constructor(by: UnrelatedTenantIds, uuid: string) {
    this.#by = by
    this.request = { requestId: uuid }
    this.stop = { requestId: uuid, reason: "Stop." }
  }

  get personId(): string {
    return this.#by.personId
  }

  readonly person = (path: string, body?: JsonObject): StepForm => post(this.#by.person, `/api/workspace${path}`, body)

  readonly reader = (path: string): StepForm => get(this.#by.person, `/api/workspace${path}`)

  /** A download of the person. */
  readonly download = (path: string): StepForm => get(this.#by.person, path)

  /** The person as reader of Commerce Records and closures. */
  readonly exporter = (path: string): StepForm => get(this.#by.person, `/api/commerce${path}`)

  /** The same person, who has the provider asked. */
  readonly refresher = (path: string): StepForm => post(this.#by.person, `/api/commerce${path}`, {})

  readonly agent = (path: string, body?: JsonObject): StepForm => post(this.#by.agent, `/api/agents/v1${path}`, body)

  /** A public request, which has no authority at all. */
  readonly anybody = (path: string, body: JsonObject): StepForm => post(this.#by.agent, `/api/public${path}`, body)

  /** A request of the person as owner of webhook subscriptions. */
  readonly subscriber = (path: string, body: JsonObject): StepForm =>
    post(this.#by.person, `/api/acceptance/project-webhooks${path}`, body)

  readonly grant = (reach: JsonObject): StepForm =>
    this.person("/grants", {
      ...this.request,
      organizationId: this.#by.organizationId,
      role: "BUYER",
      agentName: "Theirs",
      actions: ["REVIEW_DELIVERY"],
      consents: [],
      subjectRequirements: [],
      projectIds: [],
      ...reach
    })

  readonly subscription = (projectId: string): JsonObject => ({
    ...this.request,
    target: "https://unrelated.example.com/hooks",
    projectIds: [projectId],
    eventTypes: ["record.changed"],
    expiresAt: "2026-11-30T09:00:00.000Z",
    confirmed: true
  })

  readonly job = (projectId: string): JsonObject => ({
    ...this.request,
    projectId,
    workflowReference: "theirs",
    summary: "Theirs.",
    materials: [{ criterionId: "one", summary: "One.", references: [], files: [] }]
  })
}

const post = (as: string, path: string, json?: JsonObject): StepForm => ({
  as,
  send: { method: "POST", path, ...(json === undefined ? {} : { json }) }
})

const get = (as: string, path: string): StepForm => ({ as, send: { method: "GET", path } })

/** The digest of a canonical text. */
const digestOf = (text: string): string => hash("sha256", text)

const unknownRecord = "record_00000000-0000-4000-8000-000000000000"
const unknownHead = "0".repeat(64)

const task: JsonObject = { title: "Theirs", instructions: "Look.", dueAt: null }
