/** The webhook event of every kind of project event: its type, its members, and no free text of a party. */
import { assert, describe, it } from "@effect/vitest"
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { EventContent } from "../../src/projects/event.ts"
import type { Project } from "../../src/projects/project.ts"
import { idFromDigest, idKinds } from "../../src/vocabulary/ids.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { webhookPayloadOf, envelopeOf } from "../../src/webhooks/event.ts"
import {
  afterCommand,
  agreement,
  created,
  createdFrom,
  applyEvent,
  issuedEvent,
  projectIn,
  supersede
} from "../support/project.ts"
import { changeRepresentative, commandFor, type CommandName } from "../support/project-commands.ts"
import { agent, dana, digestOfCharacter, member, sam, uuidOf } from "../support/project-people.ts"
import { preparedFor } from "../support/project.ts"

type Type = ReturnType<typeof webhookPayloadOf>["type"]

/** The webhook event of a project's newest event. */
const newestWebhookEvent = (project: Project) => webhookPayloadOf(project.events.at(-1)!, project)

const done = (name: CommandName, project: Project): Project => afterCommand(project, commandFor[name](project))

const invited = (): Project =>
  applyEvent(
    created(),
    {
      kind: "INVITATION_ACCEPTED",
      payload: {
        agreementDigest: created().agreementDigest,
        invitationId: `invitation_${uuidOf(1)}`,
        supplierActorId: sam.personId
      }
    },
    sam
  )

/** Every move of the table of moves, with the type of its webhook event. */
const rows: ReadonlyArray<readonly [name: string, kind: EventContent["kind"], type: Type, project: () => Project]> = [
  ["creation", "CREATE", "record.changed", created],
  ["an accepted invitation", "INVITATION_ACCEPTED", "record.changed", invited],
  ["accepted terms", "RESPOND", "agreement.confirmed", () => projectIn("LOCKED")],
  ["terms to change", "RESPOND", "record.changed", () => projectIn("AGREEMENT_CHANGES_REQUESTED")],
  ["declined terms", "RESPOND", "record.changed", () => projectIn("SUPPLIER_DECLINED")],
  ["a signature", "SIGN", "record.changed", () => done("SIGN_AGREEMENT", preparedFor("SIGN_AGREEMENT", "LOCKED"))],
  ["a submission", "SUBMIT", "delivery.submitted", () => projectIn("SUBMITTED")],
  ["requested changes", "REVIEW", "changes.requested", () => projectIn("CHANGES_REQUESTED")],
  ["requested evidence", "REVIEW", "changes.requested", () => projectIn("AWAITING_EVIDENCE")],
  ["an acceptance", "REVIEW", "acceptance.decided", () => projectIn("BUYER_CONFIRMED")],
  ["a rejection", "REVIEW", "acceptance.decided", () => projectIn("BUYER_REJECTED")],
  ["a held delivery", "DATE_REVISION", "record.changed", () => done("HOLD_DELIVERY", projectIn("LOCKED"))],
  ["a held review", "DATE_REVISION", "record.changed", () => done("HOLD_REVIEW", projectIn("SUBMITTED"))],
  ["a lifted hold", "LIFT_HOLD", "record.changed", () => done("LIFT_HOLD", preparedFor("LIFT_HOLD", "LOCKED"))],
  ["a concern", "CONCERN", "record.changed", () => projectIn("CONFIRMATION_CONTESTED")],
  [
    "a dismissed concern",
    "RESOLVE_CONCERN",
    "record.changed",
    () => done("DISMISS_CONCERN", projectIn("CONFIRMATION_CONTESTED"))
  ],
  [
    "an upheld concern",
    "RESOLVE_CONCERN",
    "record.changed",
    () => done("UPHOLD_CONCERN", projectIn("CONFIRMATION_CONTESTED"))
  ],
  ["a withdrawn confirmation", "WITHDRAW_CONFIRMATION", "record.changed", () => projectIn("CONFIRMATION_WITHDRAWN")],
  [
    "another representative",
    "CHANGE_REPRESENTATIVE",
    "record.changed",
    () => {
      const project = preparedFor("CHANGE_REPRESENTATIVE", "LOCKED")
      return afterCommand(project, changeRepresentative(project), undefined, member)
    }
  ],
  [
    "an issued record",
    "ISSUE",
    "record.changed",
    () => applyEvent(projectIn("BUYER_CONFIRMED"), issuedEvent(projectIn("BUYER_CONFIRMED")), dana)
  ],
  ["a superseded project", "SUPERSEDE", "record.changed", () => supersede(projectIn("LOCKED"))]
]

// A missing kind does not compile, so the rows above are complete.
const kinds: { readonly [K in EventContent["kind"]]: true } = {
  CREATE: true,
  INVITATION_ACCEPTED: true,
  RESPOND: true,
  SUBMIT: true,
  REVIEW: true,
  ISSUE: true,
  SIGN: true,
  DATE_REVISION: true,
  LIFT_HOLD: true,
  CONCERN: true,
  RESOLVE_CONCERN: true,
  WITHDRAW_CONFIRMATION: true,
  CHANGE_REPRESENTATIVE: true,
  SUPERSEDE: true
}

const members = [
  "agreementDigest",
  "agreementVersion",
  "headEventHash",
  "id",
  "occurredAt",
  "projectId",
  "reviewId",
  "sequence",
  "state",
  "submissionId",
  "type"
]

