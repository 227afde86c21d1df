/**
 * What an erasure leaves: signed bytes that hold the person's name, in projects and proposals of the person and of
 * organizations that they were a member of, and operators' acts that name them. Found by the exact name only.
 */
import { Effect } from "effect"
import { AdministrationActs } from "../administration/store.ts"
import { AuthorityEvents } from "../access/store.ts"
import { signedBytes } from "../canonical/jws.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { ProjectEvents, type ProjectRow } from "../projects/store.ts"
import { ProposalSides, ProposalVersions } from "../proposals/store.ts"
import { Publications } from "../publications/store.ts"
import { ResultRecords } from "../records/store.ts"
import { type PersonRows, projectsOf } from "./person-rows.ts"

/** Signed bytes, or bytes that a signature covers by their digest. */
export interface Remaining {
  readonly kind: "AGREEMENT" | "PROJECT_EVENT" | "RECORD" | "PUBLICATION" | "PROPOSAL_VERSION" | "AUTHORITY_EVENT"
  readonly of: string
  readonly id: string
  readonly digest: string
}

export const findRemaining = Effect.fnUntraced(function* (rows: PersonRows) {
  const { person, memberships, grants } = rows
  const holdsName = (text: string): boolean => text.includes(JSON.stringify(person.name).slice(1, -1))
  const parties = [...new Set([person.personId, ...memberships.map(({ organizationId }) => organizationId)])]
  const projects = new Map<string, ProjectRow>()
  const proposals = new Set<string>()
  for (const party of parties) {
    const [ofParty, sides] = yield* inView((reader) =>
      readTogether([projectsOf(reader, party), rangeAll(reader, ProposalSides, "key", { prefix: [party] })])
    )
    for (const project of ofParty) projects.set(project.projectId, project)
    for (const { proposalId } of sides) proposals.add(proposalId)
  }
  const found: Array<Remaining> = []
  // A snapshot for each project: a person can have very many.
  for (const project of projects.values()) {
    found.push(...(yield* inView((reader) => remainingInProject(reader, project, holdsName))))
  }
  for (const proposalId of proposals) {
    const versions = yield* inView((reader) => rangeAll(reader, ProposalVersions, "key", { prefix: [proposalId] }))
    for (const { version, document, digest } of versions) {
      if (holdsName(document)) found.push({ kind: "PROPOSAL_VERSION", of: proposalId, id: String(version), digest })
    }
  }
  for (const { grantId } of grants) {
    const events = yield* inView((reader) => rangeAll(reader, AuthorityEvents, "key", { prefix: [grantId] }))
    for (const { sequence, jws, hash } of events) {
      if (holdsName(textOf(jws)))
        found.push({ kind: "AUTHORITY_EVENT", of: grantId, id: String(sequence), digest: hash })
    }
  }
  return { signed: found, acts: yield* actsAbout(person.personId) }
})

const remainingInProject = Effect.fnUntraced(function* (
  reader: Reader,
  { projectId, agreement, agreementDigest }: ProjectRow,
  holdsName: (text: string) => boolean
) {
  const [events, records, publications] = yield* readTogether([
    rangeAll(reader, ProjectEvents, "key", { prefix: [projectId] }),
    rangeAll(reader, ResultRecords, "key", { prefix: [projectId] }),
    rangeAll(reader, Publications, "byProject", { prefix: [projectId] })
  ])
  const candidates: ReadonlyArray<Remaining & { readonly text: string }> = [
    { kind: "AGREEMENT", of: projectId, id: projectId, digest: agreementDigest, text: agreement },
    ...events.map(({ sequence, hash, jws }) => ({
      kind: "PROJECT_EVENT" as const,
      of: projectId,
      id: String(sequence),
      digest: hash,
      text: textOf(jws)
    })),
    ...records.map(({ recordId: id, digest, jws }) => ({
      kind: "RECORD" as const,
      of: projectId,
      id,
      digest,
      text: textOf(jws)
    })),
    ...publications.map(({ publicationId: id, digest, summary }) => ({
      kind: "PUBLICATION" as const,
      of: projectId,
      id,
      digest,
      text: textOf(summary)
    }))
  ]
  return candidates
    .filter(({ text }) => holdsName(text))
    .map(({ kind, of, id, digest }): Remaining => ({ kind, of, id, digest }))
})

const textOf = (jws: string): string => signedBytes(jws).toString("utf8")

/** The acts that made this person keep their arguments, a name and a subject: the log never changes. */
const actsAbout = Effect.fnUntraced(function* (personId: string) {
  const acts = yield* inView((reader) =>
    rangeAll(reader, AdministrationActs, "byCommand", { prefix: ["create-person"] })
  )
  return acts.filter(({ changed }) => changed.includes(personId)).map(({ actId }) => actId)
})
