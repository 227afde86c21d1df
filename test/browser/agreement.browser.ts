/** The supplier's half of an agreement in browsers without script, with the keyboard alone. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { now } from "../../src/vocabulary/instant.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import {
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  reviewOf,
  sha,
  uuid
} from "../support/parties.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { choose, press, tick, type, unfold } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())

/** An agreement made by Dana's agent that names Sam, who has a browser window. */
const offeredAgreement = Effect.gen(function* () {
  const { url } = yield* Site
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const granted = ["CREATE_PROJECT", "REVIEW_DELIVERY", "CONFIRM_COMPLETION", "REQUEST_DATE_CHANGE"] as const
  const { token } = yield* makeAgent(dana, "BUYER", granted)
  const body = creationInput(sam, yield* confirmAgreement, yield* now)
  const made = yield* send("POST", "/api/agents/v1/projects", { token, body })
  const projectId = made.body.project.taskId as string
  return { url, dana, sam, token, projectId, ...(yield* visitAs(url, sam)) }
})

/** Runs a command of Dana's agent. */
const runAgentCommand = Effect.fnUntraced(function* (
  { token, projectId }: { readonly token: string; readonly projectId: string },
  operation: string,
  bodyOf: (view: any) => object
) {
  const answer = yield* sendCommand(token, projectId, operation, bodyOf(yield* readProject(token, projectId)))
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
})

const answerTerms = async (page: Page) => {
  await press(page, page.getByRole("link", { name: "Answer the terms" }))
  await choose(page, page.getByRole("radio", { name: "Accept the terms" }))
  await type(page, page.getByLabel("Reason"), "These are the terms we spoke of.")
  await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
  await press(page, page.getByRole("button", { name: "Send the answer" }))
}

const fillDelivery = async (page: Page) => {
  await type(page, page.getByLabel("Summary of the delivery"), "The logo in one file.")
  await type(page, page.getByLabel("What answers criterion 1"), "An SVG of four layers.")
  await type(page, page.getByLabel("Files for criterion 1"), `logo.svg | folder/logo.svg | 41 | ${sha}`)
}

