/** A secret put into any field that takes one is in no log, span, answer or address, but where it was made. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option, type Scope } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { approveConnection, enterUserCode } from "../../src/access/approval.ts"
import { directoryIn, setPassword } from "../../src/adapters/sign-in/directory.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import type { SignIn, SignInAttempt } from "../../src/ports/sign-in.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import type { HttpApp } from "../../src/service.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { isToken, tokenHash } from "../../src/vocabulary/token.ts"
import { assisted, noon } from "../participation/world.ts"
import {
  callbackRequests,
  listeningTo,
  requestsWith,
  signInAgain,
  signedInRequests,
  type CanaryRequest,
  type Told
} from "../support/canaries.ts"
import { cookieFrom, hiddenIn, open, post } from "../support/forms.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../support/service.ts"
import { at } from "../support/time.ts"

const agents = "/api/agents/v1"

/** Real secrets of every kind, each live. */
const makeSecrets = Effect.gen(function* () {
  const { dana, token } = yield* assisted
  const { organizationId } = dana
  const started = (yield* send("POST", `${agents}/connections`, { body: { agentName: "Scout", client: "x" } })).body
  const { connectionId } = yield* enterUserCode(dana, started.userCode, undefined)
  yield* approveConnection(dana, connectionId, {
    organizationId,
    role: "BUYER",
    actions: [],
    consents: [],
    projectIds: [],
    subjectRequirements: []
  })
  const polled = (yield* send("POST", `${agents}/connections/poll`, { body: { deviceCode: started.deviceCode } })).body
  const waiting = (yield* send("POST", `${agents}/connections`, { body: { agentName: "Other", client: "x" } })).body
  const invitation = yield* inviteMember(dana, yield* unrepeated(dana.personId), { organizationId, authorities: [] })
  const code = "code" in invitation ? invitation.code : ""
  const shown = yield* open("/workspace/connect", { session: dana.token })
  return {
    agent: polled.credential.token as string,
    device: started.deviceCode as string,
    user: waiting.userCode as string,
    session: dana.token,
    invitation: code,
    participation: token,
    formToken: hiddenIn(shown.text, "formToken"),
    sealedInvitation: cookieFrom(yield* post("/workspace/join", { code }), "invitation") ?? ""
  }
})

/** What a person types into the form of the directory. */
const passwords = { password: "Canary of the directory", wrongPassword: "correct horse battery staple canary" }

const directory = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-canaries-"))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  yield* Effect.orDie(setPassword(folder, "dana", Option.none(), passwords.password))
  return directoryIn(folder)
})

const attempts: Array<SignInAttempt> = []

/** Refuses every answer, as a provider does whose answers are not in order. */
const provider: SignIn["Service"] = {
  kind: "OPENID_CONNECT",
  begin: (attempt) => Effect.sync(() => (attempts.push(attempt), `https://provider.test/?state=${attempt.state}`)),
  complete: () => refuse("SIGN_IN_FAILED")
}

/** What is made on the way to a provider, and the code that it gives. */
const beginSignIn = Effect.gen(function* () {
  const sealed = cookieFrom(yield* open("/workspace/sign-in/start"), "signIn") ?? ""
  const { state, nonce, codeVerifier } = attempts.at(-1)!
  return { sealedSignIn: sealed, state, nonce, codeVerifier, code: "Authorization_code-canary" }
})

type Secrets = Readonly<Record<string, string>>

/** Sends every request, and gives what was answered to each and what the answers handed out in cookies. */
const sendAll = Effect.fnUntraced(function* (requests: ReadonlyArray<CanaryRequest>) {
  const answers: Array<readonly [request: CanaryRequest, answer: Answer]> = []
  for (const request of requests) {
    const answer = yield* send(request.method, request.path, request.options)
    assert.notStrictEqual(answer.status, 500, request.path)
    answers.push([request, answer])
  }
  return answers
})

type Answers = Effect.Success<ReturnType<typeof sendAll>>

const formsOf = (secret: string) => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice(7),
    tokenHash(secret)
  ])
]

