/** The response that shows a secret: only to the submission of its form, never in a URL, and never stored. */
import { h } from "preact"
import type { Content, Element } from "./html.ts"
import type { Place } from "./navigation.ts"
import { page } from "./page.ts"
import { facts, linkTo, notice, paragraph, type Fact } from "./parts.ts"
import type { Visitor } from "./visitor.ts"

export interface SecretPageOptions {
  readonly title: string
  readonly place: Place
  /** That it is shown only here, and what its holder can do. */
  readonly warning: string
  readonly facts: ReadonlyArray<Fact>
  readonly usage: Content
  /** What to do where the response was lost. */
  readonly ifLost: string
  readonly back: readonly [path: `/workspace/${string}`, label: string]
}

export const secretPage = ({ viewer }: Visitor, options: SecretPageOptions): string =>
  page(
    { title: options.title, viewer, place: options.place },
    notice("warning", paragraph(options.warning)),
    facts(options.facts),
    options.usage,
    paragraph(options.ifLost),
    paragraph(linkTo(...options.back))
  )

/** How a program sends a bearer token. */
export const bearerHeader: Element = paragraph(h("code", null, "Authorization: Bearer ", h("em", null, "the token")))
