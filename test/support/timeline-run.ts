/** A run of any length, as a trace, with every kind of entry that a timeline shows. */
import type { TimelineRun } from "../../simulator/view-model/timeline-run.ts"
import type { JsonObject } from "../../simulator/vocabulary/json.ts"

export const hostileText = `</script><script>document.title="owned"</script><!--<img src=x onerror="document.title='owned'">\u202e`

/** A run of these lines, all at one instant. */
export const runOf = (...lines: ReadonlyArray<JsonObject>): TimelineRun => ({
  title: "A run",
  file: "a-run.yaml",
  seed: 1,
  verdict: "PASSED",
  lines: lines.map((line) => ({ at: "2026-01-05T09:00:00.000Z", ...line }))
})

/** Ten lines a round; a round is half a minute after the one before, and every hundredth two weeks after. */
export const longRun = (rounds: number): TimelineRun => ({
  title: `A long run ${hostileText}`,
  say: `Everything happens again and again. ${hostileText}`,
  file: "scenarios/99-long.yaml",
  seed: 99,
  verdict: "PASSED",
  lines: [
    { at: momentOf(0), kind: "scenario", title: hostileText, seed: 99 },
    { at: momentOf(0), kind: "given", name: "dana", is: "person", answer: { personId: "person_1" } },
    { at: momentOf(0), kind: "given", name: "hooks", is: "receiver", answer: { host: "hooks.example.com" } },
    ...[...Array(rounds).keys()].flatMap(round)
  ],
  narration: [{ step: 1, say: `Dana begins. ${hostileText}` }]
})

const round = (number: number): ReadonlyArray<JsonObject> => {
  const at = momentOf(number)
  const isRefused = number % 50 === 49
  const isPaused = number % 20 >= 10
  return [
    { at, kind: "step", actor: "scout", operation: "submit", step: number + 1 },
    {
      at,
      kind: "request",
      actor: "scout",
      method: "POST",
      path: `${projectPath}/submit`,
      body: bodyOf(number),
      lost: false
    },
    {
      at,
      kind: "commit",
      actor: "scout",
      writes: [{ change: "update", table: "projects", key: ["delivery_1"] }],
      changes: [
        {
          table: "projects",
          key: ["delivery_1"],
          before: { eventCount: number, state: "LOCKED", title: hostileText },
          after: { eventCount: number + 1, state: `ROUND_${number}`, title: hostileText }
        }
      ]
    },
    isRefused
      ? { at, kind: "response", actor: "scout", status: 409, body: { error: "STALE_EVENT_HEAD" }, lost: false }
      : { at, kind: "response", actor: "scout", status: 200, body: answerOf(number, isPaused), lost: false },
    {
      at,
      kind: "commit",
      actor: "worker",
      writes: [{ change: "insert", table: "webhook_attempts", key: [`whd_${number >> 1}`, (number & 1) + 1] }]
    },
    {
      at,
      kind: "callback",
      actor: "worker",
      receiver: "hooks",
      headers: { "service-delivery-id": `whd_${number >> 1}` },
      body: { type: "delivery.submitted" }
    },
    {
      at,
      kind: "reply",
      actor: "worker",
      receiver: "hooks",
      delivery: `whd_${number >> 1}`,
      answer: number % 2 === 0 ? 503 : 204
    },
    { at, kind: "eclipse", moon: hostileText, round: number },
    { at, kind: "letter", to: "dana", subject: hostileText, text: hostileText, server: "WORKING" },
    { at, kind: "expectation", step: number + 1, differences: [] }
  ]
}

const projectPath = "/api/agents/v1/projects/delivery_1"

const bodyOf = (number: number): JsonObject => ({
  requestId: `request-${number}`,
  summary: `${hostileText} of round ${number}`
})

const answerOf = (number: number, paused: boolean): JsonObject => ({
  project: { taskId: "delivery_1", state: `ROUND_${number}` },
  automation: { paused, revision: number, pausedBy: paused ? [{ reason: hostileText }] : [] }
})

const momentOf = (number: number): string =>
  new Date(Date.UTC(2026, 0, 5, 9) + number * 30_000 + Math.floor(number / 100) * 14 * 86_400_000).toISOString()
