/** The probe of passports: in a final state, one of all that a supplier discloses verifies offline without private ids. */
import { Organizations } from "../../../src/people/store.ts"
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import { ProviderSubjects } from "../../../src/publications/store.ts"
import { type Instant, later } from "../../../src/vocabulary/instant.ts"
import { isObject, type Json, valueAt } from "../../vocabulary/json.ts"
import { verifyOffline } from "../../scenario/operations/verify-offline.ts"
import { type WorldFork, refusalOf } from "../world-fork.ts"
import { decodedText, refutedBy } from "./exported-files.ts"
import { projectsIn, serviceTimeIn } from "./expected-authorization.ts"

/** The violation of a passport that any client can export, in words. */
export const passportViolationIn = (fork: WorldFork, keys: IssuerKeys): string | undefined => {
  const { people, agents } = fork.context.directory
  const actor = [...people.keys(), ...agents.keys()][0]
  if (actor === undefined) return undefined
  for (const { subjectId } of fork.rows.of(ProviderSubjects)) {
    const listed = fork.act(actor, "listDisclosedPublications", subjectId)
    if (refusalOf(listed) !== undefined) return `the publications of ${subjectId} were refused to ${actor}`
    const publications = valueAt(listed?.body ?? null, "publications")
    if (!Array.isArray(publications) || publications.length === 0) continue
    for (const format of ["json", "zip"]) {
      const wrong = violationOf(fork, keys, fork.act(actor, "exportPassport", subjectId, { format })?.body)
      if (wrong !== undefined) return `the passport of ${subjectId} as ${format} ${wrong}`
    }
  }
  return undefined
}

/** A refused export is no violation: a key may be missing. */
const violationOf = (fork: WorldFork, keys: IssuerKeys, body: Json | undefined): string | undefined => {
  const file = isObject(body) ? (valueAt(body, "files.0.content") ?? body) : undefined
  if (file === undefined || valueAt(file, "manifest") === undefined) return undefined
  const text = decodedText(file)
  // The clock of the service, or the latest summary if that clock was set back.
  const issuedAt = [...text.matchAll(/"issuedAt":"([^"]+)"/g)].map(([, instant]) => instant as Instant)
  const report = verifyOffline({ artifact: file }, keys, issuedAt.reduce(later, serviceTimeIn(fork)))
  const refuted = refutedBy(report)
  if (refuted !== undefined) return refuted
  const privateIds = [
    ...projectsIn(fork).map(({ projectId }) => projectId),
    ...fork.rows.of(Organizations).map(({ organizationId }) => organizationId),
    ...[...fork.context.directory.people.values()].map(({ id }) => id)
  ]
  const found = privateIds.find((id) => text.includes(id))
  return found === undefined ? undefined : `contains ${found}, which is private`
}
