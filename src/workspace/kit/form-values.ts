/** Schemas of form fields, each with the message for an invalid value. */
import { Effect, Schema, SchemaGetter } from "effect"
import { Instant, isInstant } from "../../vocabulary/instant.ts"

/** One line of 1 to `characters` characters, trimmed. */
export const line = (what: string, characters: number) =>
  optionalLine(what, characters).check(Schema.isMinLength(1, { message: `${what} is needed.` }))

/** One line, possibly empty. */
export const optionalLine = (what: string, characters: number) =>
  trimmed(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isPattern(/^\P{Cc}*$/u, { message: `${what} is one line.` })
  )

/** Lines of 1 to `characters` characters in total. */
export const lines = (what: string, characters: number) =>
  trimmed(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isMinLength(1, { message: `${what} is needed.` })
  )

/** Lines of at most `characters` characters in total, possibly empty. */
export const optionalLines = (what: string, characters: number) =>
  trimmed(what).check(Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }))

/** An integer in decimal digits. */
export const wholeNumber = (what: string, min: number, max: number) => {
  const message = `${what}: a whole number from ${min} to ${max}.`
  const isWithin = (digits: string) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max
  return trimmed(what)
    .check(Schema.makeFilter(isWithin, { message }))
    .pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform(Number),
        encode: SchemaGetter.transform(String)
      }),
      Schema.annotateKey({ messageMissingKey: missingMessage(what) })
    )
}

/** The value of a date field, as the last instant of that day in UTC; undefined where it is empty. */
export const optionalDay = (what: string) => {
  const lastMoment = (day: string) => `${day}T23:59:59.999Z`
  return trimmed(what)
    .check(
      Schema.makeFilter((day) => day === "" || isInstant(lastMoment(day)), {
        message: `${what} is a date such as 2026-11-21.`
      })
    )
    .pipe(
      Schema.decodeTo(Schema.UndefinedOr(Instant), {
        decode: SchemaGetter.transform((day: string) => (day === "" ? undefined : lastMoment(day))),
        encode: SchemaGetter.transform((instant) => instant?.slice(0, 10) ?? "")
      }),
      Schema.annotateKey({ messageMissingKey: missingMessage(what) })
    )
}

/** A password, not trimmed. */
export const password = (what: string, characters: number) =>
  once(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isMinLength(1, { message: `${what} is needed.` })
  )

/** One of `values`, from radio buttons or a list. */
export const oneOf = <const Value extends string>(what: string, values: ReadonlyArray<Value>) => {
  const message = `Choose one: ${what}.`
  return Schema.Literals(values)
    .annotate({ message })
    .pipe(Schema.annotateKey({ messageMissingKey: message }))
}

/** Any of `values`, from checkboxes; empty where none is ticked. */
export const anyOf = <const Value extends string>(what: string, values: ReadonlyArray<Value>) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(Schema.Array(Schema.Literals(values).annotate({ message: `Choose again: ${what}.` })), {
      decode: SchemaGetter.transform((sent) => (typeof sent === "string" ? [sent] : sent) as ReadonlyArray<Value>),
      encode: SchemaGetter.transform((chosen) => chosen)
    }),
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  )

/** The state of one checkbox. */
export const checkboxValue = Schema.Literals(["on", "off"])
  .annotate({ message: "Tick this box or leave it empty." })
  .pipe(
    Schema.decodeTo(Schema.Boolean, {
      decode: SchemaGetter.transform((sent) => sent === "on"),
      encode: SchemaGetter.transform((isTicked) => (isTicked ? "on" : "off"))
    }),
    Schema.withDecodingDefaultKey(Effect.succeed("off" as const))
  )

/** A checkbox that must be ticked. */
export const requiredCheckbox = (message: string) =>
  Schema.Literal("on")
    .annotate({ message })
    .pipe(Schema.annotateKey({ messageMissingKey: message }))

const trimmed = (what: string) =>
  once(what).pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((sent: string) => sent.trim()),
      encode: SchemaGetter.transform((text: string) => text)
    }),
    Schema.annotateKey({ messageMissingKey: missingMessage(what) })
  )

const once = (what: string) =>
  Schema.String.annotate({ message: missingMessage(what) }).pipe(
    Schema.annotateKey({ messageMissingKey: missingMessage(what) })
  )

const missingMessage = (what: string) => `${what}: fill in this field once.`
