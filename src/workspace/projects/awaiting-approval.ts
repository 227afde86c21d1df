/** The public summaries that await a person's approval, as a table on the start page. */
import type { Effect } from "effect"
import type { listPublicationsToApprove } from "../../publications/operations.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { linkTo, table, time } from "../kit/parts.ts"
import { projectPath } from "./path.ts"

type Proposed = Effect.Success<ReturnType<typeof listPublicationsToApprove>>

export const awaitingApprovalTable = (proposed: Proposed): Content =>
  proposed.length === 0
    ? null
    : table({
        caption: "Public summaries that wait for your approval",
        columns: ["Summary", "Supplier", "Proposed"],
        rows: proposed.map(({ projectId, title, subject, proposedAt }) => [
          linkTo(projectPath(projectId), untrusted(title)),
          untrusted(subject.name),
          time(proposedAt)
        ]),
        empty: ""
      })
