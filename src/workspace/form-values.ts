/** What the fields of a form hold, each with the sentence that a person reads where it does not. */
import { Effect, Schema, SchemaGetter } from "effect"
import { Instant, isInstant } from "../vocabulary/instant.ts"

/** One line of 1 to `characters` characters, without the spaces around it. */
export const line = (what: string, characters: number) =>
  optionalLine(what, characters).check(Schema.isMinLength(1, { message: `${what} is needed.` }))

/** One line or nothing. */
export const optionalLine = (what: string, characters: number) =>
  trimmed(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isPattern(/^\P{Cc}*$/u, { message: `${what} is one line.` })
  )

/** Lines of 1 to `characters` characters together. */
export const lines = (what: string, characters: number) =>
  trimmed(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isMinLength(1, { message: `${what} is needed.` })
  )

/** Lines of at most `characters` characters together, or nothing. */
export const optionalLines = (what: string, characters: number) =>
  trimmed(what).check(Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }))

/** A number without a fraction, in digits. */
export const wholeNumber = (what: string, least: number, most: number) => {
  const message = `${what}: a whole number from ${least} to ${most}.`
  const isWithin = (digits: string) => /^\d{1,9}$/.test(digits) && Number(digits) >= least && Number(digits) <= most
  return trimmed(what)
    .check(Schema.makeFilter(isWithin, { message }))
    .pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform(Number),
        encode: SchemaGetter.transform(String)
      }),
      Schema.annotateKey({ messageMissingKey: neededOnce(what) })
    )
}

/** A day as a date field sends it, until its last moment in UTC; undefined where none was entered. */
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
      Schema.annotateKey({ messageMissingKey: neededOnce(what) })
    )
}

/** A password as it was typed. */
export const password = (what: string, characters: number) =>
  once(what).check(
    Schema.isMaxLength(characters, { message: `${what} has at most ${characters} characters.` }),
    Schema.isMinLength(1, { message: `${what} is needed.` })
  )

/** One of these, by radio buttons or a list. */
export const oneOf = <const Value extends string>(what: string, values: ReadonlyArray<Value>) => {
  const message = `Choose one: ${what}.`
  return Schema.Literals(values)
    .annotate({ message })
    .pipe(Schema.annotateKey({ messageMissingKey: message }))
}

/** Any of these, by checkboxes; none where no box was ticked. */
export const anyOf = <const Value extends string>(what: string, values: ReadonlyArray<Value>) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(Schema.Array(Schema.Literals(values).annotate({ message: `Choose again: ${what}.` })), {
      decode: SchemaGetter.transform((sent) => (typeof sent === "string" ? [sent] : sent) as ReadonlyArray<Value>),
      encode: SchemaGetter.transform((chosen) => chosen)
    }),
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  )

/** Whether one box was ticked. */
export const ticked = Schema.Literals(["on", "off"])
  .annotate({ message: "Tick this box once, or leave it." })
  .pipe(
    Schema.decodeTo(Schema.Boolean, {
      decode: SchemaGetter.transform((sent) => sent === "on"),
      encode: SchemaGetter.transform((isTicked) => (isTicked ? "on" : "off"))
    }),
    Schema.withDecodingDefaultKey(Effect.succeed("off" as const))
  )

/** A box that has to be ticked for anything to happen. */
export const mustBeTicked = (message: string) =>
  Schema.Literal("on")
    .annotate({ message })
    .pipe(Schema.annotateKey({ messageMissingKey: message }))

const trimmed = (what: string) =>
  once(what).pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((sent: string) => sent.trim()),
      encode: SchemaGetter.transform((text: string) => text)
    }),
    Schema.annotateKey({ messageMissingKey: neededOnce(what) })
  )

const once = (what: string) =>
  Schema.String.annotate({ message: neededOnce(what) }).pipe(
    Schema.annotateKey({ messageMissingKey: neededOnce(what) })
  )

const neededOnce = (what: string) => `${what}: fill this in, once.`
