/** The example files of docs/operating/failover/, with the names, addresses and directories of a drill. */
import * as fs from "node:fs"
import * as path from "node:path"
import { parse, stringify } from "yaml"
import type { Machine, Network } from "./network.ts"

const examples = path.resolve(import.meta.dirname, "../../../docs/operating/failover")
const documented = ["10.0.0.11", "10.0.0.12", "10.0.0.13"]

export const password = "replace-this"
export const databasePort = 5432
export const managerPort = 8008

/** The port of haproxy. */
export const proxyPort = 5432

export const etcdFile = (network: Network, machine: Machine, directory: string): string => {
  const example = parse(readExample("etcd.yml", network))
  return stringify({
    ...ofMachine(example, network, machine),
    "initial-cluster": example["initial-cluster"],
    name: machine.name,
    "data-dir": path.join(directory, "etcd")
  })
}

export const patroniFile = (network: Network, machine: Machine, directory: string): string => {
  const example = parse(readExample("patroni.yml", network))
  const { restapi, postgresql } = ofMachine(example, network, machine)
  return stringify({
    ...example,
    name: machine.name,
    restapi,
    postgresql: {
      ...postgresql,
      data_dir: dataDirectory(directory),
      bin_dir: postgresBinaries(),
      pgpass: path.join(directory, "pgpass"),
      parameters: { unix_socket_directories: directory }
    }
  })
}

export const haproxyFile = (network: Network): string =>
  readExample("haproxy.cfg", network).replace("bind 127.0.0.1:", `bind ${network.client}:`)

export const dataDirectory = (directory: string): string => path.join(directory, "postgres")

/** Where the packages of the distribution install programs. */
export const programFolders = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"]

/** The Debian packages of the programs that are not installed. */
export const missingPackages = (): ReadonlyArray<string> => [
  ...(
    [
      ["patroni", "patroni"],
      ["etcd", "etcd-server"],
      ["haproxy", "haproxy"]
    ] as const
  )
    .filter(([program]) => !programFolders.some((folder) => fs.existsSync(path.join(folder, program))))
    .map(([, debianPackage]) => debianPackage),
  ...(postgresBinaries() === undefined ? ["postgresql"] : [])
]

/** Those of the newest Postgres that is installed: the embedded one has no pg_basebackup and pg_rewind. */
const postgresBinaries = (): string | undefined => {
  const all = "/usr/lib/postgresql"
  const versions = fs.existsSync(all) ? fs.readdirSync(all).toSorted((one, other) => Number(other) - Number(one)) : []
  return versions
    .map((version) => path.join(all, version, "bin"))
    .find((folder) => fs.existsSync(path.join(folder, "pg_rewind")))
}

const readExample = (file: string, { machines, range }: Network): string =>
  documented.reduce(
    (text, address, index) => text.replaceAll(`${address}:`, `${machines[index]!.address}:`),
    fs.readFileSync(path.join(examples, file), "utf8").replaceAll("10.0.0.0/24", range)
  )

/** An example is that of the first machine. */
const ofMachine = (example: unknown, { machines: [first] }: Network, { address }: Machine) =>
  JSON.parse(JSON.stringify(example).replaceAll(first!.address, address))
