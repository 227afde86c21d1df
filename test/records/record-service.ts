/** A service with a failing signer, and accepted deliveries of one buyer with credits. */
import { Context, Effect, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import type { Action } from "../../src/access/actions.ts"
import { IssuerNotConfigured, Signer, type KeyPurpose } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { CreditEntries, OrganizationCredits } from "../../src/records/store.ts"
import { Service, CapabilityPorts } from "../../src/service.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  reviewOf,
  runToSubmitted,
  supplierActions
} from "../support/parties.ts"
import { issueOf } from "../support/requests.ts"
import {
  freshService,
  postgresStorage,
  send,
  testInstallation,
  testMail,
  testPayments,
  testWakeup,
  testSecrets,
  testSignIn,
  testSigner
} from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, read } from "../support/workspace.ts"

export class SignerFaults extends Context.Service<
  SignerFaults,
  {
    /** Makes the next signature of that purpose fail: no valid key, or a defect of the key store. */
    readonly failNext: (purpose: KeyPurpose, how: SignerFault) => Effect.Effect<void>
    readonly hasFailed: Effect.Effect<boolean>
  }
>()("countersign/test/SignerFaults") {}

export type SignerFault = "NO_KEY" | "DEFECT"

const failingSigner = Layer.effectContext(
  Effect.map(Signer, (inner) => {
    let next: readonly [KeyPurpose, SignerFault] | undefined
    const signer = Signer.of({
      keys: inner.keys,
      sign: (purpose, payload) =>
        Effect.suspend(() => {
          if (next?.[0] !== purpose) return inner.sign(purpose, payload)
          const [, how] = next
          next = undefined
          return how === "NO_KEY" ? Effect.fail(new IssuerNotConfigured({ purpose })) : Effect.die("the keys are gone")
        })
    })
    return Context.make(Signer, signer).pipe(
      Context.add(SignerFaults, {
        failNext: (purpose, how) => Effect.sync(() => void (next = [purpose, how])),
        hasFailed: Effect.sync(() => next === undefined)
      })
    )
  })
).pipe(Layer.provide(testSigner))

/** A service on a fresh database, with the faults of its signer. */
export const recordService = Layer.unwrap(
  Effect.map(freshService, (connection) =>
    Layer.merge(Service, CapabilityPorts).pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          postgresStorage(connection),
          failingSigner,
          testSecrets,
          testSignIn(),
          testInstallation,
          testMail(),
          testPayments(),
          testWakeup,
          instanceCaches,
          clientScripts
        )
      ),
      Layer.provideMerge(SecureRandom.layerWebCrypto),
      Layer.provide(HttpServer.layerServices),
      Layer.provideMerge(Logger.layer([]))
    )
  )
)

/** A buyer without credits, with an agent for all actions of a buyer. */
export const makeBuyer = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  return { ...buyer, agent: yield* makeAgent(buyer, "BUYER", buyerActions) }
})

export type Buyer = Effect.Success<typeof makeBuyer>

/** A project of that buyer with a submission to decide on. */
export const makeDelivery = Effect.fnUntraced(function* (buyer: Buyer, changes: object = {}) {
  const supplier = yield* signInNewPerson("Sam")
  const { agent: buyerAgent } = buyer
  const body = creationInput(supplier, yield* confirmAgreement, yield* now, changes)
  const created = createdBody(yield* send("POST", "/api/agents/v1/projects", { token: buyerAgent.token, body }))
  const projectId = created.project.taskId as string
  const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
  const view = yield* runToSubmitted({ buyer, supplier, buyerAgent, supplierAgent, projectId, created })
  return { buyer, supplier, supplierAgent, projectId, view }
})

export type Delivery = Effect.Success<ReturnType<typeof makeDelivery>>

/** Accepts; an agent that may issue also requests the record. */
export const accept = ({ projectId, view }: Delivery, token: string) =>
  Effect.map(sendCommand(token, projectId, "review", reviewOf(view, "ACCEPT")), createdBody)

/** An agent with exactly these actions on that project. */
export const agentFor = ({ buyer, projectId }: Delivery, actions: ReadonlyArray<Action>) =>
  makeAgent(buyer, "BUYER", actions, [projectId])

/** An acceptance whose issuance is pending for lack of credit. */
export const makePendingIssuance = Effect.fnUntraced(function* (buyer: Buyer) {
  const project = yield* makeDelivery(buyer)
  const { project: accepted } = yield* accept(project, buyer.agent.token)
  const { status, continuation } = accepted.recordIssuance
  if (status !== "PENDING" || continuation !== "WAITING_COVERAGE") throw new Error(`${status} ${continuation}`)
  return project
})

export const grantTestCredits = ({ organizationId }: Pick<Buyer, "organizationId">, credits: number) =>
  grantCredits({ organizationId, credits, reference: "test" })

/** Requests the record again as an agent. */
export const requestIssuanceAgain = Effect.fnUntraced(function* (
  { buyer, projectId }: Delivery,
  token: string,
  planned: object = {}
) {
  const { project, automation } = yield* readAsBuyer(buyer, projectId)
  return yield* sendCommand(
    token,
    projectId,
    "issue-record",
    issueOf({ project: { ...project, ...planned }, automation })
  )
})

/** The project as its buyer sees it. */
export const readAsBuyer = (buyer: SignedInPerson, projectId: string) =>
  Effect.map(read(buyer, `/projects/${projectId}`), (answer) => createdBody(answer))

/** The status and continuation of the issuance, and whether the record is issued. */
export const readIssuanceState = (buyer: SignedInPerson, projectId: string) =>
  Effect.map(readAsBuyer(buyer, projectId), ({ project }) => {
    const { status, continuation, recordId } = project.recordIssuance
    return [status, continuation, recordId !== null]
  })

/** The stored balance and ledger of the buyer. */
export const readStoredCredits = Effect.fnUntraced(function* ({ organizationId }: Pick<Buyer, "organizationId">) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const account = yield* reader.get(OrganizationCredits, [organizationId])
      const entries = yield* reader.range(CreditEntries, "key", { prefix: [organizationId], limit: 1_000 })
      return { balance: account?.balance ?? 0, entries }
    })
  )
})

/** Runs an effect at a time when all pending requests are due again. */
export const whenDueAgain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(now, (start) => at(addMilliseconds(start, limits.issuanceInterval + 1))(effect))
