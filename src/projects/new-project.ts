/** Checking and storing a new agreement: its terms, its first event and the parties that list it. */
import { Effect } from "effect"
import type { SubjectRequirement } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Role } from "../access/actions.ts"
import { canonicalText } from "../canonical/jcs.ts"
import { membershipIn } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { readPerson } from "../people/operations.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { agreementDigest, type Agreement } from "./agreement.ts"
import { checkPin } from "../discovery/pin.ts"
import type { Actor } from "./event.ts"
import { projectFrom } from "./evolve.ts"
import { refuseFullHistory, eventRow, sealEvent, type NewEvent, type StoredProject } from "./history.ts"
import { checkCreation } from "./legal.ts"
import { searchTextOf } from "./search-text.ts"
import type { LegalDocument, Terms } from "./terms.ts"
import { progressColumns } from "./progress.ts"
import { ProjectEvents, Projects, ProjectSides, type ProjectRow } from "./store.ts"

/** The creation input; missing documents or confirmation are refused with their own code. */
export interface CreateInput extends TermsInput {
  readonly requestId: string
  readonly confirmationDigest?: string
}

/** The terms of a request. */
export interface TermsInput extends Omit<Terms, "legalContext"> {
  readonly legalContext?: Terms["legalContext"]
}

/** The person who creates an agreement, and their organization. */
export interface Buyer {
  readonly personId: string
  readonly organizationId: string
  readonly tenantId: string
}

/** True if the named signers can sign. Read before the transaction, since a signature itself is authorized again. */
export const areSignersKnown = Effect.fnUntraced(function* (terms: TermsInput, organizationId: string) {
  const now = yield* currentTime
  return yield* inView((reader) => readAreSignersKnown(reader, terms, organizationId, now))
})

export const readAreSignersKnown = Effect.fnUntraced(function* (
  reader: Reader,
  { signing }: TermsInput,
  organizationId: string,
  now: Instant
) {
  if (signing === undefined) return true
  const { principal, counterparty, method } = signing
  if (principal === counterparty) return false
  const [member, other] = yield* readTogether([
    membershipIn(reader, principal, organizationId, now),
    counterparty === undefined ? Effect.succeed(true) : readPerson(reader, counterparty)
  ])
  // The native signer of the acceptance must be authorized to accept.
  const maySign = member !== undefined && (method === "EXTERNAL" || holds(member, "COMPLETION_CONFIRM", now))
  return maySign && other !== undefined
})

interface CreationFacts {
  readonly documents: ReadonlyArray<LegalDocument>
  readonly areSignersKnown: boolean
  /** The subject requirements of the grant; absent for people. */
  readonly subjectRequirements?: ReadonlyArray<SubjectRequirement>
  readonly now: Instant
}

/** The checks of a creation, in the documented order. */
export const checkInput = Effect.fnUntraced(function* (
  reader: Reader,
  input: CreateInput,
  { personId }: Pick<Buyer, "personId">,
  facts: CreationFacts
) {
  yield* checkDates(input, facts.now)
  yield* checkParties(reader, input, personId)
  if (!facts.areSignersKnown) return yield* refuse("UNKNOWN_SIGNER")
  const required = facts.subjectRequirements
  if (required !== undefined && digestOf(input.subjectRequirements) !== digestOf(required)) {
    return yield* refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
  }
  if (input.specification !== undefined) yield* checkPin(reader, input.specification)
  const missing = yield* checkCreation(input, facts.documents)
  return missing === undefined ? undefined : yield* Effect.fail(missing)
})

/** The deadlines lie in the future. */
export const checkDates = Effect.fnUntraced(function* ({ deadline, signing }: TermsInput, now: Instant) {
  if (deadline <= now) return yield* refuse("DEADLINE_NOT_FUTURE")
  if (signing !== undefined && signing.agreementSignBy <= now) {
    const detail = "agreementSignBy must lie in the future."
    return yield* refuse("DEADLINE_NOT_FUTURE", { detail })
  }
})

/** The parties and signers are different people, and the named supplier exists. */
export const checkParties = Effect.fnUntraced(function* (
  reader: Reader,
  { supplierActorId, signing }: TermsInput,
  personId: string
) {
  if (supplierActorId !== undefined) {
    if (supplierActorId === personId || supplierActorId === signing?.principal) return yield* refuse("SAME_PARTY")
    if ((yield* readPerson(reader, supplierActorId)) === undefined) return yield* refuse("UNKNOWN_SUPPLIER")
  }
  if (signing?.counterparty === personId) return yield* refuse("SAME_PARTY")
})

