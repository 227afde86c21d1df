/**
 * The machines of a drill: network namespaces behind a bridge, which can be cut off from each other, or addresses of the
 * loopback interface, for which nothing has to be permitted.
 */
import { execFileSync } from "node:child_process"
import { Effect, type Scope } from "effect"

export interface Machine {
  readonly name: string
  readonly address: string
  /** Precedes a command that runs on it. */
  readonly prefix: ReadonlyArray<string>
}

export interface Network {
  readonly machines: ReadonlyArray<Machine>
  /** Contains the addresses from which connections are made. */
  readonly range: string
  /** The address at which programs of no machine listen. */
  readonly client: string
  /** Between one machine and all others every packet is lost; this process still reaches all of them. */
  cut(machine: Machine): void
  restore(machine: Machine): void
}

// Two drills at a time have different addresses.
const block = process.pid % 250

export const loopback = (names: ReadonlyArray<string>): Network => ({
  machines: names.map((name, index) => ({ name, address: `127.83.${block}.${11 + index}`, prefix: [] })),
  range: "127.0.0.0/8",
  client: `127.83.${block}.1`,
  cut: () => {
    throw new Error("addresses of the loopback interface cannot be cut off")
  },
  restore: () => {}
})

export const namespaces = (names: ReadonlyArray<string>): Effect.Effect<Network, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bridge = `drill${process.pid}`
    const client = `10.213.${block}.1`
    const machines = names.map((name, index): Machine => {
      const prefix = ["ip", "netns", "exec", `${bridge}-${name}`]
      return { name, address: `10.213.${block}.${11 + index}`, prefix }
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => removeAll(bridge, names)))
    ip(`link add ${bridge} type bridge`)
    ip(`address add ${client}/24 dev ${bridge}`)
    ip(`link set ${bridge} up`)
    for (const { name, address } of machines) {
      const [namespace, port] = [`${bridge}-${name}`, `${bridge}${name}`]
      ip(`netns add ${namespace}`)
      ip(`link add ${port} type veth peer name eth0 netns ${namespace}`)
      ip(`link set ${port} master ${bridge} up`)
      ip(`-n ${namespace} address add ${address}/24 dev eth0`)
      ip(`-n ${namespace} link set eth0 up`)
      ip(`-n ${namespace} link set lo up`)
    }
    const pairsOf = (machine: Machine) =>
      machines
        .filter((other) => other !== machine)
        .flatMap((other) => [[machine, other] as const, [other, machine] as const])
    return {
      machines,
      range: `10.213.${block}.0/24`,
      client,
      // A neighbour with a hardware address of no interface: packets to it leave and arrive nowhere.
      cut: (machine) => {
        for (const [from, to] of pairsOf(machine)) {
          ip(
            `-n ${bridge}-${from.name} neighbour replace ${to.address} lladdr 02:00:00:00:00:01 dev eth0 nud permanent`
          )
        }
      },
      restore: (machine) => {
        for (const [from, to] of pairsOf(machine))
          ip(`-n ${bridge}-${from.name} neighbour delete ${to.address} dev eth0`)
      }
    }
  })

const removeAll = (bridge: string, names: ReadonlyArray<string>): void => {
  const listed = ip("netns list")
  for (const name of names) if (listed.includes(`${bridge}-${name}`)) ip(`netns delete ${bridge}-${name}`)
  if (ip("-brief link show type bridge").includes(bridge)) ip(`link delete ${bridge}`)
}

const ip = (words: string): string =>
  execFileSync("ip", words.split(" "), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
