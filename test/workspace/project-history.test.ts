/** The history on a project's page, its older pages, and the pages of signed events. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chainHash } from "../../src/canonical/chain.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { readPage } from "../support/page-forms.ts"
import { makeAgent, readProject, sendCommand, submissionFor } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import { readProjectAsPerson, runToLocked, type Pair } from "../support/person-commands.ts"
import { actSuccessfully, pageInputs, projectPage, textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const pauseOften = Effect.fnUntraced(function* (personId: string, projectId: string, times: number) {
  for (let time = 0; time < times; time++) {
    const input = { personId, projectId, reason: `Pause ${time}.` }
    yield* time % 2 === 0 ? pauseAs(input) : resumeAs({ ...input, reason: `Resume ${time}.` })
  }
})

const unescaped = (html: string): string =>
  html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** What a person copies from a box of bytes. */
const bytesOn = (html: string, label: string): string =>
  unescaped(new RegExp(`aria-label="${label}"[^>]*><bdi>([^<]*)</bdi>`).exec(html)?.[1] ?? assert.fail(`no ${label}`))

layer(freshTestService, { excludeTestServices: true })("the history of a project", (it) => {
  it.effect("Pauses and resumes stand between the events, in the order of time, with their person and reason.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      yield* pauseAs({ personId: both.buyer.personId, projectId, reason: "I look first." })
      yield* actSuccessfully(both.supplier, projectId, "submit", pageInputs.submit)
      yield* resumeAs({ personId: both.buyer.personId, projectId, reason: "It is fine." })
      const words = textOn(yield* readPage(both.supplier, projectPage(projectId))).split("What happened")[1]!
      const inOrder = [
        "Dana for the buyer resumed the agents. It is fine.",
        "Sam for the supplier delivered, naming 1 file.",
        "Dana for the buyer paused the agents. I look first.",
        "Sam for the supplier accepted the terms."
      ]
      const places = inOrder.map((text) => words.indexOf(text))
      assert.notInclude(places, -1)
      assert.deepStrictEqual(
        places,
        places.toSorted((one, other) => one - other)
      )
    })
  )

  it.effect("A page shows the newest 20 entries and leads to the older ones, down to the first.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      yield* pauseOften(both.buyer.personId, projectId, 43)
      const seen: Array<string> = []
      let path: string | undefined = projectPage(projectId)
      for (let pages = 0; path !== undefined; pages++) {
        assert.isBelow(pages, 5)
        const page: { readonly status: number; readonly text: string } = yield* readPage(both.buyer, path)
        assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
        const found = page.text.match(/(?:Pause|Resume) \d+\.|made the agreement|accepted the terms/g) ?? []
        // The pause in force is also stated at the top of the project's page.
        const entries = pages === 0 ? found.slice(1) : found
        assert.isAtMost(entries.length, limits.historyOnPage)
        seen.push(...entries)
        path = /href="([^"]*\/history\?before=[^"]*)"/.exec(page.text)?.[1]
      }
      assert.lengthOf(seen, 45)
      assert.strictEqual(new Set(seen).size, 45)
      assert.deepStrictEqual([seen[0], seen.at(-1)], ["Pause 42.", "made the agreement"])
      const outsider = yield* signInNewPerson("Kim")
      const older = projectPage(projectId, "history?before=3,3")
      assert.strictEqual((yield* readPage(outsider, older)).status, 403)
      for (const unreadable of ["history", "history?before=x", "history?before=-1,2"]) {
        const page = yield* readPage(both.buyer, projectPage(projectId, unreadable))
        assert.deepStrictEqual([page.status, page.text.includes("Pause 42.")], [200, true])
      }
    })
  )

  it.effect("The page of an event carries exactly the signed bytes, which give the hash of the event.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const { events } = (yield* readProjectAsPerson(both.buyer, projectId)).project
      for (const by of [both.buyer, both.supplier]) {
        for (const { sequence, hash } of events as ReadonlyArray<{ sequence: number; hash: string }>) {
          const page = yield* readPage(by, projectPage(projectId, `events/${sequence}`))
          assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
          const text = bytesOn(page.text, "The signed bytes")
          const [, payload] = bytesOn(page.text, "The signature").split(".")
          assert.strictEqual(Buffer.from(payload!, "base64url").toString("utf8"), text)
          assert.strictEqual(chainHash(JSON.parse(text)), hash)
          assert.include(page.text, `<code>${hash}</code>`)
          const { issuedAt: _, ...members } = JSON.parse(text)
          assert.strictEqual(createHash("sha256").update(JSON.stringify(members)).digest("hex"), hash)
        }
      }
    })
  )

  it.effect("The page of an event marks invisible characters and says where the exact bytes are.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      yield* actSuccessfully(both.supplier, projectId, "submit", {
        ...pageInputs.submit,
        summary: "Turned \u202eround."
      })
      const { text } = yield* readPage(both.buyer, projectPage(projectId, "events/3"))
      assert.notInclude(text, "\u202e")
      assert.include(text, "Turned ‹U+202E›round.")
      assert.include(text, "the signature below carries the exact bytes")
      const [, payload] = bytesOn(text, "The signature").split(".")
      assert.include(Buffer.from(payload!, "base64url").toString("utf8"), "Turned \u202eround.")
    })
  )

  it.effect("The page of an event opens for the parties only, and is 404 for an event that the project lacks.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const outsider = yield* signInNewPerson("Kim")
      assert.strictEqual((yield* readPage(outsider, projectPage(projectId, "events/1"))).status, 403)
      for (const sequence of ["0", "3", "01", "1e3", "99999999999"]) {
        assert.strictEqual((yield* readPage(both.buyer, projectPage(projectId, `events/${sequence}`))).status, 404)
      }
    })
  )

  it.effect("An event of an agent links to its grant only for the person who gave it.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const { token, grantId } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const body = submissionFor(yield* readProject(token, projectId))
      assert.strictEqual((yield* sendCommand(token, projectId, "submit", body)).status, 200)
      const link = `href="/workspace/agents/${grantId}"`
      assert.include((yield* readPage(both.supplier, projectPage(projectId))).text, link)
      assert.strictEqual((yield* readPage(both.supplier, `/workspace/agents/${grantId}`)).status, 200)
      assert.notInclude((yield* readPage(both.buyer, projectPage(projectId))).text, link)
    })
  )
})

layer(countingService, { excludeTestServices: true })("the statements of a project's page", (it) => {
  it.effect("A project's page takes at most 17 statements, however often its agents were paused.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const countFor = (by: Pair["buyer"]) =>
        Effect.map(readPage(by, projectPage(projectId)), () =>
          statementsOf(observed.splice(0)).reduce((sum, count) => sum + count)
        )
      for (const times of [0, 30]) {
        yield* pauseOften(both.buyer.personId, projectId, times)
        for (const by of [both.buyer, both.supplier]) {
          yield* readPage(by, projectPage(projectId))
          observed.length = 0
          const count = yield* countFor(by)
          assert.isAtMost(count, 17)
        }
      }
    })
  )
})
