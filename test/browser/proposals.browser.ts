/** A proposal in browsers without script, with the keyboard alone: from the author's form to the supplier's answer. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { addContact } from "../../src/people/contacts.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { choose, directoryOf, pick, press, signInBy, tick, type, typeDate, unfold } from "../support/keyboard-user.ts"

const service = Layer.merge(
  servedSite(() => directoryOf("dana")),
  Chromium.layer
)
const day = 86_400_000
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())

/** Sam, the signed-in author, and Dana, who signs in with a password and gives Sam her person id. */
const parties = Effect.gen(function* () {
  const { url } = yield* Site
  const sam = yield* signInNewPerson("Sam")
  const recipient = yield* visit({ runsScript: false })
  const { page } = recipient
  const personId = yield* Effect.promise(async () => {
    await page.goto(`${url}/workspace/sign-in`)
    await signInBy(page, "dana")
    await page.goto(`${url}/workspace/`)
    await unfold(page, "Who you are")
    const shown = await page.locator("code.secret").innerText()
    await press(page, page.getByRole("button", { name: "Sign out" }))
    return shown
  })
  yield* addContact(sam, { organizationId: sam.organizationId, reference: "D7", name: "Dana", personId })
  const today = yield* now
  return {
    url,
    sam,
    personId,
    dates: [7, 14].map((days) =>
      addMilliseconds(today, days * day)
        .slice(0, 16)
        .replace("T", " ")
    ),
    author: yield* visitAs(url, sam),
    recipient
  }
})

const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true })

const next = (page: Page) => press(page, button(page, "Save and continue"))

/** Fills in the steps, up to the preview. */
const write = async (page: Page, [deadline = "", reviewDeadline = ""]: ReadonlyArray<string>) => {
  await pick(page, page.getByRole("combobox", { name: "Recipient" }), "Dana")
  await type(page, page.getByLabel("Name of the buyer"), "Dana Ltd")
  await type(page, page.getByLabel("How the buyer refers to the supplier"), "Offer 7")
  await next(page)
  await type(page, page.getByLabel("Title", { exact: true }), "Logo")
  await type(page, page.getByLabel("Scope"), "One logo, in colour.")
  await type(page, page.getByLabel("State at the start"), "None yet.")
  await type(page, page.getByLabel("Title of criterion 1"), "Vector files")
  await type(page, page.getByLabel("What criterion 1 requires"), "An SVG.")
  await next(page)
  await typeDate(page, page.getByLabel("Delivered until"), deadline)
  await typeDate(page, page.getByLabel("Reviewed until"), reviewDeadline)
  await next(page)
  await type(page, page.getByLabel("Purpose"), "A record for the bank.")
  await type(page, page.getByLabel("What is shared with whom"), "The record, with the bank.")
  await type(page, page.getByLabel("Who keeps the originals"), "Sam")
  await type(page, page.getByLabel("Where they are"), "Folder 7")
  await type(page, page.getByLabel("Who may open them"), "Both sides")
}

const accept = async (page: Page) => {
  await press(page, link(page, "Answer the proposal"))
  await choose(page, page.getByRole("radio", { name: "Accept the proposal" }))
  await type(page, page.getByLabel("Reason"), "We want exactly this.")
  await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
  await press(page, button(page, "Send the answer"))
}

const answerAgreement = async (page: Page) => {
  await press(page, link(page, "Go to the agreement"))
  await press(page, link(page, "Answer the terms"))
  await choose(page, page.getByRole("radio", { name: "Accept the terms" }))
  await type(page, page.getByLabel("Reason"), "As proposed.")
  await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
  await press(page, button(page, "Send the answer"))
}

