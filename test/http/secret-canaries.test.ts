/** A secret sent in any field appears in no log, span, response or address, except the response that created it. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option, type Scope } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { approveConnection, enterUserCode } from "../../src/access/approval.ts"
import { directoryIn, setPassword } from "../../src/adapters/sign-in/directory.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import type { SignIn, SignInAttempt } from "../../src/ports/sign-in.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import type { HttpApp } from "../../src/service.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { isToken, tokenHash } from "../../src/vocabulary/token.ts"
import { itemWithAssistant, noon } from "../participation/fixtures.ts"
import {
  redirectRequests,
  captureTo,
  requestsWith,
  signInAgain,
  signedInRequests,
  type CanaryRequest,
  type CapturedOutput
} from "../support/canaries.ts"
import { cookieFrom, hiddenIn, openPage, post } from "../support/forms.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../support/service.ts"
import { at } from "../support/time.ts"

const agents = "/api/agents/v1"

/** Live secrets of every kind. */
const makeSecrets = Effect.gen(function* () {
  const { dana, token } = yield* itemWithAssistant
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
  const invitation = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), {
    organizationId,
    authorities: []
  })
  const code = "code" in invitation ? invitation.code : ""
  const shown = yield* openPage("/workspace/connect", { session: dana.token })
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

/** Passwords typed into the form of the directory. */
const passwords = { password: "Canary of the directory", wrongPassword: "correct horse battery staple canary" }

const directory = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-canaries-"))),
    (created) => Effect.sync(() => fs.rmSync(created, { recursive: true, force: true }))
  )
  yield* Effect.orDie(setPassword(folder, "dana", Option.none(), passwords.password))
  return directoryIn(folder)
})

const attempts: Array<SignInAttempt> = []

/** A provider that refuses every answer. */
const provider: SignIn["Service"] = {
  kind: "OPENID_CONNECT",
  begin: (attempt) => Effect.sync(() => (attempts.push(attempt), `https://provider.test/?state=${attempt.state}`)),
  complete: () => refuse("SIGN_IN_FAILED")
}

/** The state of a started sign-in, and the code that the provider gives. */
const beginSignIn = Effect.gen(function* () {
  const sealed = cookieFrom(yield* openPage("/workspace/sign-in/start"), "signIn") ?? ""
  const { state, nonce, codeVerifier } = attempts.at(-1)!
  return { sealedSignIn: sealed, state, nonce, codeVerifier, code: "Authorization_code-canary" }
})

type Secrets = Readonly<Record<string, string>>

/** Sends every request; returns the responses, and the cookies that they set. */
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

const assertNotRecorded = (recorded: CapturedOutput, secrets: Secrets) => {
  for (const [kind, secret] of Object.entries(secrets)) {
    assert.isAtLeast(secret.length, 8, kind)
    for (const form of formsOf(secret)) {
      for (const [place, lines] of Object.entries(recorded) as ReadonlyArray<[string, ReadonlyArray<string>]>) {
        const found = lines.filter((line) => line.includes(form))
        assert.deepStrictEqual(found, [], `${kind} in ${place}`)
      }
    }
  }
}

/** A page contains the token of its own forms; no other secret is returned. */
const assertNotReturned = (answers: Answers, secrets: Secrets) => {
  const texts = answers
    .filter(([{ isEchoed }]) => isEchoed !== true)
    .map(([{ path }, { headers, text }]) => ({ path: path.split("?")[0], answered: JSON.stringify(headers) + text }))
  for (const [kind, secret] of Object.entries(secrets)) {
    if (kind === "formToken") continue
    for (const form of formsOf(secret)) {
      const found = texts.filter(({ answered }) => answered.includes(form))
      assert.deepStrictEqual(found, [], `${kind} in an answer`)
    }
  }
}

/** The session and sealed texts that responses set: they must not appear in logs either. */
const cookiesSetBy = (answers: Answers): Secrets =>
  Object.fromEntries(
    answers
      .flatMap(([, { cookies }]) => cookies)
      .map((line) => /=([^;]*)/.exec(line)?.[1] ?? "")
      .filter((value) => value !== "")
      .map((value, index) => [`cookie ${index}`, value])
  )

interface SignInSetup {
  readonly signIn: Effect.Effect<SignIn["Service"], never, Scope.Scope>
  /** Secrets of this kind of sign-in only. */
  readonly secrets: Effect.Effect<Secrets, never, HttpApp>
  /** The statuses of a password sign-in, and of the callback. */
  readonly answers: Readonly<Record<"password" | "callback", ReadonlyArray<number>>>
}

const testSecrecy = (name: string, { signIn, secrets, answers: expected }: SignInSetup) => {
  const recorded: CapturedOutput = { logs: [], spans: [] }
  const observed = Layer.unwrap(
    Effect.map(Effect.all([freshService, signIn]), ([connection, port]) =>
      testService(postgresStorage(connection), port, captureTo(recorded))
    )
  )
  layer(observed, { excludeTestServices: true })(name, (it) => {
    it.effect(
      `Secrets in credential fields are not recorded or returned ${name}`,
      () =>
        Effect.gen(function* () {
          const created = yield* makeSecrets
          const providerSecrets = yield* secrets
          const all: Secrets = { ...created, ...providerSecrets, ...passwords }
          const around = { session: created.session, formToken: created.formToken, name: "dana" }
          const fields = Object.values(all).flatMap((secret) => [
            ...requestsWith(secret, around),
            ...signedInRequests(secret, around)
          ])
          const first = yield* sendAll([...fields, ...redirectRequests(providerSecrets)])
          // A browser with a session sends its cookie.
          const again = Object.values(cookiesSetBy(first)).filter((value) => isToken("session", value))
          const answers = [...first, ...(yield* sendAll(again.map((session) => signInAgain(session, passwords))))]
          const statuses = (path: string) =>
            [
              ...new Set(answers.filter(([one]) => one.path.split("?")[0] === path).map(([, { status }]) => status))
            ].sort()
          assert.deepStrictEqual(statuses("/workspace/sign-in"), expected.password)
          assert.deepStrictEqual(statuses("/workspace/sign-in/callback"), expected.callback)
          assert.isAtLeast(recorded.logs.length, answers.length)
          assert.isAtLeast(recorded.spans.length, answers.length)
          assertNotRecorded(recorded, { ...all, ...cookiesSetBy(answers) })
          assertNotReturned(answers, all)
        }).pipe(at(noon)),
      180_000
    )
  })
}

describe("secrecy of credential fields", () => {
  const nothing = Effect.succeed({})
  testSecrecy("without sign-in", {
    signIn: Effect.succeed({ kind: "NONE" }),
    secrets: nothing,
    answers: { password: [404], callback: [404] }
  })
  testSecrecy("with a directory", {
    signIn: directory,
    secrets: nothing,
    answers: { password: [303, 400, 401], callback: [404] }
  })
  testSecrecy("with a provider", {
    signIn: Effect.succeed(provider),
    secrets: beginSignIn,
    answers: { password: [404], callback: [401] }
  })
})
