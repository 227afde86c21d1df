/** The addresses of the scripts of the pages. */
import type { ScriptName } from "../../ports/client-scripts.ts"

/** The same in every release, with an entity tag: while two releases serve side by side, either has the script of a page. */
export const scriptPaths = {
  pages: "/workspace/scripts/pages.js",
  verifier: "/workspace/scripts/verifier.js",
  reference: "/workspace/scripts/reference.js"
} as const satisfies { readonly [name in ScriptName]: string }
