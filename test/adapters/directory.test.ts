/** The directory of the embedded installation: its sign-ins and its file. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, type Scope } from "effect"
import { directoryIn, makeDirectory, setAddress, setPassword } from "../../src/adapters/sign-in/directory.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { temporaryDirectory } from "../support/installation.ts"

const password = "correct horse battery"

const codeOf = <A>(effect: Effect.Effect<A, Refusal>) =>
  Effect.match(effect, { onSuccess: () => "SUCCEEDED", onFailure: ({ code }) => code })

const live = <A, E>(name: string, body: (data: string) => Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.flatMap(temporaryDirectory, body).pipe(Effect.scoped, Effect.provide(Logger.layer([]))))

describe("the directory", () => {
  live("A person of the directory signs in with their password, as the person of create-person.", (data) =>
    Effect.gen(function* () {
      yield* setPassword(data, "anna", Option.some("Anna Example"), password)
      const before = Date.now()
      const { authenticatedAt, ...identity } = yield* directoryIn(data).check("anna", password)
      assert.deepStrictEqual(identity, {
        issuer: "https://directory.localhost",
        subject: "anna",
        name: "Anna Example",
        email: null
      })
      assert.isAtLeast(Date.parse(authenticatedAt), before)
      assert.isAtMost(Date.parse(authenticatedAt), Date.now())
    })
  )

  live("A wrong password, an unknown name and an empty directory are refused alike.", (data) =>
    Effect.gen(function* () {
      const { check } = directoryIn(data)
      assert.strictEqual(yield* codeOf(check("anna", password)), "SIGN_IN_FAILED")
      yield* setPassword(data, "anna", Option.none(), password)
      const refusals = [
        yield* Effect.flip(check("anna", `${password} `)),
        yield* Effect.flip(check("Anna", password)),
        yield* Effect.flip(check("", ""))
      ]
      for (const { code, facts } of refusals)
        assert.deepStrictEqual({ code, facts }, { code: "SIGN_IN_FAILED", facts: {} })
    })
  )

  live("A new password is effective at once and changes neither the name nor other people.", (data) =>
    Effect.gen(function* () {
      const { check } = directoryIn(data)
      yield* setPassword(data, "anna", Option.some("Anna"), password)
      yield* setPassword(data, "bert", Option.none(), password)
      yield* setPassword(data, "anna", Option.none(), "another password")
      assert.strictEqual(yield* codeOf(check("anna", password)), "SIGN_IN_FAILED")
      assert.strictEqual((yield* check("anna", "another password")).name, "Anna")
      assert.strictEqual((yield* check("bert", password)).name, "bert")
    })
  )

  live("A person of the directory has the e-mail address that an operator set last.", (data) =>
    Effect.gen(function* () {
      const email = Effect.map(directoryIn(data).check("anna", password), (identity) => identity.email)
      yield* setPassword(data, "anna", Option.none(), password)
      yield* setPassword(data, "bert", Option.none(), password)
      assert.isNull(yield* email)
      yield* setAddress(data, "anna", "anna@example.org")
      assert.strictEqual(yield* email, "anna@example.org")
      yield* setPassword(data, "anna", Option.some("Anna"), password)
      assert.strictEqual(yield* email, "anna@example.org", "a new password does not change it")
      assert.isNull((yield* directoryIn(data).check("bert", password)).email)
      yield* setAddress(data, "anna", null)
      assert.isNull(yield* email)
      assert.strictEqual((yield* Effect.flip(setAddress(data, "cora", "cora@example.org")))._tag, "Refusal")
    })
  )

  live("A password is accepted in each of its Unicode normalization forms.", (data) =>
    Effect.gen(function* () {
      yield* setPassword(data, "anna", Option.none(), "Stra\u00dfencaf\u00e9 offen")
      assert.strictEqual((yield* directoryIn(data).check("anna", "Stra\u00dfencafe\u0301 offen")).subject, "anna")
    })
  )

  live("The directory is a file readable by its owner only, without passwords, and leaves no temporary file.", (data) =>
    Effect.gen(function* () {
      yield* setPassword(data, "anna", Option.none(), password)
      yield* setPassword(data, "bert", Option.none(), password)
      const file = path.join(data, "directory.json")
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      const text = fs.readFileSync(file, "utf8")
      assert.notInclude(text, password)
      const [anna, bert] = JSON.parse(text).people
      assert.notStrictEqual(anna.password.hash, bert.password.hash, "salted")
      assert.deepStrictEqual(fs.readdirSync(data), ["directory.json", "directory.lock"])
    })
  )

  live("A sign-in with a malformed directory is answered as temporarily unavailable.", (data) =>
    Effect.gen(function* () {
      fs.writeFileSync(path.join(data, "directory.json"), '{"schema": "countersign.directory/v1", "people": [{}]}')
      assert.strictEqual(yield* codeOf(directoryIn(data).check("anna", password)), "TEMPORARILY_UNAVAILABLE")
      const failure = yield* Effect.flip(setPassword(data, "anna", Option.none(), password))
      assert.match(failure.message, /does not have the documented form/)
    })
  )
})

describe("a new directory", () => {
  live("A new directory has one person, whose password is returned once.", (data) =>
    Effect.gen(function* () {
      const made = Option.getOrThrow(yield* makeDirectory(data))
      const { subject, name } = yield* directoryIn(data).check(made.name, made.password)
      assert.deepStrictEqual(
        { signInName: made.name, subject, name },
        { signInName: "owner", subject: "owner", name: "Owner" }
      )
      assert.isAtLeast(made.password.length, 24)
      assert.isTrue(Option.isNone(yield* makeDirectory(data)))
      assert.strictEqual(yield* codeOf(directoryIn(data).check(made.name, made.password)), "SUCCEEDED")
    })
  )

  live("No directory is created where an operator has created one.", (data) =>
    Effect.gen(function* () {
      yield* setPassword(data, "anna", Option.none(), password)
      assert.isTrue(Option.isNone(yield* makeDirectory(data)))
    })
  )

  live("Two simultaneous starts create one directory.", (data) =>
    Effect.gen(function* () {
      const made = yield* Effect.all([makeDirectory(data), makeDirectory(data)], { concurrency: 2 })
      const created = made.filter(Option.isSome)
      assert.strictEqual(created.length, 1)
      const [{ value: owner }] = created as [Option.Some<{ readonly name: string; readonly password: string }>]
      assert.strictEqual(yield* codeOf(directoryIn(data).check(owner.name, owner.password)), "SUCCEEDED")
    })
  )
})
