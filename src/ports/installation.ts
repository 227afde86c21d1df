/** Configuration of this installation by its operator. */
import { Context } from "effect"

export interface LegalText {
  readonly kind: string
  readonly version: string
  /** SHA-256 of the text's UTF-8 bytes. */
  readonly digest: string
  readonly url: string
  readonly text: string
}

/** A condition that must be met before agreements are committed here; the operator declares whether it is. */
export interface Prerequisite {
  readonly id: string
  readonly statement: string
  readonly met: boolean
}

export class Installation extends Context.Service<
  Installation,
  {
    /** The site origin, without a trailing slash: absolute links are built from it, never from a request's Host. */
    readonly siteUrl: string
    readonly legalTexts: ReadonlyArray<LegalText>
    readonly prerequisites: ReadonlyArray<Prerequisite>
  }
>()("countersign/ports/Installation") {}
