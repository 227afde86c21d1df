/** Two public texts for agents: what the site is, and the rules of its protocol. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Installation } from "../ports/installation.ts"
import { agentSkill } from "./agent-skill.ts"
import { llmsText } from "./llms.ts"

const markdown = (path: "/skill.md" | "/llms.txt", text: (siteUrl: string) => string) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.map(Installation, ({ siteUrl }) =>
      HttpServerResponse.text(text(siteUrl), {
        contentType: "text/markdown; charset=utf-8",
        headers: { "cache-control": "public, max-age=300" }
      })
    )
  )

export const agentGuide = Layer.mergeAll(markdown("/skill.md", agentSkill), markdown("/llms.txt", llmsText))