layer(service, { excludeTestServices: true })("a supplier's browser", (it) => {
  it.effect("A supplier answers the terms, delivers twice, and raises a concern about the acceptance.", () =>
    Effect.gen(function* () {
      const world = yield* offeredAgreement
      const { url, page, complaints } = world
      yield* Effect.promise(() => page.goto(`${url}/workspace/projects`))
      assert.include(yield* textOf(page), "Answer the terms")
      yield* screenshot(page, "agreement-list")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Logo" })))
      yield* screenshot(page, "agreement-offered")
      yield* Effect.promise(() => answerTerms(page))
      assert.include(yield* textOf(page), "Both parties agreed on the")

      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Deliver" })))
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Deliver" })))
      assert.include(yield* textOf(page), "What answers criterion 1 is needed.")
      yield* screenshot(page, "agreement-deliver-problems")
      yield* Effect.promise(async () => {
        await fillDelivery(page)
        await press(page, page.getByRole("button", { name: "Deliver" }))
      })
      assert.include(yield* textOf(page), "The supplier has delivered; the buyer reviews next.")
      yield* screenshot(page, "agreement-delivered")

      yield* runAgentCommand(world, "review", (view) =>
        reviewOf(view, "REQUEST_CHANGES", { reason: "It is too dark." })
      )
      yield* Effect.promise(async () => {
        await page.reload()
        await press(page, page.getByRole("link", { name: "Deliver" }))
      })
      assert.include(yield* textOf(page), "It is too dark.")
      const files = page.getByLabel("Files for criterion 1")
      assert.strictEqual(yield* Effect.promise(() => files.inputValue()), `logo.svg | folder/logo.svg | 41 | ${sha}`)
      yield* screenshot(page, "agreement-deliver-again")
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Deliver" })))
      yield* runAgentCommand(world, "review", (view) => reviewOf(view, "ACCEPT"))

      yield* Effect.promise(async () => {
        await page.reload()
        await unfold(page, "More actions")
        await press(page, page.getByRole("link", { name: "Raise a concern" }))
        await choose(page, page.getByRole("radio", { name: "The materials" }))
        await type(page, page.getByLabel("Reason"), "It was the file of another order.")
        await press(page, page.getByRole("button", { name: "Raise the concern" }))
      })
      assert.include(yield* textOf(page), "Do not rely on the acceptance until the concern is resolved.")
      yield* screenshot(page, "agreement-contested")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("link", { name: "Dismiss the concern" }))
        await type(page, page.getByLabel("Reason"), "It was the right file.")
        await press(page, page.getByRole("button", { name: "Dismiss the concern" }))
      })
      assert.include(yield* textOf(page), "The buyer accepted what was delivered.")
      assert.include(yield* textOf(page), "an agent of Dana for the buyer accepted the delivery")
      yield* screenshot(page, "agreement-accepted")
      // Only the empty form was answered with problems.
      assert.deepStrictEqual(
        complaints.filter((one) => !one.includes("400 (Bad Request)")),
        []
      )
    })
  )

  it.effect("A supplier who delivers from a stale page is shown the changes.", () =>
    Effect.gen(function* () {
      const world = yield* offeredAgreement
      const { url, page, projectId } = world
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/projects/${projectId}`)
        await answerTerms(page)
        await press(page, page.getByRole("link", { name: "Deliver" }))
        await fillDelivery(page)
      })
      yield* runAgentCommand(world, "date-revision", (view) => ({
        expectedEventHash: view.project.headEventHash,
        automationRevision: view.automation.revision,
        input: {
          requestId: uuid(),
          agreementDigest: view.project.agreement.digest,
          expectedEventHash: view.project.headEventHash,
          purpose: "DELIVERY",
          reason: "We need it a week later."
        }
      }))
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Deliver" })))
      const changed = yield* textOf(page)
      for (const expected of [
        "The project has changed meanwhile",
        "We need it a week later.",
        "An SVG of four layers."
      ]) {
        assert.include(changed, expected)
      }
      yield* screenshot(page, "agreement-changed")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Go to the project" })))
      yield* screenshot(page, "agreement-held")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("link", { name: "Continue under the agreed dates" }))
        await type(page, page.getByLabel("Reason"), "It is ready.")
        await press(page, page.getByRole("button", { name: "Continue under the agreed dates" }))
        await press(page, page.getByRole("link", { name: "Deliver" }))
        await fillDelivery(page)
        await press(page, page.getByRole("button", { name: "Deliver" }))
      })
      assert.include(yield* textOf(page), "the buyer reviews next")
    })
  )

  it.effect("A supplier who pauses the agents can still deliver, and resumes the agents.", () =>
    Effect.gen(function* () {
      const world = yield* offeredAgreement
      const { url, page, token, projectId } = world
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/projects/${projectId}`)
        await answerTerms(page)
        await unfold(page, "Pause agents")
        await type(page, page.getByLabel("Reason"), "I do this one myself.")
        await press(page, page.getByRole("button", { name: "Pause agents" }))
      })
      assert.include(yield* textOf(page), "Paused for the supplier by Sam")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("link", { name: "Deliver" }))
        await fillDelivery(page)
        await press(page, page.getByRole("button", { name: "Deliver" }))
      })
      const paused = yield* sendCommand(
        token,
        projectId,
        "review",
        reviewOf(yield* readProject(token, projectId), "ACCEPT")
      )
      assert.strictEqual(paused.body.error, "AGENT_PAUSED")
      yield* Effect.promise(async () => {
        await unfold(page, "Resume agents")
        await type(page, page.getByLabel("Reason"), "It is delivered.")
        await press(page, page.getByRole("button", { name: "Resume agents" }))
      })
      assert.include(yield* textOf(page), "Sam for the supplier resumed the agents")
      yield* runAgentCommand(world, "review", (view) => reviewOf(view, "ACCEPT"))
    })
  )

  it.effect("A supplier reads the same pages on a narrow screen.", () =>
    Effect.gen(function* () {
      const { url, sam, projectId } = yield* offeredAgreement
      const { page } = yield* visitAs(url, sam, { width: 360, colorScheme: "dark" })
      for (const path of [
        "/workspace/projects",
        `/workspace/projects/${projectId}`,
        `/workspace/projects/${projectId}/respond`
      ]) {
        yield* Effect.promise(() => page.goto(`${url}${path}`))
        const beyond = yield* Effect.promise(() =>
          page.locator("body").evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.clientWidth)
        )
        assert.strictEqual(beyond, 0, path)
      }
      yield* screenshot(page, "agreement-narrow")
    })
  )
})
