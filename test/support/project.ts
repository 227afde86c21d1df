/** Projects in every state, made of events only, for tests of decisions; not stored. */
import { Effect, Result } from "effect"
import type { Role } from "../../src/access/actions.ts"
import { Signer, type IssuerKeys } from "../../src/ports/signer.ts"
import { agreementDigest, type Agreement } from "../../src/projects/agreement.ts"
import type { Terms } from "../../src/projects/terms.ts"
import { decide, moveOf, type Command } from "../../src/projects/decide.ts"
import type { Actor, EventContent } from "../../src/projects/event.ts"
import { evolve, projectFrom } from "../../src/projects/evolve.ts"
import { sealEvent } from "../../src/projects/history.ts"
import { noRelatedFacts, type PartyActor } from "../../src/projects/guard-context.ts"
import type { Project, State } from "../../src/projects/project.ts"
import { isForSide } from "../../src/projects/moves.ts"
import type { Decision, DecisionContext } from "../../src/projects/requirements.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { commandFor, type CommandName } from "./project-commands.ts"
import { agent, dana, digestOfCharacter, member, sam, uuidOf } from "./project-people.ts"

export const dayOne = "2026-01-01T09:00:00.000Z" as Instant
export const deadline = "2026-01-08T09:00:00.000Z" as Instant
export const reviewDeadline = "2026-01-15T09:00:00.000Z" as Instant
export const agreementSignBy = "2026-01-03T09:00:00.000Z" as Instant
export const acceptanceSignBy = "2026-01-12T09:00:00.000Z" as Instant

export const agreement: Agreement = {
  schema: "service.agreement/v1",
  projectId: `delivery_${uuidOf(1)}`,
  version: 1,
  previous: null,
  terms: {
    title: "Logo",
    scope: "One logo.",
    buyerName: "Dana Ltd",
    supplierName: "Sam Studio",
    supplierActorId: sam.personId,
    supplierReference: "Sam",
    criteria: [
      { id: "vector", title: "Vector files", requirement: "An SVG and a PDF." },
      { id: "manual", title: "Manual", requirement: "One page." }
    ],
    deadline,
    reviewDeadline,
    baselineStatement: "None yet.",
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: { purpose: "Record", contractBasis: "THIS_AGREEMENT", sharing: "Both", sharingRecipients: [] },
    originals: { custodian: "Sam", location: "Folder", access: "Both" },
    subjectRequirements: [],
    legalContext: { documents: [{ kind: "TERMS", version: "1", digest: digestOfCharacter("d") }] }
  },
  buyer: { organizationId: `organization_${uuidOf(1)}`, actorId: dana.personId },
  supplier: { actorId: sam.personId }
}

const organizationOf = { BUYER: agreement.buyer.organizationId, SUPPLIER: `organization_${uuidOf(2)}` }

/** The actor of an event. */
export const actorOf = ({ personId, side, isPerson }: PartyActor): Actor => ({
  id: personId,
  organizationId: organizationOf[side],
  role: side,
  execution: isPerson
    ? null
    : {
        grantId: personId.replace("person", "grant"),
        agentId: personId.replace("person", "agent"),
        authorityHead: digestOfCharacter("f")
      }
})

const keys: IssuerKeys = { schema: "service.issuer-keys/v1", issuer: "test", environment: "test", keys: [] }
const unsigned = { sign: () => Effect.succeed("unsigned"), keys }

/** The project after the event; as in the service, timestamps in its history are monotonic. */
export const applyEvent = (
  project: Project,
  happening: EventContent,
  by: PartyActor,
  now: Instant = dayOne
): Project => {
  const requestId = uuidOf(project.events.length + 1)
  const lastEventAt = project.events.at(-1)?.occurredAt ?? now
  const sealing = sealEvent(project, lastEventAt, { content: happening, requestId, actor: actorOf(by), now })
  return evolve(project, Effect.runSync(Effect.provideService(sealing, Signer, unsigned)).event)
}

/** The first event of an agreement. */
export const createdFrom = (terms: Agreement): Project => {
  const digest = agreementDigest(terms)
  const payload = { agreementDigest: digest, confirmationDigest: digestOfCharacter("c") }
  return applyEvent(projectFrom(terms, digest, []), { kind: "CREATE", payload }, dana)
}

export const created = (): Project => createdFrom(agreement)

/** The person of that side whom the agreement names. */
export const personOf = (side: Role): PartyActor => (side === "BUYER" ? dana : sam)

/** The usual caller of a command: an agent of the side whose move it is, or a person if only people may send it. */
export const usualCaller = (command: Command): PartyActor => {
  if (command.kind === "CHANGE_REPRESENTATIVE") return member
  const move = moveOf(command, "LOCKED")
  const person = personOf(move === undefined || isForSide(move, "BUYER") ? "BUYER" : "SUPPLIER")
  return forPeople.has(command.kind) ? person : agent(person)
}

const forPeople: ReadonlySet<Command["kind"]> = new Set([
  "SIGN",
  "LIFT_HOLD",
  "RESOLVE_CONCERN",
  "WITHDRAW_CONFIRMATION",
  "REVISE"
])

/** The input of a decision; ids count up from `firstId`, and named people belong to the supplier. */
export const decisionInputAt = (
  now: Instant,
  by: PartyActor,
  changes: Partial<DecisionContext> = {},
  firstId = 1
): DecisionContext => {
  let count = firstId
  return {
    now,
    by,
    isIssuanceRequested: false,
    relatedFacts: noRelatedFacts,
    named: { isMemberOfSupplier: true, tookOtherSide: false },
    newId: (kind) => `${kind}_${uuidOf(count++)}`,
    ...changes
  }
}

