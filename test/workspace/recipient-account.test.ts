/** The page of an organization's account at the payment provider. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { accountPage, externalLinksOn } from "../support/order-pages.ts"
import { formOn, formsOn, readPage, submit } from "../support/page-forms.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { projectPage, textOn } from "../support/project-pages.ts"
import { postgresStorage, freshService, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, read } from "../support/workspace.ts"

describe("the recipient account", () => {
  layer(memoryTestService, { excludeTestServices: true })((it) => {
    it.effect("It is opened here, completed at the provider, and shown as the provider describes it now.", () =>
      Effect.gen(function* () {
        const supplier = yield* signInNewPerson("Sam")
        const path = accountPage(supplier.organizationId)
        const reader = yield* joinOrganization(supplier, "Rita", ["FINANCIAL_READ"])
        const none = yield* readPage(supplier, path)
        assert.deepStrictEqual([none.status, accessibilityFaults(none.text), externalLinksOn(none)], [200, [], []])
        assert.include(textOn(yield* readPage(reader, path)), "Opening it requires a membership")
        const form = formOn(none, path)
        for (const _ of [1, 2]) {
          const opened = yield* submit(supplier, form)
          assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, path])
        }
        const [account, ...others] = (yield* testProvider).state.accounts
        assert.deepStrictEqual(others, [])
        const incomplete = yield* readPage(supplier, path)
        assert.deepStrictEqual(accessibilityFaults(incomplete.text), [])
        assert.include(textOn(incomplete), `Account ${account!.accountId}`)
        assert.include(textOn(incomplete), "not yet, as the provider says now")
        assert.include(textOn(incomplete), "This leads to another site: payments.simulated.test")
        const [[address, rel] = []] = externalLinksOn(incomplete)
        assert.include(address, `return=${encodeURIComponent(`https://countersign.test${path}`)}`)
        assert.strictEqual(rel, "noreferrer noopener")
        const ofReader = yield* readPage(reader, path)
        assert.deepStrictEqual(externalLinksOn(ofReader), [])
        assert.include(textOn(ofReader), "A member who may offer orders sees here what is next.")
        const api = `/organizations/${supplier.organizationId}/recipient-account`
        assert.isString(createdBody(yield* read(supplier, api)).onboardingUrl)
        assert.isNull(createdBody(yield* read(reader, api)).onboardingUrl)
        yield* atProvider({ act: "onboard", accountId: account!.accountId })
        const complete = yield* readPage(reader, path)
        assert.deepStrictEqual([accessibilityFaults(complete.text), externalLinksOn(complete)], [[], []])
        assert.include(textOn(complete), "yes, as the provider says now")
      })
    )

    it.effect("A provider that does not answer or refuses is said in a sentence, and nothing can be opened.", () =>
      Effect.gen(function* () {
        const supplier = yield* signInNewPerson("Sam")
        const path = accountPage(supplier.organizationId)
        const form = formOn(yield* readPage(supplier, path), path)
        yield* submit(supplier, form)
        const provider = yield* testProvider
        const cases = [
          ["DOWN", "The payment provider does not answer"],
          ["REFUSING", "The payment provider refused the recipient account; ask the operator"]
        ] as const
        for (const [availability, text] of cases) {
          provider.condition = { availability }
          const page = yield* readPage(supplier, path)
          assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [503, []])
          assert.include(textOn(page), text)
          assert.deepStrictEqual(externalLinksOn(page), [])
        }
        provider.condition = { availability: "WORKING" }
      })
    )

    it.effect("It is for members with authority over payments only.", () =>
      Effect.gen(function* () {
        const supplier = yield* signInNewPerson("Sam")
        const path = accountPage(supplier.organizationId)
        const form = formOn(yield* readPage(supplier, path), path)
        const member = yield* joinOrganization(supplier, "Mia", ["DELIVERY_REVIEW"])
        const eve = yield* signInNewPerson("Eve")
        const reader = yield* joinOrganization(supplier, "Rita", ["FINANCIAL_READ"])
        for (const person of [member, eve]) assert.strictEqual((yield* readPage(person, path)).status, 403)
        for (const person of [member, eve, reader]) {
          const formToken = formsOn((yield* readPage(person, "/workspace/")).text)[0]!.hidden["formToken"]!
          const refused = yield* submit(person, { ...form, hidden: { formToken } })
          assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [403, []])
        }
        assert.notInclude(textOn(yield* readPage(supplier, path)), "as the provider says now")
      })
    )
  })

  const withoutProvider = Layer.unwrap(
    Effect.map(freshService, (connection) =>
      testService(postgresStorage(connection), undefined, undefined, undefined, { kind: "NONE" })
    )
  )

  layer(withoutProvider, { excludeTestServices: true })((it) => {
    it.effect("An installation without a provider says so in one sentence, and offers neither account nor order.", () =>
      Effect.gen(function* () {
        const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
        const path = accountPage(supplier.organizationId)
        const page = yield* readPage(supplier, path)
        assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
        assert.include(textOn(page), "This installation has no payment provider, so that no account can be opened")
        assert.deepStrictEqual(
          formsOn(page.text).map(({ action }) => action),
          ["/workspace/sign-out"]
        )
        const projectId = yield* agreementWithRecord({ buyer, supplier })
        const project = yield* readPage(supplier, projectPage(projectId))
        assert.include(textOn(project), "No Result Order can be offered: this installation has no payment provider")
        assert.notInclude(project.text, "/result-orders")
      })
    )
  })
})
