/** Accessibility of every page, as first shown and after each of its forms was sent empty. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { enterUserCode } from "../../src/access/approval.ts"
import { startConnection } from "../../src/access/connections.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { createAssistant } from "../../src/participation/items.ts"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { addContact } from "../../src/people/contacts.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { signIn } from "../../src/people/sessions.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { prepareDraftFor } from "../support/drafts.ts"
import { cookieFrom, openPage, post, submit, type CookieJar } from "../support/forms.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { historyOf, subscribeAsPerson } from "../support/person-webhooks.ts"
import { commandAsPerson, personCommandBody, readProjectAsPerson, termsOf } from "../support/person-commands.ts"
import { proposalFor } from "../support/proposals.ts"
import { formsOn } from "../support/page-forms.ts"
import { pageAddresses } from "../support/page-routes.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { makeAgent } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { agreementWithRecord, createShare, shareWith } from "../support/issued-records.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { payableResultOf, paying } from "../support/orders.ts"
import { publishedResult } from "../support/publications.ts"
import { specificationOf } from "../support/specifications.ts"
import { createdBody, post as postJson } from "../support/workspace.ts"

/** Dana with one resource for each path parameter, by the name of the parameter. */
const world = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const { organizationId, membershipId } = dana
  const projectId = yield* makeUnnamedProject(dana)
  const { grantId } = yield* makeAgent(dana, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const task = { projectId, title: "Look", instructions: "Look at it.", dueAt: null }
  const { code } = yield* inviteParticipant(dana, yield* nonIdempotentRequest(dana.personId), task)
  const { itemId } = yield* acceptParticipation(dana, code)
  yield* createAssistant(dana, yield* nonIdempotentRequest(dana.personId), itemId)
  yield* addContact(dana, { organizationId, reference: "sam", name: "Sam", personId: sam.personId })
  const invitation = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), {
    organizationId,
    authorities: []
  })
  const { userCode } = yield* startConnection({ agentName: "Scout", client: "scout 1.0" }, undefined)
  const { connectionId } = yield* enterUserCode(dana, userCode, undefined)
  const { invitationId } = invitation
  const shareId = yield* createShareFor(dana, sam)
  const specification = yield* chosenSpecification(dana)
  const { subjectId, publication } = yield* publishedResult
  const kim = yield* signInNewPerson("Kim")
  const { order, commerceOrderId } = yield* paying(yield* payableResultOf({ buyer: dana, supplier: kim }))
  const ids = {
    organizationId,
    membershipId,
    projectId,
    grantId,
    itemId,
    invitationId,
    sequence: "1",
    connectionId,
    shareId,
    subjectId,
    publicationId: publication.publicationId,
    orderId: order.resultOrderId as string,
    commerceOrderId,
    draftId: yield* prepareDraftFor(dana, { title: "Logo", criteria: [{ title: "Vector" }] }),
    proposalId: yield* draftProposalFor(dana, sam),
    ...(yield* deliveryOf(dana, projectId)),
    specificationId: "every-page",
    specificationVersion: "1"
  }
  return { dana, sam, ids, specification, invitationCode: "code" in invitation ? invitation.code : "" }
})

/** A record that Sam shares with Dana. */
const createShareFor = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const projectId = yield* agreementWithRecord({ buyer: sam, supplier: yield* signInNewPerson("Kim") })
  return yield* createShare(sam, projectId, shareWith(dana))
})

/** Dana's webhook for a project with one event, and its delivery. */
const deliveryOf = Effect.fnUntraced(function* (dana: SignedInPerson, projectId: string) {
  const { id } = yield* subscribeAsPerson(dana, [projectId])
  const terms = { reason: "Dearer.", terms: yield* termsOf(yield* signInNewPerson("Kim")) }
  createdBody(
    yield* commandAsPerson(
      dana,
      projectId,
      "revise",
      personCommandBody(yield* readProjectAsPerson(dana, projectId), terms)
    )
  )
  const [delivery] = yield* historyOf(dana, id)
  return { subscriptionId: id, deliveryId: delivery.deliveryId as string }
})

