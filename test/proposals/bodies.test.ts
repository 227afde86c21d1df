/** Invalid bodies of proposal operations: each is refused with 400 and its path, never with 500. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import {
  answerOf,
  commandProposal,
  createProposal,
  createDraftProposal,
  handOffOf,
  proposalFor,
  createPublishedProposal,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { send } from "../support/service.ts"

/** One member of a body replaced, by its path; undefined removes it. */
const withMember = (body: any, path: string, value: unknown): any => {
  const [first, ...rest] = path.split(".")
  if (first === undefined) return value
  const own = rest.length === 0 ? value : withMember(body?.[first] ?? {}, rest.join("."), value)
  return Array.isArray(body)
    ? body.map((item, index) => (String(index) === first ? own : item))
    : { ...body, [first]: own }
}

type Wrong = readonly [path: string, value: unknown, place?: string]

const wrongOffers: ReadonlyArray<Wrong> = [
  ["requestId", "1"],
  ["recipientActorId", "Dana"],
  ["recipientActorId", undefined],
  ["recipientReference", ""],
  ["recipientReference", "x".repeat(101)],
  ["terms", undefined],
  ["terms.title", ""],
  ["terms.requestId", uuid()],
  ["terms.revisionOf", `delivery_${uuid()}`],
  ["terms.confirmationDigest", "0".repeat(64)],
  ["terms.criteria", []],
  ["terms.materialPolicy", "ANYTHING"],
  ["terms.reviewDeadline", "2020-01-01T00:00:00.000Z"],
  ["terms.retainUntil", "2020-01-01T00:00:00.000Z"],
  ["terms.specification", { id: "logo", version: 1 }, "terms.specification.digest"],
  ["terms.specification", { id: "logo", version: 0, digest: "0".repeat(64) }, "terms.specification.version"],
  ["state", "PUBLISHED"]
]

layer(memoryTestService, { excludeTestServices: true })("the body of a proposal operation", (it) => {
  it.effect("An invalid creation of a proposal is refused with 400 and the path of the invalid member.", () =>
    Effect.gen(function* () {
      const made = yield* createDraftProposal()
      const valid = yield* proposalFor(made)
      const wrong: ReadonlyArray<Wrong> = [...wrongOffers, ["expectedVersion", 1], ["expectedVersion", undefined]]
      for (const [path, value, place = path] of wrong) {
        const { status, body, text } = yield* createProposal(made.author.token, withMember(valid, path, value))
        assert.deepStrictEqual([status, body.error], [400, "INVALID_REQUEST"], `${path}: ${text}`)
        assert.include(
          body.issues.map((issue: { readonly path: string }) => issue.path),
          place,
          text
        )
      }
    })
  )

  it.effect("An invalid proposal command is refused with 400 and the path of the invalid member.", () =>
    Effect.gen(function* () {
      const made = yield* createPublishedProposal()
      const { author, recipient, proposalId, view } = made
      const envelope: ReadonlyArray<Wrong> = [
        ["expectedProposalHead", "1"],
        ["expectedProposalHead", undefined],
        ["expectedEventHash", "0".repeat(64)],
        ["automationRevision", -1],
        ["automationRevision", undefined],
        ["input", undefined]
      ]
      const inInput = (wrong: ReadonlyArray<Wrong>): ReadonlyArray<Wrong> =>
        wrong.map(([path, value, place]) => [`input.${path}`, value, `input.${place ?? path}`])
      const versions: ReadonlyArray<Wrong> = [
        ["expectedVersion", 0],
        ["expectedVersion", 1.5],
        ["expectedVersion", "1"],
        ["reason", "Why not."]
      ]
      const answers: ReadonlyArray<Wrong> = [
        ["proposalDigest", "1"],
        ["action", "REJECT"],
        ["reason", ""],
        ["expectedVersion", 1]
      ]
      const confirmed: Wrong = ["input.confirmationDigest", "0".repeat(64)]
      const operations = [
        [
          "update",
          author,
          yield* updateOf(view, made),
          [...envelope, ...inInput([...wrongOffers, ["expectedVersion", 0]])]
        ],
        ["publish", author, versionOf(view), [...envelope, ...inInput(versions)]],
        ["withdraw", author, versionOf(view), [...envelope, ...inInput(versions)]],
        ["respond", recipient, yield* answerOf(view, "ACCEPT"), [...envelope, ...inInput(answers)]],
        ["respond", recipient, yield* answerOf(view, "DECLINE"), [confirmed]],
        [
          "handoff",
          author,
          handOffOf(view),
          [
            ...envelope,
            ...inInput([
              ["reason", ""],
              ["expectedVersion", 1]
            ])
          ]
        ]
      ] as const
      for (const [operation, { token }, valid, wrong] of operations) {
        for (const [path, value, place = path] of wrong) {
          const { status, body, text } = yield* commandProposal(
            token,
            proposalId,
            operation,
            withMember(valid, path, value)
          )
          assert.deepStrictEqual([status, body.error], [400, "INVALID_REQUEST"], `${operation} ${path}: ${text}`)
          assert.include(
            body.issues.map((issue: { readonly path: string }) => issue.path),
            place,
            text
          )
        }
      }
    })
  )

  it.effect("A malformed proposal id in the path is 404.", () =>
    Effect.gen(function* () {
      const { author, view } = yield* createDraftProposal()
      for (const id of ["proposal_1", `delivery_${uuid()}`, `PROPOSAL_${uuid()}`, `proposal_${uuid().toUpperCase()}`]) {
        assert.strictEqual((yield* commandProposal(author.token, id, "withdraw", versionOf(view))).status, 404, id)
        const found = yield* send("GET", `/api/agents/v1/proposals/${id}`, { token: author.token })
        assert.strictEqual(found.status, 404, id)
      }
    })
  )

  it.effect("A proposal request with one arbitrary member is never answered with 500.", () =>
    Effect.gen(function* () {
      const made = yield* createPublishedProposal()
      const { author, recipient, proposalId, view } = made
      const bodies = {
        create: yield* proposalFor(made),
        update: yield* updateOf(view, made),
        publish: versionOf(view),
        withdraw: versionOf(view),
        respond: yield* answerOf(view, "ACCEPT"),
        handoff: handOffOf(view)
      }
      const statuses = new Map<number, number>()
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof send>>>()
      const property = fc.asyncProperty(
        fc.constantFrom(...(Object.keys(bodies) as ReadonlyArray<keyof typeof bodies>)),
        fc.nat(1_000),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" }), fc.constant(undefined)),
        async (operation, pick, value) => {
          const paths = pathsOf(bodies[operation])
          const body = withMember(bodies[operation], paths[pick % paths.length]!, value)
          // A wrong head, since a valid request would change the proposal.
          const refusedBody =
            operation === "create"
              ? body
              : { ...body, expectedProposalHead: body.expectedProposalHead && "0".repeat(64) }
          const { token } = operation === "respond" ? recipient : author
          const sent =
            operation === "create"
              ? createProposal(token, refusedBody)
              : commandProposal(token, proposalId, operation, refusedBody)
          const { status, text } = await Effect.runPromiseWith(context)(sent)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          assert.include([201, 400, 409], status, text)
        }
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: 400, seed: 3 }))
      console.log(JSON.stringify([...statuses]))
      for (const status of [201, 400, 409]) assert.isTrue(statuses.has(status), String(status))
    })
  )
})

/** The paths of all members of a body, nested ones included. */
const pathsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([member, inner]) => [member, ...pathsOf(inner).map((path) => `${member}.${path}`)])
