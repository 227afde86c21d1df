/** The scripts that browsers run on pages: built from `src/browser/`, and the same for every visitor. */
import { Context } from "effect"

/** That of every page, that of the verifier's page, and that of the API reference. */
export type ScriptName = "pages" | "verifier" | "reference"

export interface ClientScript {
  readonly text: string
  /** A quoted digest of the text (RFC 9110, 8.8.3). */
  readonly etag: string
}

/** A script that was not built is undefined: only `/verify` and `/docs/…` need theirs. */
export class ClientScripts extends Context.Service<
  ClientScripts,
  { readonly [name in ScriptName]: ClientScript | undefined }
>()("countersign/ports/ClientScripts") {}
