/** Steps about a webhook subscription: its deliveries, its receivers and the workers. */
import type { JsonObject } from "../vocabulary/json.ts"
import { inputFor, type GeneratorContext } from "./random-inputs.ts"
import { people } from "./goal-directed-steps.ts"

export const webhookSteps = (writing: GeneratorContext, on: string): ReadonlyArray<JsonObject> => {
  const { random, author } = writing
  const actor = author.pools.ownerOf("subscription", on) ?? "dana"
  const isPersons = people.includes(actor)
  const request = (agents: string, persons: string, target = on): JsonObject => ({
    as: actor,
    do: isPersons ? persons : agents,
    on: target
  })
  const delivery = author.pools.pick("delivery")
  const list = request("listWebhookDeliveries", "listOwnWebhookDeliveries")
  return random.weighted<() => ReadonlyArray<JsonObject>>([
    [4, () => [list]],
    [1, () => [request("pauseWebhook", "pauseOwnWebhook")]],
    [1.5, () => [request("resumeWebhook", "resumeOwnWebhook")]],
    [0.4, () => [request("revokeWebhook", "revokeOwnWebhook")]],
    [0.8, () => [request("rotateWebhookSecret", "rotateOwnWebhookSecret")]],
    [2, () => (delivery === undefined ? [list] : [request("redeliverWebhook", "redeliverOwnWebhook", delivery)])],
    [2, () => [{ as: "operator", do: "setReceiver", input: inputFor(writing, "setReceiver", "operator") ?? {} }]],
    [1, () => [{ as: random.pick(["hooks", "backup"]), do: "received" }]],
    [
      0.8,
      () => [
        { as: "operator", do: random.pick(["stopWorker", "crashWorker"]) },
        { as: "operator", do: "startWorker" }
      ]
    ],
    [0.5, () => [{ inject: { of: "worker", database: random.pick(["40001", "57014", "commit-lost-committed"]) } }]],
    [0.3, () => [{ inject: { of: "worker", crash: random.pick(["before-commit", "after-commit"]) } }]],
    [0.7, () => exhaustDelivery]
  ])()
}

/** Exhausts a delivery: every attempt fails, and the worker is stopped between attempts. */
const exhaustDelivery: ReadonlyArray<JsonObject> = [
  { as: "operator", do: "setReceiver", input: { receiver: "hooks", otherwise: { answers: 500 } } },
  ...Array.from({ length: 9 }, () => [
    { as: "operator", do: "stopWorker" },
    { advance: "13h" },
    { as: "operator", do: "startWorker" }
  ]).flat()
]
