/** Many publications of one supplier. */
import { toBase64url } from "../../src/canonical/base64url.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { exclusive } from "../../src/ports/storage.ts"
import { inTransaction } from "../../src/ports/storage/run.ts"
import { Publications } from "../../src/publications/store.ts"
import { decodeSummary, publicationDigestOf } from "../../src/publications/summary.ts"
import { uuid } from "./parties.ts"
import type { Published } from "./publications.ts"

/** Copies a publication of a project as often, with numbered titles; the signatures of the copies are invalid. */
export const copyPublication = ({ projectId, publicationId }: Published, copies: number) =>
  inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    const row = (yield* transaction.get(Publications, [publicationId]))!
    const [header, , signature] = row.summary.split(".")
    for (let number = 1; number <= copies; number++) {
      const payload = { ...decodeSummary(row.summary), publicationId: `pub_${uuid()}`, title: `Result ${number}` }
      yield* transaction.insert(Publications, {
        ...row,
        publicationId: payload.publicationId,
        digest: publicationDigestOf(payload),
        summary: `${header}.${toBase64url(canonicalText(payload))}.${signature}`
      })
    }
  })
