/** The API reference, public: the operations of each OpenAPI document with their examples, and every refusal. */
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { h } from "preact"
import { refusals, type RefusalCode } from "../../vocabulary/refusal-rules.ts"
import type { RefusalRule } from "../../vocabulary/refusal-rule.ts"
import type { Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { pageRoute } from "../kit/page-route.ts"
import { list, paragraph, table } from "../kit/parts.ts"
import { pageHeadersWith, pageResponse } from "../kit/response.ts"

/** The references by their path under `/docs/`. */
const references = {
  agents: {
    title: "Agent API",
    about: "What an agent can do with the bearer token of a grant.",
    document: "/api/agents/v1/openapi.json"
  },
  people: {
    title: "API of people",
    about: "What the pages of the workspace do, as an API with the cookie of a session.",
    document: "/api/workspace/openapi.json"
  },
  public: {
    title: "Public API",
    about: "What needs no credential: specifications, results, passports.",
    document: "/api/public/openapi.json"
  }
} as const

const start = pageRoute(
  "GET",
  "/docs",
  Effect.sync(() =>
    page(
      { title: "API reference" },
      list([
        ...Object.entries(references).map(([name, { title, about }]) => [
          h("a", { href: `/docs/${name}` }, title),
          `: ${about}`
        ]),
        [
          h("a", { href: "/docs/refusals" }, "Refusals"),
          ": every code, with its status, its sentence and the next step."
        ],
        [h("a", { href: "/skill.md" }, "Skill"), ": the rules of the protocol for an agent, in one screen."],
        [h("a", { href: "/llms.txt" }, "llms.txt"), ": where a language model finds the rest."]
      ])
    )
  )
)

const operationsOf = (name: keyof typeof references) => {
  const { title, about, document } = references[name]
  return pageRoute(
    "GET",
    `/docs/${name}`,
    Effect.sync(() =>
      HttpServerResponse.setHeaders(
        pageResponse(
          page(
            { title, script: "reference" },
            about,
            paragraph("As data, with the same examples: ", h("a", { href: document }, document), "."),
            h("h2", null, "Operations"),
            h(
              "div",
              { "data-document": document, role: "region", "aria-label": "Operations", tabIndex: 0 },
              h("noscript", null, "The list of operations needs script. Without it, read the document above.")
            )
          )
        ),
        operationsHeaders
      )
    )
  )
}

/** In addition to every page: it reads the document, and the library draws icons from data. */
const operationsHeaders = pageHeadersWith({ "img-src": "'self' data:", "connect-src": "'self'" })

const refusalList = pageRoute(
  "GET",
  "/docs/refusals",
  Effect.sync(() =>
    page(
      { title: "Refusals" },
      "A refusal changed nothing, but after TEMPORARILY_UNAVAILABLE the outcome is unknown: send the saved request again. Its body has the code, one sentence, and where there is one the next step.",
      table({
        caption: "Every refusal",
        columns: ["Code", "Status", "Meaning", "Next step"],
        rows: codes.map(refusalRow),
        empty: ""
      })
    )
  )
)

const codes = Object.keys(refusals) as ReadonlyArray<RefusalCode>

const refusalRow = (code: RefusalCode): ReadonlyArray<Content> => {
  const { status, detail, nextAction }: RefusalRule = refusals[code]
  return [
    h("code", { id: code }, code),
    String(status),
    detail,
    nextAction === undefined ? "" : h("code", null, nextAction)
  ]
}

export const referencePages = Layer.mergeAll(
  start,
  operationsOf("agents"),
  operationsOf("people"),
  operationsOf("public"),
  refusalList
)
