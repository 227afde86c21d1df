/** The texts for agents, `/llms.txt` and `/skill.md`: what they name exists, and each fits a screen. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { documentFor } from "../../src/documents/document.ts"
import { HandoffInput } from "../../src/projects/commands/handoff.ts"
import { ReviewInput } from "../../src/projects/commands/review.ts"
import { SubmitInput } from "../../src/projects/commands/submit.ts"
import { isRefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { send, siteUrl } from "../support/service.ts"

const linesMax = 75
const textOf = (path: string) => Effect.map(send("GET", path), ({ text }) => text)

layer(memoryTestService, { excludeTestServices: true })("texts for agents", (it) => {
  it.effect.each(["/llms.txt", "/skill.md"])(
    "%s is public Markdown of at most 75 lines, and each link in it works.",
    (path) =>
      Effect.gen(function* () {
        const { status, headers, text } = yield* send("GET", path)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers["content-type"], "text/markdown; charset=utf-8")
        assert.isAtMost(text.split("\n").length, linesMax)
        const links = text.match(/https?:[^\s)]+/g) ?? []
        assert.isAbove(links.length, 3)
        for (const link of links) {
          assert.isTrue(link.startsWith(`${siteUrl}/`), link)
          const isBase = link.endsWith("/api/agents/v1")
          if (!isBase) assert.notStrictEqual((yield* send("GET", link.slice(siteUrl.length))).status, 404, link)
        }
      })
  )

  it.effect("The skill names operations, members, codes and steps that the agent API has.", () =>
    Effect.gen(function* () {
      const text = yield* textOf("/skill.md")
      const document = documentFor("/api/agents/v1/openapi.json", siteUrl)
      const { paths } = document as { readonly paths: { readonly [path: string]: object } }
      const operations = [...text.matchAll(/`(GET|POST) (\/[^`]*)`/g)]
      assert.isAbove(operations.length, 4)
      for (const [, method = "", path] of operations) {
        assert.property(paths[`/api/agents/v1${path}`], method.toLowerCase(), `${method} ${path}`)
      }
      const described = JSON.stringify(document)
      for (const [, name = ""] of text.matchAll(/`([a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)*)`/g)) {
        for (const member of name.split(".")) assert.include(described, `"${member}"`, name)
      }
      const codes = [...text.matchAll(/\| \d{3} `([A-Z_]+)` \|/g)].map(([, code = ""]) => code)
      assert.isAbove(codes.length, 5)
      for (const code of codes) assert.isTrue(isRefusalCode(code), code)
    })
  )

  it.effect("What the skill says of members of the input fits the bodies of the operations.", () =>
    Effect.gen(function* () {
      const text = yield* textOf("/skill.md")
      assert.include(text, "Where `input` has `agreementDigest` or\n   `expectedEventHash`")
      assert.property(ReviewInput.fields, "expectedEventHash")
      assert.property(SubmitInput.fields, "agreementDigest")
      assert.hasAllKeys(HandoffInput.fields, ["requestId", "reason"])
      assert.match(text, /`countersign digest --reference "[^"]+" <files…>`/)
    })
  )

  it.effect("The skill begins with a name and a description, as skill files do.", () =>
    Effect.map(textOf("/skill.md"), (text) => {
      assert.match(text, /^---\nname: [a-z-]{1,64}\ndescription: [^\n]{1,1024}\n---\n/)
    })
  )
})
