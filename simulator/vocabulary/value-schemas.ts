/** Schemas of the values in scripts: names, durations, offsets, addresses. Each describes what it expects. */
import { Schema } from "effect"
import { isDuration, isOffset } from "./duration.ts"

export const Text = Schema.String.check(Schema.isMinLength(1, { expected: "a string" }))

/** The name of an actor, an organization, a step or a kept value. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9-]*$/u, { expected: "a name: a letter, then letters, digits and hyphens" })
)

const duration = { expected: "a duration such as 15s, 90m or 1d 6h" }

export const Duration = Schema.String.check(
  Schema.isPattern(/^\d+(?:ms|s|m|h|d)(?: ?\d+(?:ms|s|m|h|d))*$/u, duration),
  Schema.makeFilter((text) => isDuration(text), duration)
)

const offset = { expected: "an offset with its unit, such as +400ms or -10m" }

/** A clock offset relative to the world's clock. */
export const Offset = Schema.String.check(
  Schema.isPattern(/^[+-]?\d+(?:ms|s|m|h|d)(?: ?\d+(?:ms|s|m|h|d))*$/u, offset),
  Schema.makeFilter((text) => isOffset(text), offset)
)

/** The answer of a DNS look-up. */
export const DnsAnswers = Schema.Union([Schema.Array(Text), Schema.Literals(["NXDOMAIN", "UNREACHABLE"])]).annotate({
  expected: "a list of addresses, NXDOMAIN or UNREACHABLE"
})

export const HostName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u, { expected: "a host name such as hooks.example.com" })
)

export const isHostName = Schema.is(HostName)

export const Count = Schema.Int.check(Schema.isGreaterThan(0, { expected: "a number above 0" }))

export const mapOf = <S extends Schema.Codec<any, any>>(values: S) => Schema.Record(Schema.String, values)

export const JsonObject = mapOf(Schema.Json)

/** An optional key, with its description. */
export const optional = <S extends Schema.Top>(values: S, description: string) =>
  Schema.optionalKey(values).annotateKey({ description })

/** A required key, with its description. */
export const required = <S extends Schema.Top>(values: S, description: string) => values.annotateKey({ description })
