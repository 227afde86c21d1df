/** Declares the refusals of an operation or a middleware: the error type of its handler, and the responses it documents. */
import { Schema } from "effect"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { Refusal } from "../vocabulary/refusals.ts"

/**
 * The error schema of these refusals. `RequestGuard` answers a refusal; the schema encodes nothing. A handler that can
 * fail with another code does not compile. The codes of a command are those that its row and its decision state by type;
 * tests hold them to the responses.
 */
export const refuses = <const Codes extends ReadonlyArray<RefusalCode>>(...refusalCodes: Codes) =>
  Schema.declare(
    (value): value is Refusal<Codes[number]> => value instanceof Refusal && refusalCodes.includes(value.code)
  ).annotate({ refusalCodes })

/** The codes that an error schema declares. */
export const declaredCodes = (schema: Schema.Top): ReadonlyArray<RefusalCode> =>
  (Schema.resolveAnnotations(schema)?.["refusalCodes"] ?? []) as ReadonlyArray<RefusalCode>
