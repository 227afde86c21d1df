/** The example files for a failover agree with each other and with what their page says. The drill runs them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { etcdFile, haproxyFile } from "../drill/failover/configuration.ts"
import { loopback } from "../drill/failover/network.ts"
import { optionsOf } from "../drill/options.ts"

const folder = path.resolve(import.meta.dirname, "../../docs/operating/failover")
const read = (file: string): string => fs.readFileSync(path.join(folder, file), "utf8")
const [etcd, patroni] = [parse(read("etcd.yml")), parse(read("patroni.yml"))]
const haproxy = read("haproxy.cfg")

describe("the example files for a failover", () => {
  it("A leader that is cut off gives up before another one may lead, with times that every Patroni accepts.", () => {
    const { ttl, loop_wait, retry_timeout } = patroni.bootstrap.dcs
    assert.isAtMost(loop_wait + 2 * retry_timeout, ttl)
    assert.deepStrictEqual([ttl >= 20, loop_wait >= 1, retry_timeout >= 3], [true, true, true])
  })

  it("A standby is synchronous, and pauses do not wait for one that is lost.", () => {
    assert.isTrue(patroni.bootstrap.dcs.synchronous_mode)
    assert.isUndefined(patroni.bootstrap.dcs.synchronous_mode_strict)
  })

  it("Patroni writes the leader's key conditionally also before 3.0.3: by version 2 of the protocol, which etcd answers.", () => {
    assert.deepStrictEqual([patroni.etcd3, etcd["enable-v2"]], [undefined, true])
  })

  it("The three machines are the same in all files, and haproxy asks the port of Patroni.", () => {
    const clients = [...etcd["initial-cluster"].matchAll(/http:\/\/([\d.]+):2380/g)].map(([, address]) => address)
    assert.deepStrictEqual(
      patroni.etcd.hosts,
      clients.map((address) => `${address}:2379`)
    )
    const servers = [...haproxy.matchAll(/^ {4}server \w+ ([\d.]+):5432$/gm)].map(([, address]) => address)
    assert.deepStrictEqual(servers, clients)
    assert.include(haproxy, `check port ${patroni.restapi.connect_address.split(":")[1]} `)
    assert.include(haproxy, "on-marked-down shutdown-sessions")
  })
})

describe("the files of a drill", () => {
  const network = loopback(["a", "b", "c"])
  const [first, second] = network.machines

  it("They name the machines of the drill and none of the examples.", () => {
    const files = [etcdFile(network, second!, "/drill"), haproxyFile(network)]
    for (const file of files) assert.notInclude(file, "10.0.0.")
    const made = parse(etcdFile(network, second!, "/drill"))
    assert.strictEqual(made.name, "b")
    assert.strictEqual(made["listen-client-urls"], `http://${second!.address}:2379`)
    assert.include(made["initial-cluster"], `a=http://${first!.address}:2380`)
  })
})

describe("the command line of the drills", () => {
  it("Ten kills without a cut network are the default of failover.", () => {
    assert.deepInclude(optionsOf([]), { seed: 1, duration: 60_000, kills: 10, cut: false, json: false })
    assert.deepInclude(optionsOf(["--kills", "2", "--cut", "--json", "--seed", "7"]), { kills: 2, cut: true, seed: 7 })
  })

  it.each(["--kills many", "--seed -1", "--for 1m", "--fast"])("The options %s are refused", (options) => {
    assert.isUndefined(optionsOf(options.split(" ")))
  })
})
