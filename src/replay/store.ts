/** The table of request ids: remembered with the effect, in its transaction; a refusal leaves the id free. */
import { instant, table, text } from "../ports/table.ts"

export const RequestKeys = table("request_keys", {
  columns: { owner: text(), requestId: text(), fingerprint: text(), target: text(), committedAt: instant },
  key: ["owner", "requestId"],
  guard: "append-only",
  raced: true
})
