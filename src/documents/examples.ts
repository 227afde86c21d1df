/** One recorded exchange of each operation, from the scenarios: `npm run examples` generates `examples.json`. */
import recorded from "./examples.json" with { type: "json" }
import type { Json, JsonObject } from "./json.ts"

export interface Example {
  readonly status: number
  readonly parameters?: JsonObject
  readonly request?: Json
  readonly response?: Json
}

export const examples = recorded as unknown as { readonly [operation: string]: Example | undefined }
