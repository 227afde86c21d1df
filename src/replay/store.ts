/** The table of idempotency keys, written in the transaction of the effect; a refusal leaves the key unused. */
import { instant, table, text } from "../ports/table.ts"

export const RequestKeys = table("request_keys", {
  columns: { owner: text(), requestId: text(), fingerprint: text(), target: text(), committedAt: instant },
  key: ["owner", "requestId"],
  guard: "append-only",
  raced: true
})
