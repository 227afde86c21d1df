/** The files by which Countersign is started in containers and by systemd name documented variables and existing files. */
import * as fs from "node:fs"
import * as path from "node:path"
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
import { readKeys } from "../../src/adapters/issuer-keys.ts"
import { readPreviousKey, readSecretKey } from "../../src/adapters/secret-key.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { documentedVariables } from "../support/documented-variables.ts"
import { temporaryDirectory } from "../support/installation.ts"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const compose = parse(read("compose.yaml"), { merge: true })
const countersignServices = ["serve", "worker"] as const
const units = ["countersign.service", "countersign-worker.service"].map((name) => read(`docs/operating/${name}`))
const dockerfile = read("Dockerfile")

/** Variables of Node and of the images. */
const ofOthers = ["NODE_ENV"]

const requireDocumented = (names: ReadonlyArray<string>) => {
  assert.isNotEmpty(names)
  for (const name of names) assert.include([...documentedVariables, ...ofOthers], name)
}

describe("packaging", () => {
  it("Every variable in compose.yaml, the Dockerfile and the units is documented.", () => {
    for (const service of countersignServices) requireDocumented(Object.keys(compose.services[service].environment))
    for (const unit of units) requireDocumented([...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!))
    const [, assignments = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? []
    requireDocumented(assignments.split(" ").map((assignment) => assignment.split("=")[0]!))
  })

  it("Every file of this repository that they name exists.", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(" "))
    const mounted = compose.services.prometheus.volumes
      .map((volume: string) => volume.split(":")[0]!)
      .filter((source: string) => source.startsWith("./"))
    const inImage = [...JSON.stringify(compose.services.keys.entrypoint).matchAll(/\/app\/([^"]+)/g)].map(
      ([, file]) => file!
    )
    const configured = /--config.file=\/etc\/prometheus\/countersign\/(\S+)/.exec(
      compose.services.prometheus.command[0]
    )
    const files = [...copied, ...mounted, ...inImage, `docs/operating/${configured?.[1]}`, "bin/countersign"]
    assert.lengthOf(files, 8)
    for (const file of files) assert.isTrue(fs.existsSync(path.join(root, file)), file)
  })

  it("Prometheus scrapes the metrics ports of both processes.", () => {
    const ports = countersignServices.map(
      (service) => `127.0.0.1:${compose.services[service].environment.METRICS_PORT}`
    )
    const { scrape_configs: jobs } = parse(read("docs/operating/prometheus.yml"))
    assert.deepStrictEqual(
      jobs.flatMap((job: any) => job.static_configs.flatMap(({ targets }: any) => targets)),
      ports
    )
    assert.deepStrictEqual(
      units.map((unit) => `127.0.0.1:${/METRICS_PORT=(\d+)/.exec(unit)?.[1]}`),
      ports
    )
  })

  it("A stop has the time that a process needs for it, and a reload is a SIGHUP.", () => {
    for (const unit of units) {
      assert.isAbove(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1000, limits.shutdown)
      assert.match(unit, /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
    }
    for (const service of countersignServices) {
      assert.isAbove(Number.parseInt(compose.services[service].stop_grace_period) * 1000, limits.shutdown)
    }
  })

  it.live("make-keys.mjs makes keys that a start reads, and leaves existing ones as they are.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = path.join(yield* temporaryDirectory, "keys")
        const script = path.join(root, "docs/operating/make-keys.mjs")
        const make = () =>
          spawnSync(node, [script, directory, "example", "production"], { encoding: "utf8", stdio: "pipe" })
        const first = make()
        assert.strictEqual(first.status, 0, first.stderr)
        const { keys } = yield* readKeys(path.join(directory, "issuer-keys.json"))
        assert.deepStrictEqual([keys.issuer, keys.environment], ["example", "production"])
        yield* readSecretKey(path.join(directory, "secret-key"))
        assert.isUndefined(yield* readPreviousKey(path.join(directory, "secret-key-previous")))
        for (const file of fs.readdirSync(directory)) {
          assert.strictEqual(fs.statSync(path.join(directory, file)).mode & 0o777, 0o600, file)
        }
        const contents = () =>
          fs.readdirSync(directory).map((file) => fs.readFileSync(path.join(directory, file), "utf8"))
        const before = contents()
        assert.strictEqual(make().status, 0)
        assert.deepStrictEqual(contents(), before)
      })
    )
  )
})
