/** The schemas of a closure's lineage, as docs/portable-records.md specifies them. */
import { issuedMembers, passportFile, portableNames } from "./portable-shapes.ts"
import { digest, id, integer, listOf, name, object, type SchemaType, text, word } from "./schema-kit.ts"
import { agreement } from "./schemas.ts"

const projectId = id("delivery")
const organizationId = id("organization")
const recordId = id("record")
const referenceId = id("reference")
const agreementOf = { version: integer(1), agreementDigest: digest }

export const historyReference = object({
  ...issuedMembers(portableNames.historyReference),
  type: word("HISTORY_REFERENCE"),
  referenceId,
  project: object({ id: projectId, ...agreementOf }),
  passport: object({ digest, subjectId: id("provider") }),
  references: listOf(
    object({
      relation: word("COOPERATE"),
      resultId: recordId,
      publicationId: id("pub"),
      publicationDigest: digest,
      summaryDigest: digest
    })
  ),
  madeBy: object({ organizationId, personId: id("person") }),
  reason: text
})
export type HistoryReference = SchemaType<typeof historyReference>

export const agreementLink = object({
  ...issuedMembers(portableNames.agreementLink),
  type: word("AGREEMENT_LINK"),
  linkId: id("link"),
  reference: object({ id: referenceId, digest }),
  original: object({ projectId, ...agreementOf, recordId, recordDigest: digest }),
  next: object({ projectId, ...agreementOf, confirmedEventHash: digest }),
  supplierOrganizationId: organizationId
})
export type AgreementLink = SchemaType<typeof agreementLink>

export const agreementSnapshot = object({
  ...issuedMembers(portableNames.agreementSnapshot),
  agreement,
  supplierOrganizationId: organizationId,
  confirmedEvent: object({ sequence: integer(1), hash: digest }),
  state: name,
  head: object({ eventHash: digest, count: integer(1) })
})
export type AgreementSnapshot = SchemaType<typeof agreementSnapshot>

export const lineage = object({
  passport: passportFile,
  historyReference: text,
  agreementLink: text,
  nextAgreement: text
})
export type Lineage = SchemaType<typeof lineage>
