/** Sign-ins by the directory and at a real provider, first sign-ins and sign-outs. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Page } from "playwright-core"
import { openIdConnect } from "../../src/adapters/sign-in/openid-connect.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { authorityLabels } from "../../src/workspace/kit/labels.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { startProvider } from "../support/openid-provider.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { directoryOf, press, signInBy, type, unfold } from "../support/keyboard-user.ts"

const scriptless = { runsScript: false }
const textOf = (page: Page) => page.getByRole("main").innerText()

const byDirectory = Layer.merge(
  servedSite(() => directoryOf("ada", "bea", "cara", "dora")),
  Chromium.layer
)

layer(byDirectory, { excludeTestServices: true })("a site with a directory", (it) => {
  it.effect("A sign-in with a name and a password returns to the requested page.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page, context, complaints } = yield* visit(scriptless)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/account`)
        await press(page, page.getByRole("main").getByRole("link", { name: "Sign in" }))
      })
      yield* screenshot(page, "sign-in-password")
      yield* Effect.promise(() => signInBy(page, "ada", "not the password"))
      assert.include(yield* Effect.promise(() => textOf(page)), "The name or the password is wrong.")
      assert.strictEqual(yield* Effect.promise(() => page.getByLabel("Name").inputValue()), "ada")
      assert.strictEqual(yield* Effect.promise(() => page.getByLabel("Password").inputValue()), "")
      yield* screenshot(page, "sign-in-password-wrong")
      yield* Effect.promise(async () => {
        await page.getByLabel("Name").fill("")
        await signInBy(page, "ada")
      })
      assert.strictEqual(page.url(), `${url}/workspace/account`)
      assert.deepStrictEqual(
        complaints.filter((text) => !text.includes("401")),
        []
      )
      yield* screenshot(page, "account")
      const cookies = yield* Effect.promise(() => context.cookies())
      assert.isTrue(cookies.every(({ httpOnly, secure, sameSite }) => httpOnly && secure && sameSite === "Lax"))
    })
  )

  it.effect("A first sign-in creates a workspace, and a sign-out ends the session.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page, context } = yield* visit(scriptless)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/sign-in`)
        await signInBy(page, "bea")
      })
      assert.strictEqual(page.url(), `${url}/workspace/`)
      yield* Effect.promise(async () => {
        await unfold(page, "Your organizations")
        await unfold(page, "Who you are")
      })
      const text = yield* Effect.promise(() => textOf(page))
      assert.match(text, /person_[0-9a-f-]{36}/)
      assert.include(text, authorityLabels.DELEGATE)
      yield* screenshot(page, "home")
      const before = yield* Effect.promise(() => context.cookies())
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Sign out" })))
      assert.include(yield* Effect.promise(() => textOf(page)), "Your agents continue")
      yield* screenshot(page, "signed-out")
      // A retained cookie is signed out too.
      yield* Effect.promise(() => context.addCookies(before))
      yield* Effect.promise(() => page.goto(`${url}/workspace/account`))
      assert.include(yield* Effect.promise(() => textOf(page)), "The session is missing, expired or ended")
    })
  )

  it.effect("An invited person gets no workspace and reads the terms before accepting them.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const owner = yield* signInNewPerson("Owner")
      const made = yield* inviteMember(owner, yield* nonIdempotentRequest(owner.personId), {
        organizationId: owner.organizationId,
        authorities: ["DELEGATE", "DELIVERY_REVIEW"]
      })
      const { page } = yield* visit(scriptless)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/join`)
        await type(page, page.getByLabel("Code of the invitation"), "ddi_mistyped")
        await press(page, page.getByRole("button", { name: "Continue" }))
      })
      assert.include(
        yield* Effect.promise(() => textOf(page)),
        "The invitation code is invalid, expired, used or revoked"
      )
      yield* screenshot(page, "join-unknown")
      yield* Effect.promise(async () => {
        await type(page, page.getByLabel("Code of the invitation"), "code" in made ? made.code : "")
        await press(page, page.getByRole("button", { name: "Continue" }))
      })
      assert.strictEqual(page.url(), `${url}/workspace/sign-in?returnTo=%2Fworkspace%2Fjoin`)
      yield* Effect.promise(() => signInBy(page, "cara"))
      assert.strictEqual(page.url(), `${url}/workspace/join`)
      const terms = yield* Effect.promise(() => textOf(page))
      for (const expected of ["Owner", authorityLabels.DELIVERY_REVIEW, "Your membership ends"])
        assert.include(terms, expected)
      yield* screenshot(page, "join-terms")
      yield* Effect.promise(() => page.goto(`${url}/workspace/`))
      const home = yield* Effect.promise(() => textOf(page))
      assert.include(home, "You are in no organization")
      yield* screenshot(page, "home-without-organization")
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/join`)
        await press(page, page.getByRole("button", { name: "Join on these terms" }))
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "You are a member of Owner")
      yield* screenshot(page, "join-accepted")
      yield* Effect.promise(() => page.goto(`${url}/workspace/`))
      assert.notInclude(yield* Effect.promise(() => textOf(page)), "You are in no organization")
    })
  )

  it.effect("A workspace is removed after the confirmation word is typed, and its person is signed out.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page } = yield* visit(scriptless)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/sign-in?returnTo=/workspace/account`)
        await signInBy(page, "dora")
        await press(page, page.getByRole("button", { name: "Remove the workspace" }))
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "Type the word “remove”")
      const focused = page.locator(".problems:focus")
      assert.strictEqual(yield* Effect.promise(() => focused.count()), 1, "the summary has the focus without script")
      yield* Effect.promise(async () => {
        await type(page, page.getByRole("textbox"), "remove")
        await press(page, page.getByRole("button", { name: "Remove the workspace" }))
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "all your sessions have ended")
      yield* screenshot(page, "account-removed")
      yield* Effect.promise(() => page.goto(`${url}/workspace/account`))
      assert.include(yield* Effect.promise(() => textOf(page)), "The session is missing, expired or ended")
    })
  )

  it.effect("A site under another host name leads to its canonical name.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page } = yield* visit(scriptless)
      yield* Effect.promise(() =>
        page.goto(`${url.replace("127.0.0.1", "localhost")}/workspace/sign-in?returnTo=%2Fworkspace%2Faccount`)
      )
      assert.strictEqual(page.url(), `${url}/workspace/sign-in?returnTo=%2Fworkspace%2Faccount`)
      yield* Effect.promise(() => signInBy(page, "ada"))
      assert.strictEqual(page.url(), `${url}/workspace/account`)
    })
  )
})

const byProvider = Layer.merge(
  servedSite((url) =>
    Effect.map(
      startProvider({ redirectUri: `${url}/workspace/sign-in/callback` }),
      ({ issuer, clientId, clientSecret }) =>
        openIdConnect({ issuer, clientId, clientSecret: Option.some(Redacted.make(clientSecret)), siteUrl: url })
    )
  ),
  Chromium.layer
)

/** Signs in on the pages of the provider. */
const signInAtProvider = async (page: Page, name: string): Promise<void> => {
  await press(page, page.getByRole("link", { name: "Go to the provider" }))
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill("any")
  const login = page.url()
  await page.locator('button[type="submit"]').click()
  // The provider's consent page has its own address and the same button.
  await page.waitForURL(({ href }) => href !== login)
  await page.locator('button[type="submit"]').click()
}

