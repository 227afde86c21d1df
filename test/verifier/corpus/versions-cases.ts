/** Cases on other artifacts: the first version of a package, and the record in a file of its own. */
import { editAgreement } from "../forgeries.ts"
import { policyFor } from "../policy.ts"
import type { Sample } from "../sample.ts"
import { base64url, digest, jcs, keys, kid, type Members, signBytes, signPayload } from "../signing.ts"
import { delegated, payloadOf, repackEvents } from "./samples.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase } from "./case-builders.ts"
import { segmentChanged } from "./record-jws.ts"

const base = delegated("CREATE", "ISSUE")
const firstVersion = "service.result-package/v1"

/** The first version of a sample's package, with these changes before it is signed. */
const packageV1 =
  (change: (content: Members) => unknown = () => undefined) =>
  (sample: Sample): string => {
    const { manifest: _, authority: __, ...content } = structuredClone(sample.package)
    content["schema"] = firstVersion
    change(content)
    return signPayload("PACKAGE", content)
  }

const packages: ReadonlyArray<Case> = [
  okCase(
    "versions/package-v1_ok",
    "A package of the first version: the same history, without a manifest and without authority.",
    {
      artifact: packageV1()
    }
  ),
  okCase("versions/package-v1-exported_ok", "A package of the first version in the file that people export.", {
    artifact: (sample) => ({ ...sample.review, record: packageV1()(sample) })
  }),
  okCase(
    "versions/package-v1-of-agents_ok",
    "Agents acted in this history; under whose authority was not checked, and the report says so.",
    {
      base,
      artifact: packageV1()
    }
  ),
  failCase(
    "versions/package-v1-signature-63-bytes_fail",
    "The last byte of the signature is missing from a package of the first version in the file that people export.",
    "package-signature",
    "SIGNATURE_INVALID",
    {
      artifact: (sample) => {
        const record = segmentChanged(packageV1()(sample), 2, (one) =>
          base64url(Buffer.from(one, "base64url").subarray(0, 63))
        )
        return { ...sample.review, record }
      }
    }
  ),
  failCase(
    "versions/package-v1-with-policy_fail",
    "A policy is given to be held against the authority of agents, and the first version holds none.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    { base, artifact: packageV1(), policy: (sample) => policyFor(sample.package) }
  ),
  failCase(
    "versions/package-v1-with-manifest_fail",
    "A package of the first version has a manifest, which that version does not know and nobody would check.",
    "package-form",
    "UNKNOWN_MEMBER",
    { artifact: (sample) => packageV1((content) => (content["manifest"] = sample.package["manifest"]))(sample) }
  ),
  failCase(
    "versions/package-v1-with-authority_fail",
    "A package of the first version has authority chains, which that version does not know and nobody would check.",
    "package-form",
    "UNKNOWN_MEMBER",
    { base, artifact: (sample) => packageV1((content) => (content["authority"] = sample.package["authority"]))(sample) }
  ),
  failCase(
    "versions/package-v2-without-manifest_fail",
    "A package lacks its manifest and still says that it is of the second version.",
    "package-form",
    "MISSING_MEMBER",
    { artifact: packageV1((content) => (content["schema"] = "service.result-package/v2")) }
  ),
  failCase(
    "versions/package-v1-under-the-name-of-v2_fail",
    "The header says the second version and the payload the first; one object must not pass as another.",
    "package-signature",
    "JWS_TYPE",
    {
      artifact: (sample) => {
        const payload = Buffer.from(packageV1()(sample).split(".")[1]!, "base64url")
        const header = jcs({ alg: "EdDSA", kid: kid("PACKAGE"), typ: "service.result-package/v2" })
        return signBytes(header, payload, keys.PACKAGE.privateKey)
      }
    }
  ),
  failCase(
    "versions/package-v3_fail",
    "A package of a version that does not exist yet; its meaning cannot be known.",
    "artifact-envelope",
    "KIND",
    {
      artifact: packageV1((content) => (content["schema"] = "service.result-package/v3"))
    }
  ),
  failCase(
    "versions/package-v1-event-removed_fail",
    "An event was taken out of a package of the first version; its history is checked like any other.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: repackEvents((events) => events.splice(1, 1)), artifact: packageV1() }
  ),
  failCase(
    "versions/package-v1-decision-kept-for-people_fail",
    "An agent issued a record that the terms let only people issue; that needs no authority chain to be seen.",
    "event-human-decision",
    "HUMAN_DECISION",
    {
      base,
      forgery: editAgreement(({ terms }) => (terms.subjectRequirements = [{ humanDecisions: ["ISSUE"] }])),
      artifact: packageV1()
    }
  )
]