const assertUntold = (told: Told, secrets: Secrets) => {
  for (const [kind, secret] of Object.entries(secrets)) {
    assert.isAtLeast(secret.length, 8, kind)
    for (const form of formsOf(secret)) {
      for (const [place, lines] of Object.entries(told) as ReadonlyArray<[string, ReadonlyArray<string>]>) {
        const found = lines.filter((line) => line.includes(form))
        assert.deepStrictEqual(found, [], `${kind} in ${place}`)
      }
    }
  }
}

/** A page carries the token of its own forms; nothing else comes back. */
const assertUnanswered = (answers: Answers, secrets: Secrets) => {
  const texts = answers
    .filter(([{ isShownAgain }]) => isShownAgain !== true)
    .map(([{ path }, { headers, text }]) => ({ path: path.split("?")[0], answered: JSON.stringify(headers) + text }))
  for (const [kind, secret] of Object.entries(secrets)) {
    if (kind === "formToken") continue
    for (const form of formsOf(secret)) {
      const found = texts.filter(({ answered }) => answered.includes(form))
      assert.deepStrictEqual(found, [], `${kind} in an answer`)
    }
  }
}

/** The session and the sealed texts that the answers set: whoever reads a log must not find them there. */
const handedOut = (answers: Answers): Secrets =>
  Object.fromEntries(
    answers
      .flatMap(([, { cookies }]) => cookies)
      .map((line) => /=([^;]*)/.exec(line)?.[1] ?? "")
      .filter((value) => value !== "")
      .map((value, index) => [`cookie ${index}`, value])
  )

interface Installed {
  readonly signIn: Effect.Effect<SignIn["Service"], never, Scope.Scope>
  /** Secrets that only this way of signing in has. */
  readonly secrets: Effect.Effect<Secrets, never, HttpApp>
  /** What its own way of signing in answers to a password, and to whatever the callback is sent. */
  readonly answers: Readonly<Record<"password" | "callback", ReadonlyArray<number>>>
}

const showFor = (name: string, { signIn, secrets, answers: expected }: Installed) => {
  const told: Told = { logs: [], spans: [] }
  const observed = Layer.unwrap(
    Effect.map(Effect.all([freshService, signIn]), ([connection, port]) =>
      testService(postgresStorage(connection), port, listeningTo(told))
    )
  )
  layer(observed, { excludeTestServices: true })(name, (it) => {
    it.effect(
      "is told to nobody",
      () =>
        Effect.gen(function* () {
          const made = yield* makeSecrets
          const ways = yield* secrets
          const all: Secrets = { ...made, ...ways, ...passwords }
          const around = { session: made.session, formToken: made.formToken, name: "dana" }
          const fields = Object.values(all).flatMap((secret) => [
            ...requestsWith(secret, around),
            ...signedInRequests(secret, around)
          ])
          const first = yield* sendAll([...fields, ...callbackRequests(ways)])
          // A browser that has a session already brings it along.
          const again = Object.values(handedOut(first)).filter((value) => isToken("session", value))
          const answers = [...first, ...(yield* sendAll(again.map((session) => signInAgain(session, passwords))))]
          const statuses = (path: string) =>
            [
              ...new Set(answers.filter(([one]) => one.path.split("?")[0] === path).map(([, { status }]) => status))
            ].sort()
          assert.deepStrictEqual(statuses("/workspace/sign-in"), expected.password)
          assert.deepStrictEqual(statuses("/workspace/sign-in/callback"), expected.callback)
          assert.isAtLeast(told.logs.length, answers.length)
          assert.isAtLeast(told.spans.length, answers.length)
          assertUntold(told, { ...all, ...handedOut(answers) })
          assertUnanswered(answers, all)
        }).pipe(at(noon)),
      180_000
    )
  })
}

describe("a secret in a credential field", () => {
  const nothing = Effect.succeed({})
  showFor("where nobody can sign in", {
    signIn: Effect.succeed({ kind: "NONE" }),
    secrets: nothing,
    answers: { password: [404], callback: [404] }
  })
  showFor("where people sign in by the directory", {
    signIn: directory,
    secrets: nothing,
    answers: { password: [303, 400, 401], callback: [404] }
  })
  showFor("where people sign in through a provider", {
    signIn: Effect.succeed(provider),
    secrets: beginSignIn,
    answers: { password: [404], callback: [401] }
  })
})
