/** Parameters as Stripe reads them from a query or a form body: `a[b]=1` is a member, `a[]=1` and `a[0]=1` are elements. */
import { invalidRequest } from "./refusal.ts"

export type Encoded = string | EncodedMembers
export interface EncodedMembers {
  readonly [name: string]: Encoded
}

/** The parameters of a text. An element of a list is a member named by its index. */
export const decodeForm = (text: string): EncodedMembers => {
  const root: MutableMembers = Object.create(null)
  for (const [path, value] of new URLSearchParams(text)) place(root, namesOf(path), value, path)
  return root
}

interface MutableMembers {
  [name: string]: string | MutableMembers
}

const namesOf = (path: string): ReadonlyArray<string> => {
  if (!/^[a-z_]+(?:\[[A-Za-z0-9_]*\])*$/.test(path)) throw invalidRequest(`Invalid parameter name: ${path}`)
  return path.split("[").map((name) => name.replace("]", ""))
}

const place = (into: MutableMembers, [name = "", ...rest]: ReadonlyArray<string>, value: string, path: string) => {
  const key = name === "" ? String(Object.keys(into).length) : name
  const existing = into[key]
  if (rest.length === 0) {
    if (existing !== undefined) throw invalidRequest(`Invalid request: ${path} is given twice`, { param: path })
    into[key] = value
    return
  }
  if (typeof existing === "string") throw invalidRequest(`Invalid object: ${path}`, { param: path })
  const members = existing ?? (into[key] = Object.create(null) as MutableMembers)
  place(members, rest, value, path)
}
