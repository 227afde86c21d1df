/** `countersign admin` on a separate installation: every act leaves a row, and lists show the results. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import { acts } from "../../src/command-line/admin/acts.ts"
import { admin } from "../../src/command-line/admin/admin.ts"
import { CurrentSession, ports, type Session } from "../../src/command-line/admin/session.ts"
import { unavailableAsFailure } from "../../src/command-line/production.ts"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { errorBody, Refusal } from "../../src/vocabulary/refusals.ts"
import { embeddedInstallation, installationOn, temporaryDirectory, type Environment } from "../support/installation.ts"
import { execute } from "../support/postgres.ts"
import { runReading } from "../support/run-command.ts"
import { spawnReading } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { specificationOf } from "../support/specifications.ts"

/** Runs commands in this process over one set of ports; returns their output. */
const commandsOn = Effect.fnUntraced(function* (environment: Environment) {
  const config = ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))
  const context = yield* Layer.build(ports.pipe(Layer.provideMerge(config)))
  const stdio = Stdio.layerTest({ stdin: Stream.make(new TextEncoder().encode("twelve characters")) })
  const services = Layer.mergeAll(NodeServices.layer, config).pipe(Layer.merge(stdio))
  return (...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let printed = ""
      const session: Session = {
        run: (operation, textOf) =>
          operation.pipe(
            Effect.match({
              onSuccess: textOf,
              onFailure: (error) => JSON.stringify(error instanceof Refusal ? errorBody(error) : error.message)
            }),
            Effect.map((text) => void (printed = text)),
            Effect.provideContext(context)
          )
      }
      yield* Command.runWith(admin, { version: "0" })(words).pipe(Effect.provideService(CurrentSession, session))
      return printed
    }).pipe(Effect.provide(services))
})

const readCommands = ["check", "list", "show", "log", "issuer-keys", "run", "sizes"]

/** Writes its row without `act`: test/adapters/after-restore.test.ts. */
const ownTransaction = "after-restore"

