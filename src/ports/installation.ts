/** What an operator configures about this installation, as the service needs it. */
import { Context } from "effect"

export interface LegalText {
  readonly kind: string
  readonly version: string
  /** SHA-256 of the text's UTF-8 bytes. */
  readonly digest: string
  readonly url: string
  readonly text: string
}

/** What must be so before anybody commits an agreement here: the operator says whether it is. */
export interface Prerequisite {
  readonly id: string
  readonly statement: string
  readonly met: boolean
}

export class Installation extends Context.Service<
  Installation,
  {
    /** The site origin, without a slash at the end: absolute links are made from it, never from a request's Host. */
    readonly siteUrl: string
    readonly legalTexts: ReadonlyArray<LegalText>
    readonly prerequisites: ReadonlyArray<Prerequisite>
  }
>()("countersign/ports/Installation") {}
