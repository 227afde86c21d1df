/**
 * The parameters that an endpoint reads. Their names and values are those of the package's types: a name that Stripe does not
 * have is a compile error here, and in a request it is refused, like every parameter that this server does not simulate.
 */
import type { Encoded, EncodedMembers } from "./form-encoding.ts"
import { invalidRequest } from "./refusal.ts"

/** Reads one parameter; undefined where the request lacks it. */
export interface Form<A> {
  readonly read: (value: Encoded | undefined, name: string) => A
}

export const optional = <A>(form: Form<A>): Form<A | undefined> => ({
  read: (value, name) => (value === undefined ? undefined : form.read(value, name))
})

export const text = (maximum = 5000): Form<string> => ({
  read: (value, name) => {
    const read = required(value, name)
    if (typeof read !== "string") throw invalidRequest("Invalid string", { param: name })
    if (read === "") throw invalidRequest(`You passed an empty string for '${name}'.`, emptyString(name))
    if ([...read].length <= maximum) return read
    throw invalidRequest(`Invalid string: must be at most ${maximum} characters`, { param: name })
  }
})

export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Form<number> => ({
  read: (value, name) => {
    const read = text().read(value, name)
    if (!/^-?\d+$/.test(read)) throw invalidRequest(`Invalid integer: ${read}`, invalidInteger(name))
    const number = Number(read)
    if (number >= minimum && number <= maximum) return number
    throw invalidRequest(`This value must be from ${minimum} to ${maximum}.`, invalidInteger(name))
  }
})

export const flag: Form<boolean> = {
  read: (value, name) => {
    const read = text().read(value, name)
    if (read === "true" || read === "false") return read === "true"
    throw invalidRequest(`Invalid boolean: ${read}`, { param: name })
  }
}

export const oneOf = <const A extends string>(...words: ReadonlyArray<A>): Form<A> => ({
  read: (value, name) => {
    const read = text().read(value, name)
    const word = words.find((one) => one === read)
    if (word !== undefined) return word
    throw invalidRequest(`Invalid ${name}: must be one of ${words.join(", ")}`, { param: name })
  }
})

export const url: Form<string> = {
  read: (value, name) => {
    const read = text().read(value, name)
    if (URL.canParse(read) && /^https?:/.test(read)) return read
    throw invalidRequest("Not a valid URL", { code: "url_invalid", param: name })
  }
}

export const list = <A>(form: Form<A>, minimum: number, maximum: number): Form<Array<A>> => ({
  read: (value, name) => {
    const members = required(value, name)
    const names = typeof members === "string" ? undefined : Object.keys(members)
    if (typeof members === "string" || !names?.every((one, index) => one === String(index))) {
      throw invalidRequest("Invalid array", { param: name })
    }
    if (names.length < minimum || names.length > maximum) {
      throw invalidRequest(`Invalid array: must have from ${minimum} to ${maximum} elements`, { param: name })
    }
    return names.map((one) => form.read(members[one], `${name}[${one}]`))
  }
})

/** Up to 50 keys of 40 characters, with values of up to 500. */
export const metadata: Form<Record<string, string>> = {
  read: (value, name) => {
    const members = required(value, name)
    if (typeof members === "string") throw invalidRequest("Invalid object", { param: name })
    const names = Object.keys(members)
    if (names.length > 50 || names.some((one) => one.length > 40)) {
      throw invalidRequest("Metadata can have up to 50 keys, of up to 40 characters each.", { param: name })
    }
    return Object.fromEntries(names.map((one) => [one, text(500).read(members[one], `${name}[${one}]`)]))
  }
}

type FormsOf<P> = { readonly [K in keyof P]?: Form<P[K]> }
type Read<F> = F extends Form<infer A> ? A : never
type OptionalOf<F> = { [K in keyof F]: undefined extends Read<F[K]> ? K : never }[keyof F]
type ReadBy<F> = { readonly [K in Exclude<keyof F, OptionalOf<F>>]: Read<F[K]> } & {
  readonly [K in OptionalOf<F>]?: Exclude<Read<F[K]>, undefined>
}

/** The members of an object; P is the package's type of it. */
export const object =
  <P>() =>
  <F extends FormsOf<P> & { readonly [K in Exclude<keyof F, keyof P>]: never }>(forms: F): Form<ReadBy<F>> => ({
    read: (value, name) => {
      const members = required(value, name)
      if (typeof members === "string") throw invalidRequest("Invalid object", { param: name })
      return readMembers<F>(forms, members, (one) => `${name}[${one}]`)
    }
  })

/** All parameters of a request. */
export const parameters =
  <P>() =>
  <F extends FormsOf<P> & { readonly [K in Exclude<keyof F, keyof P>]: never }>(forms: F) =>
  (members: EncodedMembers): ReadBy<F> =>
    readMembers<F>(forms, members, (name) => name)

const readMembers = <F extends object>(
  forms: F,
  members: EncodedMembers,
  nameOf: (name: string) => string
): ReadBy<F> => {
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(forms, name))
  if (unknown !== undefined) {
    const param = nameOf(unknown)
    throw invalidRequest(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param })
  }
  const read = Object.entries(forms).map(
    ([name, form]: [string, Form<unknown>]) => [name, form.read(members[name], nameOf(name))] as const
  )
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as ReadBy<F>
}

const required = (value: Encoded | undefined, name: string): Encoded => {
  if (value !== undefined) return value
  throw invalidRequest(`Missing required param: ${name}.`, { code: "parameter_missing", param: name })
}

const emptyString = (param: string) => ({ code: "parameter_invalid_empty", param })
const invalidInteger = (param: string) => ({ code: "parameter_invalid_integer", param })
