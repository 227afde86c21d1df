/** Steps about a subscription: what became of its deliveries, its receivers, and the processes that send. */
import type { JsonObject } from "../script/json.ts"
import { inputFor, type Writing } from "./inputs.ts"
import { people } from "./purpose.ts"

export const aboutCallbacks = (writing: Writing, on: string): ReadonlyArray<JsonObject> => {
  const { dice, author } = writing
  const actor = author.pools.ownerOf("subscription", on) ?? "dana"
  const isPersons = people.includes(actor)
  const asked = (agents: string, persons: string, target = on): JsonObject => ({
    as: actor,
    do: isPersons ? persons : agents,
    on: target
  })
  const delivery = author.pools.pick("delivery")
  const list = asked("listWebhookDeliveries", "listOwnWebhookDeliveries")
  return dice.weighted<() => ReadonlyArray<JsonObject>>([
    [4, () => [list]],
    [1, () => [asked("pauseWebhook", "pauseOwnWebhook")]],
    [1.5, () => [asked("resumeWebhook", "resumeOwnWebhook")]],
    [0.4, () => [asked("revokeWebhook", "revokeOwnWebhook")]],
    [0.8, () => [asked("rotateWebhookSecret", "rotateOwnWebhookSecret")]],
    [2, () => (delivery === undefined ? [list] : [asked("redeliverWebhook", "redeliverOwnWebhook", delivery)])],
    [2, () => [{ as: "operator", do: "setReceiver", input: inputFor(writing, "setReceiver", "operator") ?? {} }]],
    [1, () => [{ as: dice.pick(["hooks", "backup"]), do: "received" }]],
    [
      0.8,
      () => [
        { as: "operator", do: dice.pick(["stopWorker", "crashWorker"]) },
        { as: "operator", do: "startWorker" }
      ]
    ],
    [0.5, () => [{ inject: { of: "worker", database: dice.pick(["40001", "57014", "commit-lost-committed"]) } }]],
    [0.3, () => [{ inject: { of: "worker", crash: dice.pick(["before-commit", "after-commit"]) } }]],
    [0.7, () => exhausting]
  ])()
}

/** Every attempt fails, each as late as it comes; no worker polls in between. */
const exhausting: ReadonlyArray<JsonObject> = [
  { as: "operator", do: "setReceiver", input: { receiver: "hooks", otherwise: { answers: 500 } } },
  ...Array.from({ length: 9 }, () => [
    { as: "operator", do: "stopWorker" },
    { advance: "13h" },
    { as: "operator", do: "startWorker" }
  ]).flat()
]
