/** A year over the control API; `npm run bench -- year` measures it, and two more ways through it. */
import { assert, describe, it } from "vitest"
import { passYear, startWorldForYear } from "../../support/year-over-control-api.ts"

describe("A year over the control API", () => {
  it.each([
    { way: "one advance", requests: 1 },
    { way: "a wait of an agent a day", requests: 365 }
  ] as const)(
    "By $way, no millisecond of virtual time is lost, and a webhook without an answer is sent eight times.",
    async ({ way, requests }) => {
      const server = await startWorldForYear()
      try {
        const passed = await passYear(server, way)
        assert.deepStrictEqual(passed, { requests, errorMilliseconds: 0, unansweredWebhooks: 8 })
      } finally {
        await server.stop()
      }
    },
    60_000
  )
})
