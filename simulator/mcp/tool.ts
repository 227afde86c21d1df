/** A tool as the Model Context Protocol knows it, without the SDK: what it is called, what it takes, and what it does. */
import type { JsonObject } from "../vocabulary/json.ts"

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of an object. */
  readonly inputSchema: JsonObject
  readonly call: (input: JsonObject) => Promise<ToolResult>
}

export interface ToolResult {
  /** One JSON value. */
  readonly text: string
  readonly isError: boolean
}

/** The input schema of a tool: an object that has no other members than these. */
export const objectSchema = (members: JsonObject): JsonObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  ...members,
  additionalProperties: false
})

/** A call that was not answered. */
export const unknownOutcome = (detail: string): ToolResult => ({
  text: JSON.stringify({ outcome: "UNKNOWN", detail }),
  isError: true
})

/** A call that was not sent. */
export const notSent = (detail: string): ToolResult => ({
  text: JSON.stringify({ outcome: "NOT_SENT", detail }),
  isError: true
})
