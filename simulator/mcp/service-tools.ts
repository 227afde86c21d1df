/** One tool for each operation of the API of agents, made from its OpenAPI document. */
import { Result } from "effect"
import type { JsonObject } from "../vocabulary/json.ts"
import { inputSchemaOf } from "./input-schema.ts"
import { membersOf, operationsOf } from "./operation.ts"
import { requestOf } from "./operation-request.ts"
import type { ServiceClient } from "./service-client.ts"
import { notSent, type Tool } from "./tool.ts"

export const serviceTools = (document: JsonObject, client: ServiceClient): ReadonlyArray<Tool> => {
  const schemas = membersOf(membersOf(document["components"])["schemas"])
  return operationsOf(document).map((operation) => ({
    name: operation.name,
    description: operation.summary,
    inputSchema: inputSchemaOf(operation, schemas),
    call: async (input) => {
      const request = requestOf(operation, input)
      return Result.isFailure(request) ? notSent(request.failure) : client.send(request.success)
    }
  }))
}
