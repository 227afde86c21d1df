/** The values that scripts are made of: names, spans of time, offsets, addresses. Each says what it expects. */
import { Schema } from "effect"
import { isDuration, isOffset } from "./duration.ts"

export const Text = Schema.String.check(Schema.isMinLength(1, { expected: "a text" }))

/** What a script calls something: an actor, an organization, a step, something kept. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9-]*$/u, { expected: "a name: a letter, then letters, digits and hyphens" })
)

const aDuration = { expected: "a span of time such as 15s, 90m or 1d 6h" }

export const Duration = Schema.String.check(
  Schema.isPattern(/^\d+(?:ms|s|m|h|d)(?: ?\d+(?:ms|s|m|h|d))*$/u, aDuration),
  Schema.makeFilter((text) => isDuration(text), aDuration)
)

const anOffset = { expected: "an offset with its unit, such as +400ms or -10m" }

/** How far a clock is ahead of the world's, or behind it. */
export const Offset = Schema.String.check(
  Schema.isPattern(/^[+-]?\d+(?:ms|s|m|h|d)(?: ?\d+(?:ms|s|m|h|d))*$/u, anOffset),
  Schema.makeFilter((text) => isOffset(text), anOffset)
)

/** What a look-up of a name brings. */
export const Answers = Schema.Union([Schema.Array(Text), Schema.Literals(["NXDOMAIN", "UNREACHABLE"])]).annotate({
  expected: "a list of addresses, NXDOMAIN or UNREACHABLE"
})

export const HostName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u, { expected: "a host name such as hooks.example.com" })
)

export const isHostName = Schema.is(HostName)

/** How many. */
export const Count = Schema.Int.check(Schema.isGreaterThan(0, { expected: "a number above 0" }))

export const mapOf = <S extends Schema.Codec<any, any>>(values: S) => Schema.Record(Schema.String, values)

export const JsonObject = mapOf(Schema.Json)

/** A key that may be absent, with a sentence on what it says. */
export const optional = <S extends Schema.Top>(values: S, description: string) =>
  Schema.optionalKey(values).annotateKey({ description })

/** A key that has to be there. */
export const required = <S extends Schema.Top>(values: S, description: string) => values.annotateKey({ description })