/** A proposal of Dana's organization, not published. */
const draftProposalFor = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const proposed = yield* proposalFor({ supplier: dana, buyer: sam }, { recipientReference: "sam" })
  const { organizationId } = dana
  return createdBody(yield* postJson(dana, "/proposals", { organizationId, ...proposed })).proposal.id as string
})

/** The cookie of a visitor who selected a public specification. */
const chosenSpecification = Effect.fnUntraced(function* ({ token }: SignedInPerson) {
  yield* publishSpecification(specificationOf("every-page"))
  const path = "/workspace/specifications/every-page/versions/1"
  return cookieFrom(yield* submit(path, {}, { session: token }), "specification") ?? ""
})

const check = (what: string, { status, text }: { readonly status: number; readonly text: string }) => {
  if (status === 303) return
  assert.isBelow(status, 500, what)
  assert.deepStrictEqual(accessibilityFaults(text), [], `${what} (${status})\n${text}`)
}

/** The page, and the response to each of its forms with empty fields. */
const visit = Effect.fnUntraced(function* (path: string, jar: CookieJar) {
  const shown = yield* openPage(path, jar)
  check(path, shown)
  const asking = formsOn(shown.text).filter(({ names }) => names.length > 0)
  for (const { action, hidden } of asking) check(`an empty form to ${action}`, yield* post(action, hidden, jar))
  return { path, status: shown.status, asking: asking.length }
})

layer(freshTestService, { excludeTestServices: true })("accessibility of all pages", (it) => {
  it.effect("Every page has one heading, a label for every field, and a target for every link within it.", () =>
    Effect.gen(function* () {
      const { dana, ids, specification } = yield* world
      const jar = { session: dana.token, specification }
      const paths = (yield* pageAddresses)
        .filter(({ method, path }) => method === "GET" && !/\*|\.(?:css|svg|js)$/.test(path))
        .map(({ path }) => path.replace(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name]))
      const chosen = `?organizationId=${ids.organizationId}&role=`
      const steps = ["/workspace/agents/new", `/workspace/connections/${ids.connectionId}`].flatMap((path) =>
        ["BUYER", "SUPPLIER", "NOBODY"].map((role) => `${path}${chosen}${role}`)
      )
      const seen = yield* Effect.forEach([...paths, ...steps, `/workspace/projects/new?draft=${ids.draftId}`], (path) =>
        visit(path, jar)
      )
      const unseen = seen.filter(({ status }) => status !== 200 && status !== 303)
      assert.deepStrictEqual(
        unseen.map(({ path, status }) => [path.replace(/\?.*/, ""), status]),
        [
          ["/workspace/sign-in/start", 404],
          ["/workspace/sign-in/callback", 404]
        ]
      )
      assert.isAbove(seen.filter(({ asking }) => asking > 0).length, 12)
    })
  )

  it.effect("Every page is accessible when the chosen project no longer exists and no other remains.", () =>
    Effect.gen(function* () {
      const { dana, ids } = yield* world
      const path = `/workspace/agents/new?organizationId=${ids.organizationId}&role=SUPPLIER`
      const jar = { session: dana.token }
      const [form] = formsOn((yield* openPage(path, jar)).text).filter(({ names }) => names.includes("agentName"))
      const answer = yield* post(form!.action, { ...form!.hidden, projects: ids.projectId }, jar)
      assert.include(answer.text, 'href="#field-projects"')
      check("a form with a project that is gone", answer)
    })
  )

  it.effect("Every page is accessible to visitors, to new persons and to invited persons.", () =>
    Effect.gen(function* () {
      const { sam, invitationCode } = yield* world
      const newcomer = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const entered = yield* submit("/workspace/join", { code: invitationCode }, { session: sam.token })
      const jars = [
        {},
        { session: newcomer.token },
        { session: sam.token, invitation: cookieFrom(entered, "invitation") ?? "" }
      ]
      const places = [
        "",
        "account",
        "agents",
        "agents/new",
        "connect",
        "contacts",
        "join",
        "members",
        "projects",
        "proposals",
        "proposals/new",
        "specifications",
        "tasks"
      ]
      for (const jar of jars) {
        for (const place of [...places, "sign-in", "nowhere"]) yield* visit(`/workspace/${place}`, jar)
      }
    })
  )
})
