/** History references and the agreements that a closure can name, as the pages of people show them. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import { parseSigned } from "../canonical/jws.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { readPerson } from "../people/operations.ts"
import { readMembershipsInForce } from "../people/profile.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { canMove } from "../projects/moves.ts"
import { listNewestProjects } from "../projects/newest-projects.ts"
import { readProjectRow, type ProjectRow } from "../projects/project-row.ts"
import { readProjectAsParty } from "../projects/representation.ts"
import { readDisclosure, readOwnPassport } from "../publications/own-passport.ts"
import type { ResultPassport } from "../publications/passport.ts"
import { readSubjectId } from "../publications/provider-subject.ts"
import { decodeSummary } from "../publications/summary.ts"
import { passesRecordGate } from "../records/record-gate.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { findOrderForClosure } from "./access.ts"
import type { HistoryReference } from "./history-reference.ts"
import { passportGuard } from "./reference-guard.ts"
import { HistoryReferences } from "./store.ts"

/**
 * The history reference of an agreement, for the members of its buyer; 403 for everyone else. The link that is stored with
 * it is not read here: no page shows the project of the result.
 */
export const readReferenceForPage = traced("closure.readReferenceForPage")(function* (
  by: ActingPerson,
  projectId: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { project, membership } = yield* readAsBuyer(reader, by, projectId, now)
    const { supplierOrganizationId } = project
    const [stored, subjectId] = yield* readTogether([
      reader.get(HistoryReferences, [projectId]),
      supplierOrganizationId === null ? Effect.undefined : readSubjectId(reader, supplierOrganizationId)
    ])
    return {
      projectId,
      title: parseCanonical(project.agreement).terms.title,
      isConfirmed: isConfirmed(project),
      mayRefer: holds(membership, "AGREEMENT_CREATE", now),
      /** The supplier's id on its page of public results; undefined if it has published none so far. */
      subjectId,
      reference: stored === undefined ? undefined : yield* readReference(reader, stored)
    }
  })
})
export type ReferenceForPage = Effect.Success<ReturnType<typeof readReferenceForPage>>

const readReference = Effect.fnUntraced(function* (
  reader: Reader,
  stored: { readonly digest: string; readonly reference: string }
) {
  const payload = parseSigned<HistoryReference>(stored.reference)
  const person = yield* readPerson(reader, payload.madeBy.personId)
  return { payload, digest: stored.digest, madeBy: person?.name ?? payload.madeBy.personId }
})

const readAsBuyer = Effect.fnUntraced(function* (reader: Reader, by: ActingPerson, projectId: string, now: Instant) {
  const { project, memberships } = yield* readProjectAsParty(reader, by, projectId, now)
  const [membership] = memberships
  return membership.side === "BUYER" ? { project, membership } : yield* refuse("FORBIDDEN", { detail: forTheBuyer })
})

const forTheBuyer = "On which result an agreement rests is recorded by its buyer, and shown to the buyer's members."

/** True while agreed terms are in force: exactly then they can be superseded. */
const isConfirmed = ({ state }: Pick<ProjectRow, "state">): boolean => canMove(state, "SUPERSEDE")

/** The results of a passport, for a person of the buyer who selects one of them. Refused as the reference would be. */
export const readPassportResults = traced("closure.readPassportResults")(function* (
  by: ActingPerson,
  projectId: string,
  file: ResultPassport
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { project } = yield* readAsBuyer(reader, by, projectId, now)
    const [stored, passport] = yield* readTogether([
      reader.get(HistoryReferences, [projectId]),
      readOwnPassport(reader, file)
    ])
    const { supplierOrganizationId } = project
    const confirmed = isConfirmed(project) && supplierOrganizationId !== null ? { supplierOrganizationId } : undefined
    const refused = passportGuard({ hasReference: stored !== undefined, confirmed, passport })
    if (refused !== undefined) return yield* Effect.fail(refused)
    const publications = passport?.publications ?? []
    const disclosures = yield* readTogether(publications.map((one) => readDisclosure(reader, one)))
    return publications.map((one, index) => ({
      ...decodeSummary(one.summary),
      /** False for a result that is not public now, and for the agreement's own. */
      isSelectable: disclosures[index]!.isDisclosed && one.projectId !== projectId
    }))
  })
})
export type PassportResult = Effect.Success<ReturnType<typeof readPassportResults>>[number]

/**
 * What a person can name as the next agreement of an order's closure: of the newest projects that they may copy whole,
 * those with the order's supplier. No reference and no link is read.
 */
export const readNextAgreements = traced("closure.readNextAgreements")(function* (
  by: ActingPerson,
  resultOrderId: string
) {
  const now = yield* currentTime
  const original = yield* inView(function* (reader) {
    const { row } = yield* findOrderForClosure(reader, by, resultOrderId, now)
    // The project of an order is never removed.
    return (yield* readProjectRow(reader, row.projectId))!
  })
  const memberships = yield* readMembershipsInForce(by)
  const projects = yield* listNewestProjects(by)
  return {
    resultOrderId,
    title: parseCanonical(original.agreement).terms.title,
    agreements: projects.filter((project) => {
      const own = memberships.find((one) => one.organizationId === project.organizationId)
      const isWithSupplier =
        project.projectId !== original.projectId && project.supplierOrganizationId === original.supplierOrganizationId
      const { role: side } = project
      return (
        isWithSupplier &&
        own !== undefined &&
        passesRecordGate(project, { personId: by.personId, side, authorities: own.authorities })
      )
    })
  }
})
export type NextAgreements = Effect.Success<ReturnType<typeof readNextAgreements>>
