/** Where a page may send a person: addresses under `/workspace` of this site, and nowhere else. */

/** True for the one spelling of an address under `/workspace`: what a browser would read as anything else is not. */
export const isLocalPath = (text: string): boolean => {
  if (text.length > 2000 || !form.test(text) || text.includes("//")) return false
  const read = new URL(text, base)
  const isUnder = read.pathname === "/workspace" || read.pathname.startsWith("/workspace/")
  return read.origin === base && isUnder && read.pathname + read.search + read.hash === text
}

/** The path itself where it is local; home otherwise. */
export const localPathOr = (text: string | undefined, otherwise: string): string =>
  text !== undefined && isLocalPath(text) ? text : otherwise

/** Where people start. */
export const home = "/workspace/"

/** The sign-in page, from which the person comes back to `returnTo`. */
export const signInPath = (returnTo: string = home): `${typeof home}${string}` => {
  const path = localPathOr(returnTo, home)
  return path === home ? signIn : `${signIn}?returnTo=${encodeURIComponent(path)}`
}

/** The same for somebody who has to show once more who they are, however recently they did. */
export const signInAgainPath = (returnTo: string = home): `${typeof home}${string}` => {
  const path = signInPath(returnTo)
  return `${path}${path.includes("?") ? "&" : "?"}freshly=on`
}

const signIn = "/workspace/sign-in"
const base = "https://local.invalid"

// Printable ASCII but the backslash, which browsers take for a slash: an address is written with escapes beyond it.
const form = /^\/[!-[\]-~]*$/
