/** Redirect targets: only paths under `/workspace` of this site. */

/** True for a normalized path under `/workspace`, which browsers resolve to exactly that path. */
export const isLocalPath = (text: string): boolean => {
  if (text.length > 2000 || !form.test(text) || text.includes("//")) return false
  const read = new URL(text, base)
  const isUnder = read.pathname === "/workspace" || read.pathname.startsWith("/workspace/")
  return read.origin === base && isUnder && read.pathname + read.search + read.hash === text
}

/** The path where it is local, else `otherwise`. */
export const localPathOr = (text: string | undefined, otherwise: string): string =>
  text !== undefined && isLocalPath(text) ? text : otherwise

/** The start page. */
export const home = "/workspace/"

/** The sign-in page, which returns to `returnTo`. */
export const signInPath = (returnTo: string = home): `${typeof home}${string}` => {
  const path = localPathOr(returnTo, home)
  return path === home ? signIn : `${signIn}?returnTo=${encodeURIComponent(path)}`
}

/** The same with a forced re-authentication, however recent the last one was. */
export const signInAgainPath = (returnTo: string = home): `${typeof home}${string}` => {
  const path = signInPath(returnTo)
  return `${path}${path.includes("?") ? "&" : "?"}freshly=on`
}

const signIn = "/workspace/sign-in"
const base = "https://local.invalid"

// Printable ASCII except the backslash, which browsers read as a slash; other characters are percent-encoded.
const form = /^\/[!-[\]-~]*$/