describe("the webhook event of a project event", () => {
  it("Every kind of project event has a row in this table.", () => {
    assert.deepStrictEqual([...new Set(rows.map(([, kind]) => kind))].toSorted(), Object.keys(kinds).toSorted())
  })

  it.each(rows)("The webhook event of %s (%s) has the type %s.", (_, kind, type, make) => {
    const project = make()
    const event = project.events.at(-1)!
    assert.strictEqual(event.kind, kind)
    const told = newestWebhookEvent(project)
    assert.strictEqual(told.type, type)
    assert.deepStrictEqual(Object.keys(told).toSorted(), members)
    assert.deepInclude(told, {
      id: idFromDigest("event", event.hash),
      projectId: event.projectId,
      sequence: event.sequence,
      agreementVersion: project.agreement.version,
      agreementDigest: project.agreementDigest,
      headEventHash: event.hash,
      state: project.state,
      occurredAt: event.occurredAt
    })
    assert.strictEqual(told.headEventHash, project.head)
    assert.strictEqual(told.sequence, project.events.length)
  })

  it("A webhook event names the submission from its own event on, and the review only if it is of that submission.", () => {
    const seen = (project: Project) => {
      const { submissionId, reviewId } = newestWebhookEvent(project)
      return [submissionId, reviewId]
    }
    assert.deepStrictEqual(seen(projectIn("LOCKED")), [null, null])
    const first = projectIn("SUBMITTED").submission!.submissionId
    assert.deepStrictEqual(seen(projectIn("SUBMITTED")), [first, null])
    const asked = projectIn("CHANGES_REQUESTED")
    assert.deepStrictEqual(seen(asked), [first, asked.review!.reviewId])
    const again = afterCommand(asked, commandFor.SUBMIT(asked))
    assert.notStrictEqual(again.submission!.submissionId, first)
    assert.deepStrictEqual(seen(again), [again.submission!.submissionId, null])
    // A review of an earlier submission that the project still holds is not named either.
    assert.isNull(newestWebhookEvent({ ...again, review: asked.review }).reviewId)
  })

  it("A webhook event contains no text written by an agent or a person.", () => {
    const canary = "canary-7f3a"
    const told = textsOf(canary).map((project) =>
      envelopeOf(canonicalText(newestWebhookEvent(project)), { action: "SUBMIT" })
    )
    assert.lengthOf(told, 12)
    for (const envelope of told) assert.notInclude(envelope, canary)
  })
})

/** The same text in every field that a person or an agent writes freely, after each step of a long history. */
const textsOf = (canary: string): ReadonlyArray<Project> => {
  const marked = createdFrom(withCanaries(agreement, canary))
  const projects = [marked]
  const happens = (by: typeof dana, happening: EventContent) =>
    projects.push(applyEvent(projects.at(-1)!, withCanaries(happening, canary), by))
  const does = (name: CommandName) => {
    const project = projects.at(-1)!
    const [event] = afterCommand(project, commandFor[name](project)).events.slice(-1)
    happens(event!.actor.role === "BUYER" ? dana : agent(sam), event!)
  }
  does("RESPOND_ACCEPT")
  does("HOLD_DELIVERY")
  does("LIFT_HOLD")
  does("SUBMIT")
  does("REVIEW_REQUEST_CHANGES")
  does("SUBMIT")
  does("REVIEW_ACCEPT")
  does("CONCERN")
  does("DISMISS_CONCERN")
  happens(sam, {
    kind: "CHANGE_REPRESENTATIVE",
    payload: {
      agreementDigest: marked.agreementDigest,
      previousActorId: sam.personId,
      supplierActorId: member.personId,
      reason: canary
    }
  })
  does("WITHDRAW_CONFIRMATION")
  return projects
}

/** Prefixes every text that is no id, digest, instant or term of the protocol with the canary. */
const withCanaries = <T>(value: T, canary: string): T =>
  JSON.parse(
    JSON.stringify(value, (key, text) =>
      typeof text === "string" && !isOfProtocol(key, text) ? `${canary} ${text}` : text
    )
  )

const isOfProtocol = (key: string, text: string): boolean =>
  /^[A-Z_]+$|^[0-9a-f]{64}$|^\d{4}-\d\d-\d\dT|^[a-z]+_[0-9a-f-]{36}$|^service\./.test(text) ||
  ["criterionId", "requestId", "name"].includes(key) ||
  (key === "id" && ["vector", "manual"].includes(text))

describe("the id of an event", () => {
  it.each(["0", "5", "a", "f"])("An id made from a digest of the digit %s is a UUID v4.", (letter) => {
    const digest = digestOfCharacter(letter)
    for (const kind of idKinds) {
      const id = idFromDigest(kind, digest)
      assert.match(id, new RegExp(`^${kind}_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
      assert.strictEqual(idFromDigest(kind, digest), id)
    }
  })

  it("An id made from a digest keeps every digit of its first half, except version and variant.", () => {
    const digest = `0123456789abcdef0123456789abcdef${"0".repeat(32)}`
    assert.strictEqual(idFromDigest("event", digest), "event_01234567-89ab-4def-8123-456789abcdef")
  })
})

describe("the envelope of a webhook", () => {
  it("The envelope is the canonical text of the event with the next action.", () => {
    const event = newestWebhookEvent(projectIn("SUBMITTED"))
    const text = envelopeOf(canonicalText(event), { viewer: "WAITING", action: "REVIEW" })
    assert.deepStrictEqual(JSON.parse(text), { ...event, currentNextAction: { action: "REVIEW", viewer: "WAITING" } })
    assert.deepStrictEqual(Object.keys(JSON.parse(text)), [...members, "currentNextAction"].toSorted())
    assert.notMatch(text, /\s/)
    assert.strictEqual(event.occurredAt, "2026-01-01T09:00:00.000Z" as Instant)
  })
})
