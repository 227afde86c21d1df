/** The ids of the sample. */
import { uuid } from "./signing.ts"

export const ids = {
  project: `delivery_${uuid(1)}`,
  buyer: `person_${uuid(2)}`,
  supplier: `person_${uuid(3)}`,
  buyerOrganization: `organization_${uuid(4)}`,
  supplierOrganization: `organization_${uuid(5)}`,
  buyerGrant: `grant_${uuid(6)}`,
  supplierGrant: `grant_${uuid(7)}`,
  buyerAgent: `agent_${uuid(8)}`,
  supplierAgent: `agent_${uuid(9)}`,
  record: `record_${uuid(10)}`,
  confirmation: `confirmation_${uuid(11)}`,
  /** The successor, whose acceptance supersedes the sample's project, and the grant that reaches only the successor. */
  successor: `delivery_${uuid(12)}`,
  successorGrant: `grant_${uuid(13)}`,
  successorAgent: `agent_${uuid(14)}`
}
export const salt = (number: number): string => number.toString(16).padStart(64, "0")
