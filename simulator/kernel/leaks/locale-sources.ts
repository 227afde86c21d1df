/** Formatting and collation: the locale and time zone of the machine without explicit ones. */
import type { LeakKind, LeakSource, SourceUse } from "./leak-source.ts"

export const localeSources = (): ReadonlyArray<LeakSource> => [
  ...formatters.map((key) => ({ owner: Intl, key, name: `Intl.${key}`, kindOf: withoutLocale(0) })),
  { owner: Intl, key: "DateTimeFormat", name: "Intl.DateTimeFormat", kindOf: withoutLocaleOrZone },
  ...["toLocaleString", "toLocaleDateString", "toLocaleTimeString"].map((key) => ({
    owner: Date.prototype,
    key,
    name: `Date.prototype.${key}`,
    kindOf: withoutLocaleOrZone
  })),
  ...printed.map(({ owner, name }) => ({ owner, key: "toLocaleString", name, kindOf: withoutLocale(0) })),
  ...["toLocaleLowerCase", "toLocaleUpperCase"].map((key) => ({
    owner: String.prototype,
    key,
    name: `String.prototype.${key}`,
    kindOf: withoutLocale(0)
  })),
  {
    owner: String.prototype,
    key: "localeCompare",
    name: "String.prototype.localeCompare",
    kindOf: withoutLocale(1)
  }
]

const withoutLocale =
  (position: number) =>
  ({ parameters }: SourceUse): LeakKind | undefined => {
    const locale = parameters[position]
    return locale === undefined || (Array.isArray(locale) && locale.length === 0) ? "locale" : undefined
  }

const withoutLocaleOrZone = (use: SourceUse): LeakKind | undefined => {
  const options: unknown = use.parameters[1]
  const hasZone = typeof options === "object" && options !== null && Reflect.get(options, "timeZone") !== undefined
  return withoutLocale(0)(use) ?? (hasZone ? undefined : "time zone")
}

const formatters = [
  "NumberFormat",
  "PluralRules",
  "Collator",
  "ListFormat",
  "RelativeTimeFormat",
  "DurationFormat",
  "DisplayNames",
  "Segmenter"
]

const printed = [
  { owner: Number.prototype, name: "Number.prototype.toLocaleString" },
  { owner: BigInt.prototype, name: "BigInt.prototype.toLocaleString" },
  { owner: Array.prototype, name: "Array.prototype.toLocaleString" },
  { owner: Object.getPrototypeOf(Uint8Array.prototype), name: "TypedArray.prototype.toLocaleString" }
]
