/** Cases on the manifest: it lists exactly the objects of the package, each with its digest and size. */

import { editManifest, editPackage, hex } from "../forgeries.ts"

import { sha256 } from "../signing.ts"
import { refusal } from "./samples.ts"
import type { Case } from "./case.ts"

const set = ["manifest-set", "MANIFEST_SET"] as const
const mismatch = ["manifest-entry", "DIGEST_MISMATCH"] as const

/** The first entry of the manifest is the agreement, the second the creation, and the last one the record. */
export const manifestCases: ReadonlyArray<Case> = [
  refusal("manifest/entry-missing_fail", "The manifest does not list the record that the package holds.", ...set, {
    forgery: editManifest((manifest) => manifest.pop())
  }),
  refusal("manifest/entry-of-nothing_fail", "The manifest lists an event that the package does not hold.", ...set, {
    forgery: editManifest((manifest) => manifest.push({ ...manifest[1], id: hex("a") }))
  }),
  refusal(
    "manifest/entry-twice_fail",
    "The manifest lists one event twice and another one not at all; each object is listed once.",
    ...set,
    {
      forgery: editManifest((manifest) => (manifest[2] = manifest[1]))
    }
  ),
  refusal(
    "manifest/entries-exchanged_fail",
    "Two entries of the manifest changed places; its order is fixed.",
    ...set,
    {
      forgery: editManifest((manifest) => manifest.splice(1, 2, manifest[2], manifest[1]))
    }
  ),
  refusal(
    "manifest/id-is-digest_fail",
    "An event is listed under the digest of its payload; its id is its hash without issuedAt.",
    ...set,
    {
      forgery: editManifest((manifest) => (manifest[1].id = manifest[1].digest))
    }
  ),
  refusal(
    "manifest/size_fail",
    "An entry gives a size that is one byte more than the object has.",
    "manifest-entry",
    "MANIFEST_ENTRY",
    {
      forgery: editManifest((manifest) => manifest[3].bytes++)
    }
  ),
  refusal(
    "manifest/kind_fail",
    "An event is listed as a record; a reader who goes by the manifest would take it for one.",
    "manifest-entry",
    "MANIFEST_ENTRY",
    {
      forgery: editManifest((manifest) => (manifest[3].kind = "record"))
    }
  ),
  refusal(
    "manifest/digest-is-hash_fail",
    "An event's digest is its hash without issuedAt; the digest is over the whole payload.",
    ...mismatch,
    {
      forgery: editManifest((manifest) => (manifest[1].digest = manifest[1].id))
    }
  ),
  refusal(
    "manifest/digest-of-base64_fail",
    "An entry gives the digest of the base64url text, not of the bytes it stands for.",
    ...mismatch,
    {
      forgery: editPackage((content) => (content["manifest"][1].digest = sha256(content["events"][0].split(".")[1])))
    }
  ),
  refusal(
    "manifest/digest-of-envelope_fail",
    "An entry gives the digest of the whole signed text, not of the payload.",
    ...mismatch,
    {
      forgery: editPackage((content) => (content["manifest"][1].digest = sha256(content["events"][0])))
    }
  ),
  refusal(
    "manifest/digest-of-indented-text_fail",
    "An entry gives the digest of the agreement as indented text; a digest is over the canonical form.",
    ...mismatch,
    {
      forgery: editPackage(
        (content) => (content["manifest"][0].digest = sha256(JSON.stringify(content["agreement"], null, 2)))
      )
    }
  ),
  refusal(
    "manifest/digest-in-capitals_fail",
    "A digest is written in capitals; it has one spelling.",
    "package-form",
    "DIGEST_FORM",
    {
      forgery: editManifest((manifest) => (manifest[0].digest = manifest[0].digest.toUpperCase()))
    }
  )
]
