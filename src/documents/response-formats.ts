/**
 * The formats of response members by name: ids, digests, instants, links, and maximum lengths of lists. Schemas that
 * requests use too are left unchanged, since there the format is what the service validates.
 */
import { actions } from "../access/actions.ts"
import { acts } from "../projects/acts.ts"
import { eventTypes } from "../vocabulary/event-types.ts"
import { idPattern, type IdKind } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { isObject, mapValues, objectAt, type Json, type JsonObject } from "./json.ts"

export const withResponseFormats = (document: JsonObject): JsonObject => {
  const schemas = objectAt(objectAt(document, "components"), "schemas")
  const requestSchemas = new Set<string>()
  for (const methods of Object.values(objectAt(document, "paths"))) {
    for (const operation of Object.values(methods as JsonObject)) {
      collectReferences(objectAt(operation as JsonObject, "requestBody"), schemas, requestSchemas)
    }
  }
  return {
    ...document,
    components: {
      ...objectAt(document, "components"),
      schemas: {
        ...mapValues(schemas, (schema, name) =>
          requestSchemas.has(name) ? schema : withFormats(schema, name, typedAgreement(name, schemas))
        ),
        Error: errorSchema
      }
    },
    paths: mapValues(objectAt(document, "paths"), (methods) =>
      mapValues(methods as JsonObject, (operation) => ({
        ...(operation as JsonObject),
        responses: withFormats(objectAt(operation as JsonObject, "responses"), "", undefined)
      }))
    )
  }
}

const collectReferences = (value: Json, schemas: JsonObject, found: Set<string>): void => {
  if (Array.isArray(value)) return value.forEach((one) => collectReferences(one, schemas, found))
  if (!isObject(value)) return
  const name = nameOf(value)
  if (name !== undefined && !found.has(name)) {
    found.add(name)
    collectReferences(schemas[name] ?? null, schemas, found)
  }
  for (const one of Object.values(value)) collectReferences(one, schemas, found)
}

const nameOf = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined

/** The schema with the formats of its members; `path` ends in the name of the described member. */
const withFormats = (schema: Json, path: string, agreement: JsonObject | undefined): Json => {
  if (Array.isArray(schema)) return schema.map((one) => withFormats(one, path, agreement))
  if (!isObject(schema)) return schema
  if (agreement !== undefined && path.endsWith(".agreement")) return agreement
  const { properties, ...rest } = schema
  const described: JsonObject = {
    ...mapValues(rest, (value) => withFormats(value, path, agreement)),
    ...(isObject(properties)
      ? { properties: mapValues(properties, (member, name) => withFormats(member, `${path}.${name}`, agreement)) }
      : {})
  }
  if (described["type"] === "array") return { ...described, maxItems: described["maxItems"] ?? maxItemsOf(path) }
  const isUnconstrained = ["pattern", "format", "enum", "const", "allOf"].every(
    (keyword) => described[keyword] === undefined
  )
  return described["type"] === "string" && isUnconstrained ? { ...described, ...formatOf(path) } : described
}

/** The agreement in a project view: the terms of a proposal or creation, with the agreement's digest and version. */
const typedAgreement = (name: string, schemas: JsonObject): JsonObject | undefined => {
  const terms = schemas["ProposedTerms"]
  if (!isObject(terms) || !name.endsWith("ProjectView")) return undefined
  return {
    type: "object",
    description: "The exact terms; the digest covers the agreement that contains them.",
    properties: { ...objectAt(terms, "properties"), digest, version: { type: "integer", minimum: 1 } },
    required: [
      ...(terms["required"] as ReadonlyArray<string>).filter((one) => one !== "supplierActorId"),
      "digest",
      "version"
    ],
    additionalProperties: false
  }
}

const id = (kind: IdKind): JsonObject => ({ type: "string", pattern: idPattern(kind) })
const uuid = idPattern(undefined)
const digest: JsonObject = { type: "string", pattern: "^[0-9a-f]{64}$" }
const instant: JsonObject = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"
}
const link: JsonObject = { type: "string", format: "uri" }

/** Formats of members with an ambiguous name, by schema. */
const byPath: { readonly [path: string]: JsonObject } = {
  "Grant.id": id("grant"),
  "OwnGrant.id": id("grant"),
  "WebhookSubscription.id": id("webhook"),
  "OwnWebhook.id": id("webhook"),
  "ProjectEvent.actor.id": id("person"),
  "ListedProposal.id": id("proposal"),
  "OwnProposal.id": id("proposal"),
  "DisclosedPublication.completionTime": instant
}