layer(byProvider, { excludeTestServices: true })("a site with a provider", (it) => {
  it.effect("A sign-in through a provider returns to the requested page and creates a workspace.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page, complaints } = yield* visit()
      yield* Effect.promise(() => page.goto(`${url}/workspace/sign-in?returnTo=%2Fworkspace%2Faccount`))
      yield* screenshot(page, "sign-in-provider")
      yield* Effect.promise(() => signInAtProvider(page, "erin"))
      yield* Effect.promise(() => page.waitForURL(`${url}/workspace/account`))
      const text = yield* Effect.promise(() => textOf(page))
      assert.include(text, "erin by name")
      assert.include(text, "Remove the workspace")
      assert.deepStrictEqual(
        complaints.filter((one) => one.includes("Content Security Policy")),
        []
      )
    })
  )

  it.effect("A sign-in of an invited person through a provider creates no workspace.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const owner = yield* signInNewPerson("Owner")
      const made = yield* inviteMember(owner, yield* nonIdempotentRequest(owner.personId), {
        organizationId: owner.organizationId,
        authorities: ["DELIVERY_REVIEW"]
      })
      const { page } = yield* visit()
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/join`)
        await page.getByLabel("Code of the invitation").fill("code" in made ? made.code : "")
        await page.getByRole("button", { name: "Continue" }).click()
        await signInAtProvider(page, "finn")
        await page.waitForURL(`${url}/workspace/join`)
        await page.getByRole("button", { name: "Join on these terms" }).click()
        await page.goto(`${url}/workspace/account`)
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "You have none.")
    })
  )

  it.effect("A sign-in that was cancelled at the provider ends on one page.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page } = yield* visit()
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/sign-in`)
        await press(page, page.getByRole("link", { name: "Go to the provider" }))
        await page.getByRole("link", { name: "Cancel" }).click()
        await page.waitForURL(`${url}/workspace/sign-in/callback?**`)
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "Start again")
      yield* screenshot(page, "sign-in-failed")
    })
  )
})