it.live(
  "Every act of admin leaves a row in the log, and lists show its results.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const command = yield* commandsOn(environment)
        const json = (...words: ReadonlyArray<string>) => Effect.map(command(...words), (text): any => JSON.parse(text))
        const specification = path.join(environment.DATA_DIR, "..", "specification.json")
        fs.writeFileSync(specification, JSON.stringify(specificationOf("logo", { title: "A logo" })))

        const performed = new Set<string>()
        /** Runs an act and asserts that the newest row of the log has its outcome. */
        const perform = Effect.fnUntraced(function* (outcome: string, name: string, ...flags: ReadonlyArray<string>) {
          const answer = yield* json(name, ...flags)
          const { log } = yield* json("log", "--command", name, "--limit", "1", "--json")
          assert.deepStrictEqual([log[0]?.command, log[0]?.outcome], [name, outcome], JSON.stringify(answer))
          assert.notInclude(JSON.stringify(log), "twelve characters")
          performed.add(name)
          return answer
        })
        const { organizationId } = yield* perform("DONE", "create-organization", "--name", "A\u202e", "--by", "anna")
        const { personId } = yield* perform("DONE", "create-person", "--name", "Anna", "--subject", "anna")
        const member = ["--person", personId, "--organization", organizationId]
        const { membershipId } = yield* perform("DONE", "create-membership", ...member, "--authority", "DELEGATE")
        const { grantId, token } = yield* perform("DONE", "create-grant", ...member, "--role", "BUYER", "--agent", "a")
        yield* perform("DONE", "grant-credits", "--organization", organizationId, "--credits", "2", "--reference", "r")

        const listAsJson = Effect.fnUntraced(function* (kind: string, ...flags: ReadonlyArray<string>) {
          const document = yield* json("list", kind, ...flags, "--json")
          assert.notInclude(JSON.stringify(document), token)
          assert.isNotEmpty(yield* command("list", kind, ...flags))
          return document
        })
        const grants = yield* listAsJson("grants", "--organization", organizationId)
        assert.deepStrictEqual(
          grants.grants.map((first: any) => [first.grantId, first.state, first.isUsable]),
          [[grantId, "ACTIVE", true]]
        )
        assert.deepStrictEqual((yield* listAsJson("grants", "--person", organizationId)).grants, [])
        assert.strictEqual((yield* listAsJson("people", "--subject", "anna")).people[0].personId, personId)
        assert.strictEqual((yield* listAsJson("memberships", "--person", personId)).memberships[0].state, "IN_FORCE")
        assert.strictEqual((yield* listAsJson("credits")).credits[0].balance, 2)
        for (const kind of ["connections", "projects", "read-only-projects", "subscriptions", "keys"])
          yield* listAsJson(kind)
        for (const wrong of [
          ["keys", "--after=-no-key"],
          ["people", "--subject", "anna", "--after", personId]
        ]) {
          assert.strictEqual((yield* json("list", ...wrong, "--json")).error, "INVALID_REQUEST")
        }
        const { keys } = yield* listAsJson("keys")
        assert.deepStrictEqual((yield* listAsJson("keys", `--after=${keys.at(-1).kid}`)).keys, [])
        const { log } = yield* json("log", "--who", "anna", "--json")
        assert.deepStrictEqual(log[0].changed, [organizationId])
        assert.match(log[0].account, /.@./)

        assert.include(yield* command("list", "organizations"), "A<U+202E>")
        assert.include(yield* command("list", "organizations", "--json"), "A\\u202E")
        for (const [kind, id] of [
          ["organization", organizationId],
          ["person", personId],
          ["membership", membershipId],
          ["grant", grantId],
          ["credits", organizationId]
        ]) {
          const shown = yield* command("show", kind!, id!)
          assert.include(shown, id)
          assert.notInclude(shown, token)
        }
        assert.strictEqual((yield* json("show", "grant", "grant_x")).error, "UNKNOWN_PARTY")

        yield* perform("DONE", "revoke-grant", "--grant", grantId, "--reason", "lost")
        assert.isFalse((yield* json("show", "grant", grantId, "--json")).isUsable)
        yield* perform("DONE", "end-sessions", "--person", personId)
        yield* perform("DONE", "end-membership", "--membership", membershipId)
        const pause = ["--person", personId, "--project", "delivery_x", "--reason", "r"]
        yield* perform("FORBIDDEN", "pause-project", ...pause)
        yield* perform("FORBIDDEN", "resume-project", ...pause)
        yield* perform("DONE", "publish-specification", specification)
        const out = path.join(environment.DATA_DIR, "..", "project.json")
        yield* perform("UNKNOWN_PARTY", "export-project", "delivery_x", "--out", out)
        assert.isFalse(fs.existsSync(out))
        const listed = yield* json("erase-person", personId, "--reason", "asked for", "--dry-run")
        assert.deepInclude(listed, { personId, isDryRun: true, wasErased: false })
        assert.strictEqual((yield* json("show", "person", personId, "--json")).name, "Anna")
        yield* perform("DONE", "erase-person", personId, "--reason", "asked for")
        assert.strictEqual((yield* json("show", "person", personId, "--json")).name, "erased person")
        yield* perform("DONE", "set-password", "--subject", "anna")
        yield* perform("DONE", "set-address", "--subject", "anna", "--email", "anna@example.org")
        assert.notInclude(yield* command("log", "--json"), "anna@example.org")
        assert.match(yield* perform("FAILED", "reload-keys"), /^no server or worker listens on this database/)

        const view = path.join(environment.DATA_DIR, "..", "view.json")
        const unknown = "delivery_00000000-0000-4000-8000-000000000000"
        fs.writeFileSync(view, JSON.stringify({ projectId: unknown, sequence: 2, headEventHash: "a".repeat(64) }))
        const { heads } = yield* perform("DONE", "known-heads", view)
        assert.deepInclude(heads[0], { projectId: unknown, source: "UNSIGNED", outcome: "UNKNOWN_PROJECT" })
        fs.writeFileSync(view, "{")
        yield* perform("FAILED", "known-heads", view)
        yield* perform("STATE_CONFLICT", "new-epoch", "--reason", "restored")

        assert.strictEqual((yield* perform("DONE", "create-partitions")).tables[0].monthsAhead, 3)
        const past = ["--before", "2001-01", "--tablespace", "no_such_place"]
        const { detail } = yield* perform("INVALID_REQUEST", "archive", ...past, "--dry-run")
        assert.include(detail, "The embedded database has no tablespaces")

        // Every command that changes something is made by `act`, and is performed above.
        const names = admin.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
        assert.sameMembers(names, [...performed, ...readCommands, ownTransaction])
        assert.sameMembers(
          acts.map(({ name }) => name),
          [...performed]
        )
      })
    ),
  60_000
)

