/** The texts of an endpoint in the OpenAPI document. */
import { OpenApi } from "effect/http-api"

export const titled = (summary: string, description?: string) =>
  OpenApi.annotations(description === undefined ? { summary } : { summary, description })
