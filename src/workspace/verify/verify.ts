/** The page that verifies a file in the browser, for anyone; without script it explains the command line. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { h } from "preact"
import { verifierLimits } from "../../verifier/verifier-limits.ts"
import type { Content, Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { pageRoute } from "../kit/page-route.ts"
import { list, paragraph, section } from "../kit/parts.ts"
import { pageHeadersWith, pageResponse } from "../kit/response.ts"
import { verifierPath } from "../kit/verifier-link.ts"

export const verifierPage = pageRoute(
  "GET",
  verifierPath,
  Effect.sync(() => HttpServerResponse.setHeaders(pageResponse(html()), verifierHeaders))
)

/** In addition to every page: no form may be sent, and that nothing can be connected to is said in so many words. */
const verifierHeaders = pageHeadersWith({ "form-action": "'none'", "connect-src": "'none'" })

const html = (): string =>
  page(
    { title: "Verify a file", script: "verifier" },
    "You received a file which states that a result was agreed, delivered, accepted or paid for. Here your browser checks it against the issuer’s public keys: every signature, every digest, and every statement against the others.",
    "Nothing is uploaded. The files stay in your browser, this page is not permitted to connect to anything, and it also works after you cut the network.",
    section("Before you begin", list(conditions)),
    form,
    h("p", { role: "status", "data-part": "status" }),
    h("div", { "data-part": "result" }),
    section("On the command line", ...commandLine)
  )

const conditions: ReadonlyArray<Content> = [
  [
    "The keys decide whom you trust. Obtain them once, independently of the file and of its sender, from the operator of this service: it prints them with ",
    h("code", null, "countersign admin issuer-keys"),
    " and publishes them at ",
    h("a", { href: "/.well-known/service-issuer-keys.json" }, "/.well-known/service-issuer-keys.json"),
    "."
  ],
  "The page itself comes from this service. To trust neither the service nor the network, use the command line on a machine of your own."
]

const fileInput = (id: string, label: string, hint: Content, isOptional = false): Element =>
  h(
    "div",
    { class: "field" },
    h("label", { for: id }, label, isOptional ? h("span", { class: "optional" }, " (optional)") : null),
    h("div", { class: "hint", id: `${id}-hint` }, hint),
    h("input", { type: "file", id, "aria-describedby": `${id}-hint` })
  )

const bytes = (count: number): string => `at most ${count.toLocaleString("en")} bytes`

const form = h(
  "form",
  { class: "fields", hidden: true, noValidate: true, "data-enhance": "verifier" },
  h("h2", null, "Choose the files"),
  fileInput(
    "artifact",
    "The file to verify",
    `A package, a record, a passport, a Commerce Record, a closure or a status; ${bytes(verifierLimits.artifactBytesMax)}. Choose it, or drop it on the field.`
  ),
  fileInput("keys", "The issuer’s keys", `Your own copy of the key file; ${bytes(verifierLimits.trustBytesMax)}.`),
  fileInput(
    "status",
    "The current status",
    `Only if you requested one; ${bytes(verifierLimits.portableBytesMax)}. Without it, the report says nothing of what has happened since the file was made.`,
    true
  ),
  fileInput(
    "authority",
    "The authority policy",
    `Only if an organization told you which grants it gave to agents; ${bytes(verifierLimits.authorityBytesMax)}.`,
    true
  ),
  h(
    "div",
    { class: "field" },
    h("label", { for: "checked-at" }, "The time of the check"),
    h(
      "div",
      { class: "hint", id: "checked-at-hint" },
      "In UTC, such as 2026-11-21T09:30:00.000Z. Now, or another time of interest."
    ),
    h("input", { type: "text", id: "checked-at", autocomplete: "off", "aria-describedby": "checked-at-hint" }),
    h("p", null, h("button", { type: "button", class: "quiet", "data-part": "now" }, "Set to the present time"))
  ),
  h("p", { class: "submit" }, h("button", { type: "submit" }, "Verify"))
)

const commandLine: ReadonlyArray<Content> = [
  paragraph(
    "The same verifier is a program of one file, ",
    h("code", null, "verify-result.mjs"),
    ", for a machine with Node 24 or newer and without network. Both give the same report, byte for byte:"
  ),
  h("p", null, h("code", null, "node verify-result.mjs package.jws keys.json 2026-11-21T09:30:00.000Z --text")),
  paragraph(
    "A status is added with ",
    h("code", null, "--status=<file>"),
    ", a policy with ",
    h("code", null, "--authority=<file>"),
    ". An installed ",
    h("code", null, "countersign verify"),
    " takes the same arguments."
  )
]