/** The file of a record alone, with the service's unsigned metadata. */
const standardRecord = (change: (file: Members) => unknown = () => undefined): CaseInputs => ({
  artifact: ({ record }) => {
    const file: Members = { schema: "service.standard-record/v1", record, metadata: unsigned(payloadOf(record)) }
    change(file)
    return file
  }
})

const unsigned = (record: Members): Members => ({
  label: "UNSIGNED_AGENT_METADATA_NOT_VERIFIED",
  projectId: record["projectId"],
  agreementDigest: record["agreement"].digest,
  agreementVersion: record["agreement"].version,
  confirmationId: record["confirmation"].id,
  recordId: record["recordId"],
  recordDigest: digest(record),
  issuedAt: record["issuedAt"],
  state: "BUYER_CONFIRMED",
  reliance: "CURRENT"
})

const records: ReadonlyArray<Case> = [
  okCase(
    "versions/standard-record_ok",
    "A record in a file with words beside it; only the record is signed, and only it is read.",
    standardRecord()
  ),
  okCase(
    "versions/standard-record-with-status_ok",
    "A record in a file of its own, and beside it a status of that record.",
    { ...standardRecord(), status: (sample) => sample.status }
  ),
  okCase(
    "versions/standard-record-lying-metadata_ok",
    "The words beside the record claim another outcome; nobody signed them, and the report says that they were not used.",
    standardRecord(
      (file) => (file["metadata"] = { verdict: "VERIFIED", state: "SUPERSEDED", supplier: "Somebody Else" })
    )
  ),
  failCase(
    "versions/standard-record-unknown-member_fail",
    "The file has one member more than its version knows, and it could be taken for a status.",
    "artifact-envelope",
    "UNKNOWN_MEMBER",
    standardRecord((file) => (file["status"] = "CURRENT"))
  ),
  failCase(
    "versions/standard-record-without-metadata_fail",
    "The file has no metadata at all; it must be there, whatever it says.",
    "artifact-envelope",
    "MISSING_MEMBER",
    standardRecord((file) => delete file["metadata"])
  ),
  failCase(
    "versions/standard-record-v2_fail",
    "The file is of a version that does not exist yet; its meaning cannot be known.",
    "artifact-envelope",
    "VERSION",
    standardRecord((file) => (file["schema"] = "service.standard-record/v2"))
  ),
  failCase(
    "versions/standard-record-is-a-package_fail",
    "In the place of the record stands a whole package; one kind of object must not pass as another.",
    "record-signature",
    "JWS_TYPE",
    {
      artifact: (sample) => ({
        schema: "service.standard-record/v1",
        record: sample.review["record"],
        metadata: {}
      })
    }
  ),
  failCase(
    "versions/standard-record-forged_fail",
    "A stranger signed the record in the file under the name of the issuer's key; the signature is not that key's.",
    "record-signature",
    "SIGNATURE_INVALID",
    {
      ...standardRecord(),
      forgery: {
        signRecord: (record) =>
          signBytes(
            jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: record["schema"] }),
            jcs(record),
            keys.stranger.privateKey
          )
      }
    }
  )
]

export const versionsCases: ReadonlyArray<Case> = [...packages, ...records]
