/**
 * A result is offered, approved and paid through the simulated provider, and its Commerce Record and closure are saved;
 * without script, with the keyboard alone, on a narrow window.
 */
import { readFile } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { press, tabTo, tick, type } from "../support/keyboard-user.ts"
import { payableResult } from "../support/orders.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { assertShown } from "../support/shown-page.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { RequestOrigin } from "../support/workspace.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name })

/** Saves the file behind a link. */
const download = async (page: Page, name: string) => {
  await tabTo(page, link(page, name))
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

layer(service, { excludeTestServices: true })("Result Orders in a browser", (it) => {
  it.effect(
    "A result is offered, approved, paid at the provider and seen as paid, and its closure is saved.",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Site
        const { buyer, supplier, projectId } = yield* Effect.provideService(payableResult, RequestOrigin, url)
        const { page: offering, complaints } = yield* visitAs(url, supplier, { width: 320 })
        yield* Effect.promise(async () => {
          await offering.goto(`${url}/workspace/projects/${projectId}`)
          await type(offering, offering.getByLabel("Amount"), "1.250,00")
          await press(offering, button(offering, "Offer the result to the buyer"))
        })
        assert.include(yield* textOf(offering), "The amount is from 0.01 EUR to 999999.99 EUR")
        yield* assertShown(offering, "order-offer-problem")
        yield* Effect.promise(async () => {
          await tabTo(offering, offering.getByLabel("Amount"))
          await offering.keyboard.press("Control+A")
          await offering.keyboard.type("1250.00")
          await press(offering, button(offering, "Offer the result to the buyer"))
        })
        assert.include(yield* textOf(offering), "The buyer approves or declines the terms")
        yield* assertShown(offering, "order-offered-narrow")

        const { page, complaints: buyerComplaints } = yield* visitAs(url, buyer, { width: 320 })
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/`)
          await press(page, page.getByRole("main").locator('a[href*="/workspace/orders/"]'))
        })
        assert.strictEqual(page.url(), offering.url())
        const digests = page.getByText("Digest of the signed package")
        assert.isFalse(yield* Effect.promise(() => digests.isVisible()))
        yield* Effect.promise(async () => {
          await tabTo(page, page.getByText("Ids and digests of these terms"))
          await page.keyboard.press("Enter")
        })
        assert.isTrue(yield* Effect.promise(() => digests.isVisible()))
        yield* assertShown(page, "order-terms-narrow")
        yield* Effect.promise(async () => {
          await press(page, button(page, "Approve the terms"))
          await tick(page, page.getByRole("checkbox", { name: "I approve, for the buyer" }))
          await press(page, button(page, "Approve the terms"))
          await press(page, button(page, "Open a checkout"))
        })
        const checkout = link(page, "Go to the checkout")
        const [href, rel] = yield* Effect.promise(() =>
          Promise.all([checkout.getAttribute("href"), checkout.getAttribute("rel")])
        )
        assert.strictEqual(rel, "noreferrer noopener")
        assert.include(yield* textOf(page), new URL(href!).host)
        yield* Effect.promise(() => tabTo(page, checkout))
        yield* assertShown(page, "order-checkout-narrow")

        const { request } = (yield* testProvider).state.purchases[0]!
        assert.strictEqual(request.returnUrl, page.url())
        const { commerceOrderId } = request
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* Effect.promise(() => page.goto(`${request.returnUrl}?redirect_status=succeeded`))
        assert.include(yield* textOf(page), "being paid")
        yield* captureAttempt(commerceOrderId)
        yield* Effect.promise(() => page.reload())
        assert.include(yield* textOf(page), "Nothing is left to do: the order is paid.")
        assert.include(yield* textOf(page), "The provider verified the payment: every value is that of the terms.")
        yield* assertShown(page, "order-paid-narrow")
        const file = yield* Effect.promise(() => download(page, "Download the Commerce Record"))
        assert.strictEqual(file.name, "commerce-record.json")
        assert.strictEqual(JSON.parse(file.bytes.toString()).schema, "service.commerce-record/v1")
        const closure = yield* Effect.promise(() => download(page, "Download the closure"))
        assert.strictEqual(closure.name, "transaction-records.json")
        const { artifacts, references } = JSON.parse(closure.bytes.toString()).body.data
        assert.strictEqual(artifacts.commerceRecord, JSON.parse(file.bytes.toString()).record)
        const status = yield* Effect.promise(() => download(page, "download the status of the newest closure"))
        assert.strictEqual(status.name, "transaction-status.json")
        assert.deepStrictEqual(Object.keys(JSON.parse(status.bytes.toString())), ["commerce", "result"])
        assert.strictEqual(references.commerce.id, commerceOrderId)
        yield* Effect.promise(() => offering.reload())
        yield* screenshot(offering, "order-paid-supplier")
        assert.deepStrictEqual(
          [...complaints, ...buyerComplaints].filter((complaint) => !/\b400\b/.test(complaint)),
          []
        )
      }),
    120_000
  )

  it.effect(
    "A supplier opens the recipient account from the page of a project, and follows the link to complete it.",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Site
        const [supplier, projectId] = yield* Effect.provideService(
          Effect.gen(function* () {
            const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
            return [pair.supplier, yield* agreementWithRecord(pair)] as const
          }),
          RequestOrigin,
          url
        )
        const { page } = yield* visitAs(url, supplier, { width: 320 })
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/projects/${projectId}`)
          await press(page, link(page, "Open the recipient account"))
          await press(page, button(page, "Open the account"))
        })
        yield* assertShown(page, "recipient-account-narrow")
        const target = link(page, "Complete the account")
        const href = yield* Effect.promise(() => target.getAttribute("href"))
        // The other site is a page of the test: the request says nothing about where it came from.
        const reached = yield* Effect.promise(async () => {
          const requested = page.waitForRequest((request) => request.url() === href)
          await page.route("https://payments.simulated.test/**", (route) => route.fulfill({ body: "Onboarding" }))
          await tabTo(page, target)
          await page.keyboard.press("Enter")
          return (await requested).headers()["referer"] ?? null
        })
        assert.isNull(reached)
      })
  )
})
