/** The canonical form of a JSON value (RFC 8785): only these bytes are hashed or signed. */
import canonicalize from "canonicalize"

declare const content: unique symbol

/** The canonical text of an `A`. Only `canonicalText` makes one, so reading it back needs no second check. */
export type CanonicalText<A> = string & { readonly [content]: A }

/** Throws a TypeError for a value without a JSON form; every value of the strict reader has one. */
export const canonicalText = <A>(value: A): CanonicalText<A> => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError("a value without a JSON form has no canonical text")
  return text as CanonicalText<A>
}

/** The value of a stored canonical text: the one place where stored bytes are trusted. */
export const parseCanonical = <A>(text: CanonicalText<A>): A => JSON.parse(text)

/**
 * The canonical texts of an object's members, in canonical order. An object is hashed whole, without a member, and member
 * by member; each text is computed once.
 */
export const canonicalMembers = (value: object): ReadonlyMap<string, string> => {
  const members = value as { readonly [member: string]: unknown }
  return new Map(
    Object.keys(members)
      .toSorted()
      .map((name) => [name, canonicalText(members[name])])
  )
}

/** The canonical text of the object with these members, or of that object without one of them. */
export const joinMembers = (members: ReadonlyMap<string, string>, without?: string): string => {
  const texts: Array<string> = []
  for (const [name, text] of members) if (name !== without) texts.push(`${canonicalText(name)}:${text}`)
  return `{${texts.join()}}`
}

export const canonicalBytes = (value: unknown): Uint8Array => new TextEncoder().encode(canonicalText(value))
