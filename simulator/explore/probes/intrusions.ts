/**
 * What a stranger who knows the id of something tries with it: a request for each way in that changes something. Each is
 * one that whoever it belongs to could send.
 */
import { Grants } from "../../../src/access/store.ts"
import { Drafts } from "../../../src/drafts/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import { ParticipationItems } from "../../../src/participation/store.ts"
import { Invitations, Memberships, Organizations } from "../../../src/people/store.ts"
import type { AnyTable, RootKind, RowOf } from "../../../src/ports/table.ts"
import { Projects } from "../../../src/projects/store.ts"
import { Proposals } from "../../../src/proposals/store.ts"
import { RecordShares } from "../../../src/records/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { Rows } from "../../invariants/invariant.ts"
import type { StepForm } from "../../script/format.ts"
import type { JsonObject } from "../../script/json.ts"

/** Who tries: a person in a session, and an agent with a grant of theirs. */
export interface Strangers {
  readonly person: string
  readonly personId: string
  readonly organizationId: string
  readonly agent: string
}

interface Way {
  readonly table: AnyTable
  /** The kind of root that a row is; undefined where it hangs on the root of something else. */
  readonly root: RootKind | undefined
  readonly tries: (row: object, by: Intruder) => ReadonlyArray<StepForm>
}

const way = <T extends AnyTable>(
  table: T,
  root: RootKind | undefined,
  tries: (row: RowOf<T>, by: Intruder) => ReadonlyArray<StepForm>
): Way => ({ table, root, tries: (row, by) => tries(row as RowOf<T>, by) })

const ways: ReadonlyArray<Way> = [
  way(Projects, "project", ({ projectId: id }, by) => [
    by.agent(`/projects/${id}/handoff`, { expectedEventHash: neverRead, automationRevision: 0, input: by.stop }),
    by.agent("/webhooks", by.subscription(id)),
    by.agent("/jobs", by.job(id)),
    by.person(`/projects/${id}/pause`, by.stop),
    by.person(`/projects/${id}/representative-invitations`, by.request),
    by.person(`/projects/${id}/participation-invitations`, { ...by.request, ...task }),
    by.person(`/projects/${id}/record-shares`, { ...by.request, recipient: "Us", recipientActorId: by.personId }),
    by.subscriber("", by.subscription(id)),
    by.grant({ projectIds: [id] })
  ]),
  way(Proposals, "proposal", ({ proposalId: id }, by) => [
    by.agent(`/proposals/${id}/handoff`, { expectedProposalHead: neverRead, automationRevision: 0, input: by.stop }),
    by.person(`/proposals/${id}/pause`, by.stop),
    by.grant({ proposalIds: [id] })
  ]),
  way(Grants, "grant", ({ grantId: id }, by) => [
    by.person(`/grants/${id}/revoke`),
    by.person(`/grants/${id}/renew`, { ...by.request, expectedGeneration: 1 })
  ]),
  way(WebhookSubscriptions, "subscription", ({ subscriptionId: id }, by) => [
    by.agent(`/webhooks/${id}/pause`, {}),
    by.subscriber(`/${id}/revoke`, {})
  ]),
  way(Jobs, undefined, ({ jobId: id }, by) => [by.agent(`/jobs/${id}/submit`, { confirmed: true })]),
  way(ParticipationItems, "item", ({ itemId: id }, by) => [
    by.person(`/items/${id}/done`),
    by.person(`/items/${id}/withdraw`),
    by.person(`/items/${id}/credentials`, by.request),
    by.person(`/items/${id}/credentials/end`)
  ]),
  way(RecordShares, undefined, ({ shareId: id, projectId }, by) => [
    by.person(`/shared-records/${id}/open`),
    by.person(`/projects/${projectId}/record-shares/${id}/revoke`, by.request)
  ]),
  way(Drafts, "draft", ({ draftId: id }, by) => [by.person(`/drafts/${id}/discard`, { ...by.request, revision: 1 })]),
  way(Invitations, "invitation", ({ invitationId: id }, by) => [by.person(`/invitations/${id}/revoke`)]),
  way(Memberships, "membership", ({ membershipId: id }, by) => [by.person(`/memberships/${id}/end`)]),
  way(Organizations, undefined, ({ organizationId: id }, by) => [
    by.person(`/organizations/${id}/invitations`, { ...by.request, authorities: ["DELEGATE"] }),
    by.person(`/organizations/${id}/contacts`, { reference: "us", name: "Us", personId: by.personId }),
    by.person(`/organizations/${id}/contacts/remove`, { reference: "us" })
  ])
]

/** Everything that there is a way to, by its id. */
export const idsIn = (rows: Rows): ReadonlyArray<string> =>
  ways.flatMap(({ table }) => rows.of(table).map((row) => idOf(table, row)))

/** As a lock names them. */
export const rootsIn = (rows: Rows, isMeant: (id: string) => boolean): ReadonlyArray<string> =>
  ways.flatMap(({ table, root }) =>
    root === undefined
      ? []
      : rows
          .of(table)
          .map((row) => idOf(table, row))
          .filter(isMeant)
          .map((id) => `${root} ${id}`)
  )

/** Against everything in these rows that is not their own; `uuid` is the id of each request. */
export const intrusions = (
  rows: Rows,
  isOwn: (id: string) => boolean,
  strangers: Strangers,
  uuid: string
): ReadonlyArray<StepForm> => {
  const by = new Intruder(strangers, uuid)
  return ways.flatMap(({ table, tries }) =>
    rows
      .of(table)
      .filter((row) => !isOwn(idOf(table, row)))
      .flatMap((row) => tries(row, by))
  )
}

const idOf = (table: AnyTable, row: object): string => String(Reflect.get(row, table.key[0] ?? ""))

/** Sends what strangers send. */
class Intruder {
  readonly request: JsonObject
  readonly stop: JsonObject
  readonly #by: Strangers

  constructor(by: Strangers, uuid: string) {
    this.#by = by
    this.request = { requestId: uuid }
    this.stop = { requestId: uuid, reason: "Stop." }
  }

  get personId(): string {
    return this.#by.personId
  }

  readonly person = (path: string, body?: JsonObject): StepForm => post(this.#by.person, `/api/workspace${path}`, body)

  readonly agent = (path: string, body?: JsonObject): StepForm => post(this.#by.agent, `/api/agents/v1${path}`, body)

  /** The person, who has callbacks of their own. */
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
    target: "https://strangers.example.com/hooks",
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

const neverRead = "0".repeat(64)

const task: JsonObject = { title: "Theirs", instructions: "Look.", dueAt: null }
