/** Dates: the real time where nothing is given, and the zone of the machine wherever none is named. */
import { always, type LeakKind, type Source, type Use } from "./source.ts"

export const dateSources = (): ReadonlyArray<Source> => [
  { owner: globalThis, key: "Date", name: "Date", kindOf: constructed },
  ...always("real time", Date, "Date", ["now"]),
  { owner: Date, key: "parse", name: "Date.parse", kindOf: ({ parameters }) => ofText(parameters[0]) },
  ...always("time zone", Date.prototype, "Date.prototype", inLocalTime)
]

const constructed = ({ parameters, constructs }: Use): LeakKind | undefined => {
  if (!constructs || parameters.length === 0) return "real time"
  return parameters.length === 1 ? ofText(parameters[0]) : "time zone"
}

/** A text with neither `Z` nor an offset is read in the zone of the machine, unless it is a date alone. */
const ofText = (text: unknown): LeakKind | undefined => {
  if (typeof text !== "string" || saysItsZone.test(text) || isDateAlone.test(text)) return undefined
  return Number.isNaN(parse(text)) ? undefined : "time zone"
}

const parse = Date.parse
const saysItsZone = /(Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(\(.*\))?\s*$/i
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