interface NewProject {
  readonly projectId: string
  readonly input: CreateInput
  readonly buyer: Buyer
  readonly actor: Actor
  /** The revised project; null for a first version. */
  readonly revised: {
    readonly project: StoredProject["project"]
    readonly superseded: StoredProject | undefined
  } | null
  /** The accepted proposal and the organization that made it. */
  readonly proposed?: { readonly proposalDigest: string; readonly supplierOrganizationId: string }
  readonly now: Instant
}

/** Queues the agreement with its `CREATE` event; the terms were checked. */
export const insertProject = Effect.fnUntraced(function* (
  transaction: Transaction,
  { projectId, input, buyer, actor, revised, proposed, now }: NewProject
) {
  const { requestId, confirmationDigest, ...terms } = input
  const agreement: Agreement = {
    schema: "service.agreement/v1",
    projectId,
    version: (revised?.project.agreement.version ?? 0) + 1,
    previous:
      revised === null
        ? null
        : { projectId: revised.project.agreement.projectId, digest: revised.project.agreementDigest },
    // checkInput has required both members.
    terms: terms as Terms,
    buyer: { organizationId: buyer.organizationId, actorId: buyer.personId },
    supplier: { actorId: input.supplierActorId ?? null }
  }
  const digest = agreementDigest(agreement)
  const payload = {
    agreementDigest: digest,
    confirmationDigest: confirmationDigest!,
    ...proposed
  }
  const empty = projectFrom(agreement, digest, [])
  const occurrence: NewEvent = { content: { kind: "CREATE", payload }, requestId, actor, now }
  const { event, jws, bytes } = yield* sealEvent(empty, now, occurrence)
  const text = canonicalText(agreement)
  const historyBytes = Buffer.byteLength(text) + bytes
  if (historyBytes > limits.historyBytes - limits.historyBytesReserved) return yield* refuseFullHistory
  const superseded = revised?.superseded?.row
  const supplierOrganizationId = proposed?.supplierOrganizationId ?? knownOrganization(input, revised)
  const row: ProjectRow = {
    projectId,
    tenantId: buyer.tenantId,
    buyerOrganizationId: buyer.organizationId,
    buyerActorId: buyer.personId,
    supplierActorId: agreement.supplier.actorId,
    supplierOrganizationId,
    state: empty.state,
    ...progressColumns(empty),
    agreement: text,
    agreementDigest: digest,
    headEventHash: event.hash,
    eventCount: 1,
    historyBytes,
    lastEventAt: event.occurredAt,
    automationRevision: 0,
    listeners: 0,
    lostHead: null,
    searchText: searchTextOf(agreement.terms),
    pauses: [],
    supersedesProjectId: superseded?.projectId ?? null,
    revisionProjectId: null,
    createdAt: now
  }
  yield* transaction.insert(Projects, row)
  yield* transaction.insert(ProjectEvents, eventRow(event, jws))
  yield* Effect.forEach(partiesOf(agreement, supplierOrganizationId), ([party, role]) =>
    transaction.insert(ProjectSides, { party, projectId, role, createdAt: now })
  )
  return { row, project: projectFrom(agreement, digest, [event]) } satisfies StoredProject
})

/** A revision keeps the supplier's organization if it names the same supplier. */
const knownOrganization = ({ supplierActorId }: CreateInput, revised: NewProject["revised"]): string | null => {
  if (revised === null) return null
  const { project, superseded } = revised
  const { actorId, organizationId } = (superseded?.project ?? project).supplier
  return actorId === supplierActorId ? organizationId : null
}

/** The parties that list the project, with their side; named signers are included before they sign. */
const partiesOf = ({ buyer, supplier, terms }: Agreement, supplierOrganizationId: string | null) => {
  const { principal, counterparty } = terms.signing ?? {}
  const found = new Map<string, Role>()
  for (const party of [supplier.actorId, counterparty, supplierOrganizationId])
    if (party != null) found.set(party, "SUPPLIER")
  for (const party of [principal, buyer.actorId, buyer.organizationId]) if (party != null) found.set(party, "BUYER")
  return [...found]
}