layer(service, { excludeTestServices: true })("proposals", (it) => {
  it.effect(
    "A proposal is written, published, paused and accepted, and its agreement is answered.",
    () =>
      Effect.gen(function* () {
        const { url, sam, personId, dates, author, recipient } = yield* parties
        const { page } = author
        const theirs = recipient.page
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/proposals`)
          await press(page, link(page, "Write a proposal"))
          await write(page, dates)
        })
        yield* screenshot(page, "proposal-form")
        yield* Effect.promise(() => next(page))
        for (const expected of ["One logo, in colour.", "known to you as D7", "Nothing has been done yet."]) {
          assert.include(yield* textOf(page), expected)
        }
        yield* screenshot(page, "proposal-preview")
        yield* Effect.promise(() => press(page, button(page, "Save this proposal")))
        assert.include(yield* textOf(page), "it can be answered once it is published")
        yield* Effect.promise(() => press(page, link(page, "Publish")))
        assert.include(yield* textOf(page), `(${personId}), known to you as D7 only.`)
        yield* screenshot(page, "proposal-publish")
        yield* Effect.promise(() => press(page, button(page, "Publish version 1")))
        assert.include(yield* textOf(page), page.url())
        yield* screenshot(page, "proposal-published")

        yield* Effect.promise(async () => {
          await theirs.goto(page.url())
          await press(theirs, link(theirs, "Sign in"))
          await signInBy(theirs, "dana")
        })
        assert.strictEqual(theirs.url(), page.url())
        assert.include(yield* textOf(theirs), "One logo, in colour.")
        yield* screenshot(theirs, "proposal-received")
        yield* Effect.promise(() => theirs.goto(`${url}/workspace/`))
        assert.include(yield* textOf(theirs), "Waiting for you: 1 proposal")
        yield* Effect.promise(async () => {
          await press(theirs, link(theirs, "Logo"))
          await unfold(theirs, "Pause agents")
          await type(theirs, theirs.getByLabel("Reason"), "I read it myself.")
          await press(theirs, button(theirs, "Pause agents"))
        })
        assert.include(yield* textOf(theirs), "Paused for the buyer by dana")
        yield* screenshot(theirs, "proposal-paused")
        yield* Effect.promise(() => page.reload())
        assert.include(yield* textOf(page), "I read it myself.")

        yield* Effect.promise(() => press(theirs, link(theirs, "Answer the proposal")))
        assert.include(yield* textOf(theirs), "accepting a proposal does not accept the agreement for the supplier")
        yield* screenshot(theirs, "proposal-answer")
        yield* Effect.promise(async () => {
          await press(theirs, link(theirs, "Go to the proposal"))
          await accept(theirs)
        })
        assert.include(yield* textOf(theirs), "You accepted it: the agreement was made")
        yield* screenshot(theirs, "proposal-accepted")

        yield* Effect.promise(async () => {
          await page.reload()
          await answerAgreement(page)
        })
        assert.include(yield* textOf(page), "Both parties agreed on the")
        yield* Effect.promise(() => page.goto(`${url}/workspace/proposals`))
        yield* screenshot(page, "proposal-list")

        const narrow = yield* visitAs(url, sam, { width: 360, colorScheme: "dark" })
        const proposal = new URL(theirs.url()).pathname
        for (const path of ["/workspace/proposals", proposal, "/workspace/proposals/new"]) {
          yield* Effect.promise(() => narrow.page.goto(`${url}${path}`))
          const beyond = yield* Effect.promise(() =>
            narrow.page
              .locator("body")
              .evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.clientWidth)
          )
          assert.strictEqual(beyond, 0, path)
        }
        yield* screenshot(narrow.page, "proposal-narrow")
        for (const { complaints } of [author, narrow]) assert.deepStrictEqual(complaints, [])
        // The address was first opened without a session.
        assert.deepStrictEqual(
          recipient.complaints.filter((one) => !one.includes("401")),
          []
        )
        yield* Effect.promise(() => next(narrow.page))
        assert.include(yield* textOf(narrow.page), "Choose one of the contacts to send it to.")
        yield* screenshot(narrow.page, "proposal-form-problems")
      }),
    240_000
  )
})
