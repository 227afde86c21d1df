/** Webhooks in a browser without script: created by keyboard, redelivered, paused, rotated and ended. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { runWorkerPass, subscribeAsAgent, target, TestReceiver, type ReceivedWebhook } from "../support/webhooks.ts"
import {
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  respondTo,
  submissionFor,
  supplierActions
} from "../support/parties.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { createdBody } from "../support/workspace.ts"
import { press, tick, type } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const refusedForm = "Failed to load resource: the server responded with a status of 400 (Bad Request)"
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())
const secretOn = (page: Page) => Effect.promise(() => page.locator("code.secret").innerText())
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name })

/** An agreement between Dana and Sam, with an agent of each. */
const parties = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const supplier = yield* signInNewPerson("Sam")
  const { token } = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
  const body = creationInput(supplier, yield* confirmAgreement, yield* now)
  const view = createdBody(yield* send("POST", "/api/agents/v1/projects", { token, body }))
  const projectId = view.project.taskId as string
  const agent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
  return { dana, supplier, projectId, buyerToken: token, token: agent.token }
})

const assertSigned = ({ headers, body }: ReceivedWebhook, secret: string): void => {
  const expected = signatureOf(secret, headers["service-timestamp"]!, body)
  assert.strictEqual(headers["service-signature"], expected)
}

layer(service, { excludeTestServices: true })("webhooks in a browser", (it) => {
  it.effect("Webhooks are created, monitored, redelivered, paused, rotated and ended with the keyboard alone.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { dana, supplier, projectId, token } = yield* parties
      const receiver = new TestReceiver()
      const pass = runWorkerPass.pipe(Effect.provide(receiver.layer))
      const { page, complaints } = yield* visitAs(url, dana)
      yield* Effect.promise(() => page.goto(`${url}/workspace/projects/${projectId}`))
      yield* Effect.promise(() => press(page, link(page, "Create a webhook for this project")))
      yield* screenshot(page, "callbacks-new")
      yield* Effect.promise(async () => {
        await type(page, page.getByLabel("Where is it sent?"), "http://hooks.example.com")
        await press(page, button(page, "Create the webhook"))
      })
      const problems = yield* textOf(page)
      assert.include(problems, "A target begins with https://.")
      assert.include(problems, "Choose at least one event type.")
      yield* screenshot(page, "callbacks-new-problem")
      yield* Effect.promise(async () => {
        const address = page.getByLabel("Where is it sent?")
        await type(page, address, "")
        await page.keyboard.press("Control+A")
        await page.keyboard.type(target)
        for (const what of ["The supplier accepted the terms", "The supplier delivered"]) {
          await tick(page, page.getByRole("checkbox", { name: what }))
        }
        await press(page, button(page, "Create the webhook"))
      })
      const secret = yield* secretOn(page)
      assert.match(secret, /^ddw_/)
      assert.notInclude(page.url(), secret)
      yield* screenshot(page, "callbacks-secret")
      yield* Effect.promise(() => press(page, link(page, "Go to this webhook")))
      assert.notInclude(yield* Effect.promise(() => page.content()), secret)
      const address = page.url()
      const reload = Effect.promise(() => page.goto(address))

      const terms = yield* readProject(token, projectId)
      createdBody(yield* sendCommand(token, projectId, "respond", respondTo(terms, { supplier })))
      yield* reload
      assert.match(yield* textOf(page), /Logo\s+waits to be sent/)
      assert.strictEqual(yield* pass, 1)
      assertSigned(receiver.received[0]!, secret)
      yield* reload
      assert.include(yield* textOf(page), "the receiver accepted it.")
      yield* Effect.promise(() => press(page, button(page, "Send again")))
      assert.include(yield* textOf(page), "waits to be sent")
      receiver.answers = ["TLS"]
      yield* pass
      yield* reload
      assert.include(yield* textOf(page), "the receiver’s TLS certificate is not valid for this address.")
      yield* screenshot(page, "callbacks-detail")

      yield* Effect.promise(() => press(page, button(page, "Pause this webhook")))
      const paused = yield* textOf(page)
      assert.include(paused, "waits until resumed")
      assert.include(paused, "once resumed")
      yield* screenshot(page, "callbacks-paused")
      yield* Effect.promise(() => press(page, button(page, "Resume this webhook")))
      yield* Effect.promise(() => press(page, button(page, "Create and show a new secret")))
      const another = yield* secretOn(page)
      assert.notStrictEqual(another, secret)
      assert.notInclude(page.url(), another)
      yield* Effect.promise(() => press(page, link(page, "Go to this webhook")))
      const agreed = yield* readProject(token, projectId)
      createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(agreed)))
      yield* pass
      assertSigned(receiver.received.at(-1)!, another)

      yield* Effect.promise(async () => {
        await press(page, button(page, "End this webhook"))
        await tick(page, page.getByRole("checkbox", { name: "I end this webhook" }))
        await press(page, button(page, "End this webhook"))
      })
      assert.include(yield* textOf(page), "It has ended")
      yield* screenshot(page, "callbacks-ended")
      // Two forms were refused and sent again.
      assert.deepStrictEqual(complaints, [refusedForm, refusedForm])
    })
  )

  it.effect("Webhooks of a person and of their agents are in one list, on a narrow and on a dark screen too.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { dana, projectId, buyerToken, supplier, token } = yield* parties
      yield* subscribeAsAgent(buyerToken, [projectId])
      yield* subscribeAsAgent(buyerToken, [projectId], { target: "https://failing.example.com/" })
      const terms = yield* readProject(token, projectId)
      createdBody(yield* sendCommand(token, projectId, "respond", respondTo(terms, { supplier })))
      const receiver = new TestReceiver()
      receiver.last = "DNS_FAILURE"
      yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
      for (const [name, options] of [
        ["callbacks", {}],
        ["callbacks-narrow", { width: 320 }],
        ["callbacks-dark", { colorScheme: "dark" }]
      ] as const) {
        const { page, complaints } = yield* visitAs(url, dana, options)
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/`)
          await page.getByRole("navigation").locator("summary", { hasText: "Agents" }).press("Enter")
          await press(page, page.getByRole("navigation").getByRole("link", { name: "Webhooks" }))
        })
        const text = yield* textOf(page)
        for (const said of ["failing.example.com", "agent Dana's agent", "The last attempt failed or was slow."]) {
          assert.include(text, said)
        }
        const width = Number(yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth")))
        assert.isAtMost(width, page.viewportSize()!.width, name)
        yield* screenshot(page, name)
        yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Webhook to failing.example.com" })))
        assert.include(yield* textOf(page), "the host name could not be resolved.")
        yield* screenshot(page, `${name}-failing`)
        const wide = Number(yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth")))
        assert.isAtMost(wide, page.viewportSize()!.width, name)
        assert.deepStrictEqual(complaints, [])
      }
    })
  )
})
