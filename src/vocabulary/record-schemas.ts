/**
 * Schemas of the members of signed and exported objects (docs/records.md): wider than the wire accepts today where a
 * format must outlive it, and each named in the published schemas.
 */
import { Schema } from "effect"
import { Digest, type IdKind } from "./ids.ts"
import { Instant } from "./instant.ts"

export const digest = Digest.annotate({
  identifier: "Digest",
  description: "SHA-256 as 64 lower-case hexadecimal digits."
})

export const instant = Instant.annotate({
  identifier: "Instant",
  description: "UTC with exactly three fraction digits; a day that exists."
})

/** An id as the record format defines it: any version of UUID. */
const id = (kind: IdKind, identifier: string) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^${kind}_[a-f0-9-]{36}$`, "u"))).annotate({ identifier })

export const projectId = id("delivery", "ProjectId")
export const organizationId = id("organization", "OrganizationId")
export const personId = id("person", "PersonId")
export const agentId = id("agent", "AgentId")
export const grantId = id("grant", "GrantId")
export const invitationId = id("invitation", "InvitationId")
export const submissionId = id("submission", "SubmissionId")
export const reviewId = id("review", "ReviewId")
export const confirmationId = id("confirmation", "ConfirmationId")
export const recordId = id("record", "RecordId")
export const publicationId = id("pub", "PublicationId")
export const subjectId = id("provider", "SubjectId")
export const resultOrderId = id("order", "ResultOrderId")
export const commerceOrderId = id("commerce", "CommerceOrderId")
export const referenceId = id("reference", "ReferenceId")
export const linkId = id("link", "LinkId")
export const epochId = id("epoch", "EpochId")

export const compactJws = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/u)
).annotate({ identifier: "CompactJws", description: "A compact JWS signed with Ed25519." })

export const text = Schema.String

/** Non-empty text. */
export const name = Schema.NonEmptyString

/** A position or version, counted from 1. */
export const ordinal = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The leading members of every signed payload. */
export const signed = <const S extends string>(schema: S) => ({ schema: Schema.Literal(schema), issuedAt: instant })

/** An object that may have further members. */
export const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)])