it.live(
  "A command that the database cannot serve fails in its own line, and later commands run.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connection, environment } = yield* installationOn(yield* freshService)
        yield* execute(connection, [
          `create function fail() returns trigger language plpgsql as $$ begin
             if new.name = 'B' then raise exception 'busy' using errcode = '53200'; end if;
             if new.name = 'C' then raise exception 'faulty' using errcode = 'XX000'; end if;
             return new;
           end $$`,
          "create trigger fail before insert on organizations for each row execute function fail()"
        ])
        const input = ["A", "B", "C", "D"].map((name) => `create-organization --name ${name}`).join("\n")
        const { child, ended } = spawnReading(input, environment, "admin", "run", "--continue")
        let printed = ""
        child.stdout!.on("data", (chunk: Buffer) => (printed += chunk))
        assert.strictEqual(yield* Effect.promise(() => ended), 1)
        // Standard output contains only these lines.
        const results = printed
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          results.map(({ line, outcome }) => [line, outcome]),
          [
            [1, "DONE"],
            [2, "FAILED"],
            [3, "FAILED"],
            [4, "DONE"]
          ]
        )
        assert.match(results[1].detail, /^the database cannot serve now: .*53200/)
        assert.notInclude(results[1].detail, "unknown")
        assert.notInclude(results[2].detail, "faulty")
      })
    ),
  60_000
)

it.live("A command that only reads refuses a data directory without an installation, and makes none.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const DATA_DIR = path.join(yield* temporaryDirectory, "data")
      const refusal = `countersign: DATA_DIR: ${DATA_DIR} holds no installation; set DATA_DIR, or start \`countersign serve\` first.`
      for (const [words, expected] of [
        ["list organizations", 1],
        ["show project delivery_1", 1],
        ["log", 1],
        ["sizes", 1],
        ["issuer-keys", 1],
        ["check", 2]
      ] as const) {
        const { code, output } = yield* runReading("", { DATA_DIR }, "admin", ...words.split(" "))
        assert.deepStrictEqual([output.trim(), code], [refusal, expected], words)
        assert.isFalse(fs.existsSync(DATA_DIR), words)
      }
    })
  )
)

it.effect("A failure with an unknown outcome states that.", () =>
  Effect.gen(function* () {
    const unavailable = new StorageUnavailable({ reason: "COMMIT", mayBeCommitted: true })
    const { message } = yield* Effect.flip(unavailableAsFailure(Effect.die(unavailable)))
    assert.include(message, "it is unknown whether the change was committed")
  })
)

it.live(
  "admin run runs commands line by line in one process, and lists are paginated.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const lines = [
          "# three organizations",
          "",
          ...["A", "B B", "C"].map((entry) => `create-organization --name "${entry}"`)
        ]
        const input = [...lines, "revoke-grant --grant nothing", `create-organization --name 'unended`].join("\n")
        const continued = yield* runReading(input, environment, "admin", "run", "--continue")
        assert.strictEqual(continued.code, 1)
        const results = continued.output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))
        assert.deepStrictEqual(
          results.map(({ line, outcome }) => [line, outcome]),
          [
            [3, "DONE"],
            [4, "DONE"],
            [5, "DONE"],
            [6, "UNKNOWN_PARTY"],
            [7, "FAILED"]
          ]
        )
        const first = yield* runReading(`revoke-grant --grant nothing\n${input}`, environment, "admin", "run")
        assert.strictEqual(first.code, 1)
        assert.strictEqual(first.output.match(/^\{/gm)?.length, 1, "the first refusal ends the run")

        const command = yield* commandsOn(environment)
        const page = (...flags: ReadonlyArray<string>) =>
          Effect.map(command("list", "organizations", "--json", ...flags), (text): any => JSON.parse(text))
        const firstPage = yield* page("--limit", "2")
        const two = yield* page("--limit", "2", "--after", firstPage.next)
        assert.deepStrictEqual([firstPage.organizations.length, two.organizations.length, two.next], [2, 1, null])
        assert.deepStrictEqual((yield* page()).organizations, [...firstPage.organizations, ...two.organizations])
        assert.sameMembers(
          [...firstPage.organizations, ...two.organizations].map(({ name }) => name),
          ["A", "B B", "C"]
        )
        for (const wrong of [
          ["--limit", "0"],
          ["--limit", "501"],
          ["--after", "\u202e"]
        ]) {
          assert.strictEqual((yield* page(...wrong)).error, "INVALID_REQUEST")
        }
      })
    ),
  60_000
)