/** The code of the refusal, or `ACCEPTED`. */
export const outcomeOf = (decided: Result.Result<Decision, Refusal>): string =>
  Result.isFailure(decided) ? decided.failure.code : "ACCEPTED"

/** The project after an accepted command; an issuance request is carried out immediately. */
export const afterCommand = (
  project: Project,
  command: Command,
  now: Instant = dayOne,
  by: PartyActor = usualCaller(command)
): Project => {
  const decision = Result.getOrThrow(decide(project, command, decisionInputAt(now, by, {}, 10 * project.events.length)))
  return applyDecision(project, decision, by, now)
}

/** The project after a decision; a hand-off, or terms that are only offered, do not change it. */
export const applyDecision = (project: Project, decision: Decision, by: PartyActor, now: Instant): Project => {
  if ("event" in decision) return applyEvent(project, decision.event, by, now)
  if ("issuance" in decision) return applyEvent(project, issuedEvent(project), by, now)
  return "revision" in decision && decision.revision.move === "REPLACE_TERMS" ? supersede(project, by, now) : project
}

export const issuedEvent = (project: Project): EventContent => ({
  kind: "ISSUE",
  payload: {
    recordId: `record_${uuidOf(project.events.length)}`,
    recordDigest: digestOfCharacter("e"),
    confirmationId: project.confirmation?.confirmationId ?? "",
    agreementDigest: project.agreementDigest
  }
})

/** The project after another one superseded it. */
export const supersede = (project: Project, by: PartyActor = agent(sam), now: Instant = dayOne): Project => {
  const successor = { projectId: `delivery_${uuidOf(2)}`, digest: digestOfCharacter("9") }
  const payload = { agreementDigest: project.agreementDigest, successor, reason: "Other terms." }
  return applyEvent(project, { kind: "SUPERSEDE", payload }, by, now)
}

/** The project after these commands, each by its usual caller. */
export const walkTo = (...names: ReadonlyArray<CommandName>): Project =>
  names.reduce((project, name) => afterCommand(project, commandFor[name](project)), created())

const projects: { readonly [S in State]: () => Project } = {
  AWAITING_SUPPLIER: created,
  LOCKED: () => walkTo("RESPOND_ACCEPT"),
  SUBMITTED: () => walkTo("RESPOND_ACCEPT", "SUBMIT"),
  CHANGES_REQUESTED: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REQUEST_CHANGES"),
  AWAITING_EVIDENCE: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REQUEST_EVIDENCE"),
  AGREEMENT_CHANGES_REQUESTED: () => walkTo("RESPOND_REQUEST_CHANGES"),
  SUPPLIER_DECLINED: () => walkTo("RESPOND_DECLINE"),
  BUYER_REJECTED: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REJECT"),
  BUYER_CONFIRMED: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_ACCEPT"),
  CONFIRMATION_CONTESTED: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_ACCEPT", "CONCERN"),
  CONFIRMATION_WITHDRAWN: () => walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_ACCEPT", "WITHDRAW_CONFIRMATION"),
  SUPERSEDED: () => supersede(walkTo("RESPOND_ACCEPT"))
}

const cache = new Map<State, Project>()

/** A project in that state, made by events; cached when a test first needs it. */
export const projectIn = (state: State): Project => {
  const project = cache.get(state) ?? projects[state]()
  cache.set(state, project)
  return project
}

/** The same project under other terms. */
export const withTerms = (project: Project, changes: Partial<Terms>): Project => ({
  ...project,
  agreement: { ...project.agreement, terms: { ...project.agreement.terms, ...changes } }
})

/** The same project under an agreement that reserves these decisions for people. */
export const withReservedDecisions = (
  project: Project,
  ...humanDecisions: ReadonlyArray<"RESPOND" | "REVIEW" | "ACCEPT" | "ISSUE">
): Project =>
  withTerms(project, {
    subjectRequirements: [{ id: "people", statement: "A person signs this off.", humanDecisions }]
  })

/** The same project under an agreement that both sides sign. */
export const withSignatures = (project: Project, method: "NATIVE" | "EXTERNAL"): Project =>
  withTerms(project, {
    signing: { enabled: true, method, principal: dana.personId, agreementSignBy, acceptanceSignBy }
  })

/** The same project with a history of this length, by repeated corrections of deliveries. */
export const withHistoryLength = (project: Project, events: number): Project => ({
  ...project,
  events: [...Array.from({ length: events - project.events.length }, () => project.events[0]!), ...project.events].map(
    (event, index) => ({ ...event, sequence: index + 1 })
  )
})

/** The same project while a date revision is open. */
export const withDateRevision = (project: Project, purpose: "DELIVERY" | "REVIEW"): Project => ({
  ...project,
  hold: { purpose, requestedBy: "SUPPLIER", reason: "A week more.", occurredAt: dayOne }
})

/** A project in which only the state can refuse the command. */
export const preparedFor = (name: CommandName, state: State): Project => {
  const project = projectIn(state)
  switch (name) {
    case "SIGN_AGREEMENT":
      return withSignatures(project, "NATIVE")
    case "LIFT_HOLD":
      return withDateRevision(project, state === "SUBMITTED" ? "REVIEW" : "DELIVERY")
    case "CHANGE_REPRESENTATIVE":
      return { ...project, supplier: { ...project.supplier, organizationId: organizationOf.SUPPLIER } }
    default:
      return project
  }
}
