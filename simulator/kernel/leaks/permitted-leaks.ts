/** Uses of a nondeterministic source whose result does not depend on it. `simulate verify` runs them on other machines. */
import type { CallSite } from "./call-site.ts"
import type { LeakKind } from "./leak-source.ts"

interface PermittedLeak {
  readonly kind: LeakKind
  /** The start of the place in the package. */
  readonly at: string
  /** The file of the project behind it. */
  readonly behind: string
}

const permittedLeaks: ReadonlyArray<PermittedLeak> = [
  // A ZIP entry has a local time. A fixed local date is parsed and written in the same zone, and is the same in each.
  { kind: "time zone", at: "fflate/", behind: "src/publications/zip.ts:" }
]

export const isPermitted = (kind: LeakKind, { at, behind = "" }: CallSite): boolean =>
  permittedLeaks.some((one) => kind === one.kind && at.startsWith(one.at) && behind.startsWith(one.behind))
