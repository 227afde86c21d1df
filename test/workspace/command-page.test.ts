/** The order in which the page of a command checks a submitted form. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { h } from "preact"
import { signIn } from "../../src/people/sessions.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { commandPageOf } from "../../src/workspace/commands/command-page.ts"
import type { Subject } from "../../src/workspace/commands/subject.ts"
import { formToken } from "../../src/workspace/kit/csrf.ts"
import { linesField } from "../../src/workspace/kit/form-field.ts"
import { pagesApp } from "../support/pages.ts"
import { sha, uuid } from "../support/parties.ts"
import { encode, postRaw } from "../support/page-forms.ts"
import { textOn } from "../support/project-pages.ts"
import { freshService, postgresStorage } from "../support/service.ts"

const kind = {
  name: "project",
  place: "projects",
  idKind: "delivery",
  acts: {
    KEEP: { name: "Keep it", path: "keep" },
    DROP: { name: "Drop it", path: "drop" }
  },
  blockedReason: (code: string) => code
} as const

/** A subject on which every person has KEEP and none has DROP. */
const subject: Subject<undefined, "KEEP" | "DROP", object, never> = {
  ...kind,
  headField: "head",
  hiddenFields: [],
  staleCode: "STALE_EVENT_HEAD",
  open: (visitor, id) =>
    Effect.succeed({
      visitor,
      model: undefined,
      view: {
        ...kind,
        id,
        head: sha,
        hints: { availableActions: ["KEEP"], blockedActions: [] },
        title: () => h("p", null, "The subject"),
        stateFacts: () => h("p", null, "Its state"),
        eventsSince: () => null,
        missingReason: () => "Your role does not permit it.",
        refusalText: () => "Your role does not permit it.",
        refusalStep: () => undefined
      }
    }),
  run: () => Effect.succeed({}),
  explain: (_, refused) => Effect.fail(refused)
}

const extraReads: Array<string> = []

const pageOf = (act: "KEEP" | "DROP") =>
  commandPageOf(subject)({
    acts: [act],
    operation: act,
    acknowledgement: { did: "You did it.", next: "It is done." },
    readExtra: () => Effect.sync(() => (extraReads.push(act), { hint: "Why?" })),
    fields: ({ extra }) => ({
      reason: linesField({ what: "The reason", label: "Reason", hint: extra?.hint ?? "", rows: 3, characters: 100 })
    }),
    show: (_, { reason }) => ({ fields: reason }),
    command: () => ({})
  })

const service = Layer.unwrap(
  Effect.map(freshService, (connection) =>
    pagesApp(Layer.merge(pageOf("KEEP"), pageOf("DROP")), { storage: postgresStorage(connection) })
  )
)

layer(service, { excludeTestServices: true })("forms of commands", (it) => {
  it.effect("Data of a command's page is read only for a person who has the command.", () =>
    Effect.gen(function* () {
      const session = yield* signIn(
        {
          issuer: "https://people.test",
          subject: "Ada",
          name: "Ada",
          email: null,
          authenticatedAt: fromMilliseconds(0)
        },
        { isInvited: false }
      )
      const token = formToken(yield* Secrets, session.sessionId)
      const projectId = `delivery_${uuid()}`
      const post = (path: string, reason: string) =>
        postRaw(
          session,
          `/workspace/projects/${projectId}/${path}`,
          encode({ formToken: token, requestId: uuid(), head: sha, reason })
        )
      const refused = yield* post("drop", "It is old.")
      assert.strictEqual(refused.status, 403, refused.text)
      assert.include(textOn(refused), "Reason It is old.")
      assert.deepStrictEqual(extraReads, [])
      const invalid = yield* post("keep", "long ".repeat(30))
      assert.strictEqual(invalid.status, 400, invalid.text)
      assert.include(extraReads, "KEEP")
      assert.strictEqual((yield* post("keep", "It is new.")).status, 303)
    })
  )
})
