/** The link to the page that verifies a downloaded file in the browser. */
import { h } from "preact"
import type { Element } from "./html.ts"
import { paragraph } from "./parts.ts"

export const verifierPath = "/verify"

export const verifierLink = (): Element =>
  paragraph(h("a", { href: verifierPath }, "Verify the file in your browser"), ", without uploading it.")
