/** Dates: real time without parameters, and the time zone of the machine without an explicit one. */
import { alwaysLeaks, type LeakKind, type LeakSource, type SourceUse } from "./leak-source.ts"

export const dateSources = (): ReadonlyArray<LeakSource> => [
  { owner: globalThis, key: "Date", name: "Date", kindOf: kindOfConstruction },
  ...alwaysLeaks("real time", Date, "Date", ["now"]),
  { owner: Date, key: "parse", name: "Date.parse", kindOf: ({ parameters }) => kindOfText(parameters[0]) },
  ...alwaysLeaks("time zone", Date.prototype, "Date.prototype", inLocalTime)
]

const kindOfConstruction = ({ parameters, constructs }: SourceUse): LeakKind | undefined => {
  if (!constructs || parameters.length === 0) return "real time"
  return parameters.length === 1 ? kindOfText(parameters[0]) : "time zone"
}

/** A text without `Z` and offset is parsed in the time zone of the machine, unless it has no time of day. */
const kindOfText = (text: unknown): LeakKind | undefined => {
  if (typeof text !== "string" || hasZone.test(text) || isDateAlone.test(text)) return undefined
  return Number.isNaN(parse(text)) ? undefined : "time zone"
}

const parse = Date.parse
const hasZone = /(Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(\(.*\))?\s*$/i
const isDateAlone = /^([+-]\d{6}|\d{4})(-\d\d(-\d\d)?)?$/

const inLocalTime = [
  "getFullYear",
  "getYear",
  "getMonth",
  "getDate",
  "getDay",
  "getHours",
  "getMinutes",
  "getTimezoneOffset",
  "setFullYear",
  "setYear",
  "setMonth",
  "setDate",
  "setHours",
  "setMinutes",
  "toString",
  "toDateString",
  "toTimeString"
]
