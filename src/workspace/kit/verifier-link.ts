/** How a downloaded file is verified: without this site, or by its page in the browser. */
import { h } from "preact"
import type { Content, Element } from "./html.ts"
import { paragraph } from "./parts.ts"

export const verifierPath = "/verify"

export const verifierLink = (): Element =>
  paragraph(h("a", { href: verifierPath }, "Verify the file in your browser"), ", without uploading it.")

/**
 * How a signed file is verified without this site, and here. `beginning` is the first sentence up to "be verified", and
 * `which` ends the sentence about the issuer's keys.
 */
export const offlineVerification = (beginning: string, which: string): Content => [
  paragraph(
    `${beginning} be verified offline: `,
    h("code", null, "verify-result"),
    " reads it unchanged, together with the keys file from ",
    h("code", null, "/.well-known/service-issuer-keys.json"),
    `, which ${which}.`
  ),
  verifierLink()
]