/** The id kinds of members whose name is not that of the kind. */
const kindOfMember: { readonly [member: string]: IdKind } = {
  projectId: "delivery",
  projectIds: "delivery",
  proposalIds: "proposal",
  taskId: "delivery",
  actorId: "person",
  delegatedBy: "person",
  supplierActorId: "person",
  grantId: "grant",
  agentId: "agent",
  personId: "person",
  organizationId: "organization",
  tenantId: "tenant",
  draftId: "draft",
  submissionId: "submission",
  reviewId: "review",
  confirmationId: "confirmation",
  recordId: "record",
  jobId: "job",
  membershipId: "membership",
  invitationId: "invitation",
  contactId: "contact",
  connectionId: "connection",
  itemId: "item",
  shareId: "share",
  publicationId: "pub",
  resultOrderId: "order",
  commerceOrderId: "commerce",
  subjectId: "provider",
  resultId: "record",
  proposalId: "proposal"
}

const byMember: { readonly [member: string]: JsonObject } = {
  requestId: { type: "string", pattern: uuid },
  hash: digest,
  digest,
  authorityHead: digest,
  proposalHead: digest,
  headEventHash: digest,
  expectedEventHash: digest,
  expectedHeadEventHash: digest,
  at: instant,
  url: link,
  target: link,
  deliveryId: { type: "string", pattern: "^whd_[0-9a-f]{64}$" },
  checkpoint: { type: "string", pattern: "^whc1_whd_[0-9a-f]{64}$" },
  userCode: { type: "string", pattern: "^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$" }
}

const formatOf = (path: string): JsonObject => {
  const member = path.slice(path.lastIndexOf(".") + 1)
  const known = byPath[path] ?? byMember[member]
  if (known !== undefined) return known
  const kind = kindOfMember[member]
  if (kind !== undefined) return id(kind)
  if (member.endsWith("Digest")) return digest
  if (/[a-z]At$/.test(member)) return instant
  return member.endsWith("Url") ? link : {}
}

/** Maximum lengths of lists in responses; lists without a limit of the service stay far below `listItems`. */
const itemsByMember: { readonly [member: string]: number } = {
  actions: actions.length,
  requestedActions: actions.length,
  guardedActions: actions.length,
  eventTypes: eventTypes.length,
  availableActions: acts.length,
  blockedActions: acts.length,
  decisionActions: acts.length,
  criteria: limits.criteria,
  deliveries: limits.webhookDeliveriesOnPage,
  events: limits.eventsPerProject,
  issues: limits.issues,
  jobs: limits.jobsPerGrant,
  notes: limits.notesPerItem,
  openings: limits.openingsListed,
  pausedBy: 2,
  projectIds: limits.projectsPerGrant,
  proposalIds: limits.proposalsPerGrant,
  proposals: limits.proposalsOnPageMost,
  publications: limits.publicationsOnPage,
  signatures: 3,
  specifications: limits.specificationsOnPage,
  subjectRequirements: limits.subjectRequirements,
  subscriptions: limits.entriesListed,
  supportedClients: 1,
  entries: limits.creditEntriesListed,
  grants: limits.entriesListed,
  invitations: limits.entriesListed,
  items: limits.entriesListed,
  members: limits.entriesListed,
  records: limits.entriesListed
}

const maxItemsOf = (path: string): number => itemsByMember[path.slice(path.lastIndexOf(".") + 1)] ?? limits.listItems

/** The body of every refusal; each operation declares its codes. */
const errorSchema: JsonObject = {
  type: "object",
  properties: {
    error: { type: "string", description: "A stable code." },
    detail: { type: "string", description: "One sentence for a person." },
    retryable: { type: "boolean", const: false },
    nextAction: { type: "string", description: "What to do next." },
    issues: {
      type: "array",
      maxItems: limits.issues,
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" } },
        required: ["path", "message"],
        additionalProperties: false
      }
    },
    current: {
      description: "The preconditions that the next command must name.",
      anyOf: [
        {
          type: "object",
          properties: { headEventHash: digest, automationRevision: { type: "integer" } },
          required: ["headEventHash", "automationRevision"],
          additionalProperties: false
        },
        {
          type: "object",
          properties: { proposalHead: digest, version: { type: "integer" }, automationRevision: { type: "integer" } },
          required: ["proposalHead", "version", "automationRevision"],
          additionalProperties: false
        },
        {
          type: "object",
          properties: { termsDigest: digest, financialHead: digest },
          required: ["termsDigest", "financialHead"],
          additionalProperties: false
        }
      ]
    },
    dueAt: instant,
    requiredHumanAction: { type: "string" },
    humanUrl: link,
    documentationUrl: link
  },
  required: ["error", "detail", "retryable"],
  additionalProperties: false
}
