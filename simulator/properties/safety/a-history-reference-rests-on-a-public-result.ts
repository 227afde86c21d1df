/** A buyer says on which result its choice rests while that result is public and the agreement in force (spec 2.14). */
import { digestOf } from "../../../src/canonical/digest.ts"
import { parseSigned } from "../../../src/canonical/jws.ts"
import { HistoryReferences, type HistoryReferenceRow } from "../../../src/closure/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { changesTo } from "../support/commits.ts"
import { monitoredProperty, rowIn, type Rows, violation } from "../property.ts"

export const aHistoryReferenceRestsOnAPublicResult = monitoredProperty<null>({
  name: "a history reference rests on a public result",
  kind: "always",
  says: "A history reference is made once, by the next agreement's buyer while the supplier's confirmation is in force, for a result of that supplier that is public; its link names the result's project and the next agreement.",
  judges: { kinds: [], commitsTo: [HistoryReferences] },
  initial: null,
  next: (_, moment) => {
    for (const { was, is } of changesTo(moment, HistoryReferences)) {
      const wrong = was === undefined && is !== undefined ? problemOf(is, moment.rows) : "was changed"
      if (wrong !== undefined) return violation(`the history reference of ${(is ?? was)?.projectId} ${wrong}`)
    }
    return null
  }
})

interface Reference {
  readonly project: { readonly id: string; readonly agreementDigest: string }
  readonly references: ReadonlyArray<{ readonly publicationId: string; readonly publicationDigest: string }>
  readonly madeBy: { readonly organizationId: string }
}

interface Link {
  readonly reference: { readonly digest: string }
  readonly original: { readonly projectId: string; readonly recordId: string }
  readonly next: { readonly projectId: string; readonly agreementDigest: string }
  readonly supplierOrganizationId: string
}

const problemOf = ({ projectId, reference, link }: HistoryReferenceRow, rows: Rows): string | undefined => {
  const signed = parseSigned<Reference>(reference)
  const { original, next, supplierOrganizationId, reference: linked } = parseSigned<Link>(link)
  const [named] = signed.references
  const project = rowIn(rows, Projects, [projectId])
  const publication = rowIn(rows, Publications, [named?.publicationId ?? ""])
  const earlier = rowIn(rows, Projects, [publication?.projectId ?? ""])
  if (project === undefined || publication === undefined || earlier === undefined) return "names no stored result"
  if (signed.references.length !== 1) return "names several results"
  if (rows.of(HistoryReferences).filter((one) => one.projectId === projectId).length > 1) return "is a second one"
  if (notInForce.has(project.state)) return `was made although its agreement is ${project.state}`
  if (publication.state !== "PUBLISHED" || earlier.state !== "BUYER_CONFIRMED")
    return "names a result that is not public"
  if (named?.publicationDigest !== publication.digest) return "names another summary than the public one"
  if (signed.madeBy.organizationId !== project.buyerOrganizationId) return "was not made by the buyer"
  const suppliers = [earlier.supplierOrganizationId, project.supplierOrganizationId]
  if (suppliers.some((one) => one !== supplierOrganizationId)) return "is of another supplier"
  const isLinked =
    linked.digest === digestOf(signed) &&
    original.projectId === earlier.projectId &&
    original.recordId === publication.recordId &&
    [next, { projectId: signed.project.id, agreementDigest: signed.project.agreementDigest }].every(
      (one) => one.projectId === projectId && one.agreementDigest === project.agreementDigest
    )
  return isLinked ? undefined : "has a link between other agreements"
}

/** The supplier has not confirmed the agreement, or it has ended. */
const notInForce: ReadonlySet<string> = new Set([
  "AWAITING_SUPPLIER",
  "AGREEMENT_CHANGES_REQUESTED",
  "SUPPLIER_DECLINED",
  "SUPERSEDED"
])
