import { assert, describe, it } from "@effect/vitest"
import { noConnectionToPrivateAddresses } from "../../../../simulator/properties/safety/no-connection-to-private-addresses.ts"
import { SyntheticRun } from "../../support/synthetic-run.ts"

const host = "hooks.example.com"
const [actor, receiver] = ["worker", "hooks"]

const begun = () =>
  new SyntheticRun(noConnectionToPrivateAddresses).observes({
    kind: "given",
    name: receiver,
    is: "receiver",
    answer: { host }
  })

const found = (run: SyntheticRun, ...answers: ReadonlyArray<string>) =>
  run.observes({ kind: "lookup", actor, host, answers, refused: undefined })
const connected = (run: SyntheticRun, address: string) => run.observes({ kind: "connection", actor, receiver, address })

const address = "93.184.215.14"

describe("no connection to private addresses", () => {
  it("A connection to a public address from the look-up is allowed", () => {
    assert.isUndefined(connected(found(begun(), address), address).violation)
    assert.isUndefined(connected(found(begun(), "2a00:1450:4001::1"), "2a00:1450:4001::1").violation)
  })

  it("A connection to an earlier look-up's address is allowed after a stalled handshake", () => {
    const run = found(begun(), address).observes({ kind: "stalled", actor, receiver, during: "HANDSHAKE" })
    found(run, "93.184.215.15")
    connected(run, "93.184.215.15")
    assert.isUndefined(connected(run, address).violation)
  })

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "2001:db8::1",
    "::ffff:10.0.0.1"
  ])("A connection to the private address %s is a violation", (privateAddress) => {
    assert.isDefined(connected(found(begun(), privateAddress), privateAddress).violation)
  })

  it("A connection to a host with any private address is a violation", () => {
    assert.isDefined(connected(found(begun(), address, "10.0.0.1"), address).violation)
  })

  it("A connection to an address without a preceding look-up is a violation", () => {
    assert.isDefined(connected(found(begun(), address), "93.184.215.15").violation)
    assert.isDefined(connected(connected(found(begun(), address), address), address).violation)
  })
})
