/** Webhooks that are sent twice to the program behind a receiver. */
import { afterEach, assert, describe, it } from "vitest"
import { ExternalPrograms } from "../../../simulator/serve/programs.ts"
import type { ProgramRequest, ProgramResponse } from "../../../simulator/environment/webhook-receivers/network.ts"
import { startProgram } from "../../support/simulator-server.ts"

const cleanups: Array<() => void> = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** What a program receives of one webhook, of which it refuses the first, and the answer that the world gets. */
const sendOne = async (isRepeating: boolean) => {
  const received: Array<unknown> = []
  const program = await startProgram((event, headers) => {
    received.push({ event, signature: headers["service-signature"] })
    return Promise.resolve(received.length === 1 ? 500 : 204)
  })
  cleanups.push(program.stop)
  const programs = new ExternalPrograms(10)
  programs.put("hooks", program.url)
  programs.isRepeating = isRepeating
  const request = { headers: { "service-signature": "v1=00" }, body: '{"sequence":1}' } as ProgramRequest["request"]
  const answer = await new Promise<ProgramResponse>((resolve) =>
    programs.ask({ receiver: "hooks", request, response: undefined, resume: () => {} }, resolve)
  )
  return { received, answer }
}

describe("repeated webhooks", () => {
  it("A repeated webhook reaches its program twice as the same bytes, and the second answer counts.", async () => {
    const one = { event: { sequence: 1 }, signature: "v1=00" }
    assert.deepStrictEqual(await sendOne(true), { received: [one, one], answer: 204 })
    assert.deepStrictEqual(await sendOne(false), { received: [one], answer: 500 })
  })
})
