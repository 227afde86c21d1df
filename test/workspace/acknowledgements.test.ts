/** What a form did is said once, on the page that it leads to, to the person who sent it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { cookieFrom } from "../support/forms.ts"
import { formOn, readPage, submit, type PageForm, type Values } from "../support/page-forms.ts"
import { makeAgent } from "../support/parties.ts"
import { createAgreementAsPerson, runToLocked, type Pair } from "../support/person-commands.ts"
import { openAct, pageInputs, projectPage, textOn } from "../support/project-pages.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

/** A page as the browser of a person requests it after a form: with the cookie that the form's answer set. */
const pageWith = (kept: string, { token }: Pick<SignedInPerson, "token">, address: string) =>
  send("GET", address, { headers: { cookie: `${cookieOf(token)}; ${cookieNames.notice}=${kept}` } })

const sendForm = Effect.fnUntraced(function* (by: SignedInPerson, form: PageForm, values: Values) {
  const answer = yield* submit(by, form, values)
  assert.strictEqual(answer.status, 303, answer.text)
  return { location: answer.headers["location"]!, kept: cookieFrom(answer, "notice") ?? assert.fail("no cookie") }
})

const status = /<div class="notice done" role="status" tabindex="-1" autofocus[^>]*>/

layer(freshTestService, { excludeTestServices: true })("acknowledgements of forms", (it) => {
  it.effect(
    "After a command, the project's page says once what was done and what happens next, and takes the focus there.",
    () =>
      Effect.gen(function* () {
        const both = yield* pair
        const projectId = yield* runToLocked(both)
        const { location, kept } = yield* sendForm(
          both.supplier,
          yield* openAct(both.supplier, projectId, "submit"),
          pageInputs.submit
        )
        assert.strictEqual(location, projectPage(projectId))
        const first = yield* pageWith(kept, both.supplier, location)
        assert.match(first.text, status)
        assert.include(textOn(first), "You delivered. The buyer reviews the delivery next.")
        assert.deepStrictEqual([cookieFrom(first, "notice"), accessibilityFaults(first.text)], ["", []])
        const again = yield* readPage(both.supplier, location)
        assert.notInclude(textOn(again), "You delivered.")
        assert.deepStrictEqual(again.cookies, [])
      })
  )

  it.effect("The text follows the decision: a declined agreement has ended.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* createAgreementAsPerson(both.buyer, both.supplier)
      const form = yield* openAct(both.supplier, projectId, "respond")
      const { location, kept } = yield* sendForm(both.supplier, form, { ...pageInputs.respond, action: "DECLINE" })
      const words = textOn(yield* pageWith(kept, both.supplier, location))
      assert.include(words, "You declined the terms. The agreement has ended.")
    })
  )

  it.effect("Another person, another page and a crafted cookie show no acknowledgement.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const elsewhere = yield* runToLocked(both)
      const { kept } = yield* sendForm(
        both.supplier,
        yield* openAct(both.supplier, projectId, "submit"),
        pageInputs.submit
      )
      for (const [by, address, cookie] of [
        [both.buyer, projectPage(projectId), kept],
        [both.supplier, projectPage(elsewhere), kept],
        [both.supplier, projectPage(projectId, "history"), kept],
        [both.supplier, projectPage(projectId), `${kept}A`]
      ] as const) {
        const page = yield* pageWith(cookie, by, address)
        assert.deepStrictEqual([page.status, page.text.includes('role="status"')], [200, false], address)
      }
    })
  )

  it.effect("Pausing the agents and revoking an agent are acknowledged likewise.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const { grantId } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      for (const [address, action, values, said] of [
        [projectPage(projectId), "pause", { reason: "Wait." }, "You paused the agents."],
        [`/workspace/agents/${grantId}`, "revoke", { confirmed: "on" }, "You revoked the agent."]
      ] as const) {
        const form = formOn(yield* readPage(both.supplier, address), `${address}/${action}`)
        const { location, kept } = yield* sendForm(both.supplier, form, values)
        assert.include(textOn(yield* pageWith(kept, both.supplier, location)), said)
      }
    })
  )
})

/** Redirects that follow no act: a replay, a sign-in, a typed code, a page that is at another address, the next step. */
const redirectsWithoutAct: { readonly [file: string]: number } = {
  "access/connect.ts": 1,
  "access/consent.ts": 1,
  "account/join.ts": 2,
  "account/sign-in-session.ts": 1,
  "commands/command-page.ts": 1,
  "drafts/start.ts": 4,
  "drafts/step-page.ts": 1,
  "drafts/step-preview.ts": 1,
  "kit/acknowledgement.ts": 1,
  "kit/signed-in.ts": 1,
  "organization/own-membership.ts": 1,
  "proposals/new.ts": 1,
  "proposals/update.ts": 1,
  "routes.ts": 1,
  "specifications/version.ts": 1
}

describe("the texts of acknowledgements", () => {
  const root = path.resolve(import.meta.dirname, "../../src/workspace")

  it("Every redirect after an act carries an acknowledgement: only the listed ones follow no act.", () => {
    const found = fs
      .globSync("**/*.ts", { cwd: root })
      .toSorted()
      .flatMap((file) => {
        const count = fs.readFileSync(path.join(root, file), "utf8").match(/\bseeOther\(/g)?.length ?? 0
        return count === 0 ? [] : [[file, count] as const]
      })
    assert.deepStrictEqual(Object.fromEntries(found), redirectsWithoutAct)
  })

  it("Every text of an act is one or two sentences and fits the cookie, sealed.", () => {
    const texts = fs
      .globSync("**/*.ts", { cwd: root })
      .flatMap((file) => [
        ...fs.readFileSync(path.join(root, file), "utf8").matchAll(/\bdid:\s+"([^"]*)",\s+next:\s+"([^"]*)"/g)
      ])
    assert.isAbove(texts.length, 40)
    for (const [, did = "", next = ""] of texts) {
      assert.match(did, /^[A-Z][^.]*\.$/)
      assert.match(next, /\.$/)
      assert.isBelow(did.length + next.length, limits.titleCharacters * 2)
    }
  })
})
