/**
 * The code of a refusal on the way of its response to the edge, which counts it: a header that the edge removes. So JSON and
 * pages are counted in one place, and no client sees it.
 */
import { HttpServerResponse } from "effect/http"
import { refusals, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { Refusal } from "../vocabulary/refusals.ts"

const header = "countersign-refusal"

export const refusalCodeHeader = ({ code }: Refusal): Readonly<Record<string, string>> => ({ [header]: code })

/** Undefined where the response is not that of a refusal. */
export const refusalCodeOf = ({ headers }: HttpServerResponse.HttpServerResponse): RefusalCode | undefined => {
  const code = headers[header]
  return code !== undefined && isRefusalCode(code) ? code : undefined
}

export const withoutRefusalCode = HttpServerResponse.removeHeader(header)

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)
