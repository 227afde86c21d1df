/**
 * A new buyer and a new supplier, from their first sign-in to the issued, downloaded and verified record: with the keyboard
 * alone, in windows of three widths, with script and light, and without script and dark. Every page fits its window and
 * breaks no rule of axe.
 */
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Storage } from "../../src/ports/storage.ts"
import { readStoredProject } from "../../src/projects/history.ts"
import { RecordIssuance } from "../../src/projects/issuance.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { Chromium, servedSite, Site, visit } from "../support/browser.ts"
import {
  acceptDelivery,
  acceptTerms,
  deliverFiles,
  downloadRecord,
  makeAgreement,
  personIdOn,
  requestRecord,
  type PersonWindow
} from "../support/first-record.ts"
import { dayFrom } from "../support/agreement-pages.ts"
import { folderWith } from "../support/folders.ts"
import { directoryOf, effortOn, signInBy } from "../support/keyboard-user.ts"
import { offlineVerdict } from "../support/offline-verdict.ts"
import { looksIn, type Look } from "../support/page-looks.ts"

const windows = [1280, 390, 320].flatMap((width) => [
  { width, runsScript: true, colorScheme: "light" as const },
  { width, runsScript: false, colorScheme: "dark" as const }
])
type Window = (typeof windows)[number]

const nameOf = (person: string, { width, runsScript }: Window) =>
  `${person}-${width}-${runsScript ? "script" : "plain"}`
const people = windows.flatMap((window) => [nameOf("dana", window), nameOf("sam", window)])

const service = Layer.merge(
  servedSite(() => directoryOf(...people)),
  Chromium.layer
)

const contents = { "logo.svg": "<svg>the logo</svg>", "logo.pdf": "%PDF the logo" }

/** Signs in for the first time, which creates the person's workspace. */
const firstSignIn = Effect.fnUntraced(function* (person: string, window: Window, look: Look) {
  const { url } = yield* Site
  const { page, complaints } = yield* visit(window)
  yield* Effect.promise(() => page.goto(`${url}/workspace/sign-in`))
  yield* look(page, `${person}-signs-in`)
  yield* Effect.promise(() => signInBy(page, nameOf(person, window)))
  yield* look(page, `${person}-home`)
  return { page, complaints, look, runsScript: window.runsScript }
})

/** The presses and values of an act. */
const effortOf = Effect.fnUntraced(function* <A, E, R>({ page }: PersonWindow, act: Effect.Effect<A, E, R>) {
  const before = effortOn(page)
  yield* act
  const after = effortOn(page)
  return { presses: after.presses - before.presses, values: after.values - before.values }
})

/** The buyer's organization. */
const organizationOf = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  const { project } = (yield* storage.view((reader) => readStoredProject(reader, projectId)))!
  return project.agreement.buyer.organizationId
})

const pathEnd = (url: string): string => new URL(url).pathname.split("/").at(-1)!

layer(service, { excludeTestServices: true })("a first record", (it) => {
  it.effect.each(windows)(
    "A new buyer and a new supplier get from the first sign-in to a verified record at $width pixels, with script: $runsScript, $colorScheme",
    (window) =>
      Effect.gen(function* () {
        const look = yield* looksIn(`first-record/${window.width}-${window.runsScript ? "script" : "plain"}`, window)
        const supplier = yield* firstSignIn("sam", window, look)
        const supplierId = yield* Effect.promise(() => personIdOn(supplier.page))
        const buyer = yield* firstSignIn("dana", window, look)
        const folder = yield* folderWith(contents)
        const files = Object.keys(contents).map((name) => path.join(folder, name))
        const today = yield* now
        const dates = { deadline: dayFrom(today, 7), reviewDeadline: dayFrom(today, 14) }
        const efforts = {
          make: yield* effortOf(buyer, makeAgreement(buyer, { supplierId, ...dates })),
          answer: yield* effortOf(supplier, acceptTerms(supplier)),
          deliver: yield* effortOf(supplier, deliverFiles(supplier, files)),
          review: yield* effortOf(buyer, acceptDelivery(buyer, files))
        }
        assert.deepStrictEqual(efforts, {
          make: { presses: 6, values: 16 },
          answer: { presses: 4, values: 3 },
          // With script each chosen file is a value; without, the lines of all files are one.
          deliver: window.runsScript ? { presses: 3, values: 4 } : { presses: 2, values: 3 },
          review: window.runsScript ? { presses: 5, values: 7 } : { presses: 4, values: 5 }
        })
        const projectId = pathEnd(buyer.page.url())
        const organizationId = yield* organizationOf(projectId)
        yield* grantCredits({ organizationId, credits: 1, reference: "order 1" })
        yield* requestRecord(buyer)
        // The worker's pass, which issues the record.
        yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
        assert.strictEqual(yield* offlineVerdict(yield* downloadRecord(buyer)), "VERIFIED_WITH_LIMITATIONS")
        for (const { complaints } of [buyer, supplier]) assert.deepStrictEqual(complaints, [])
      }),
    300_000
  )
})
