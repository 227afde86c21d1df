/** Accepted and refused addresses of webhooks, by the IANA registries. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { limits } from "../../src/vocabulary/limits.ts"
import { checkAnswers, isPublic } from "../../src/webhooks/addresses.ts"

const list = (addresses: string): ReadonlyArray<string> => addresses.trim().split(/\s+/)

/** Refused addresses by reason. First and last addresses represent their block. */
const hostile: Readonly<Record<string, ReadonlyArray<string>>> = {
  "this network (RFC 791)": list("0.0.0.0 0.0.0.1 0.255.255.255"),
  "private (RFC 1918)": list(
    "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 10.96.0.1 172.17.0.1"
  ),
  "carrier's (RFC 6598)": list("100.64.0.0 100.127.255.255"),
  loopback: list("127.0.0.1 127.0.0.53 127.255.255.255"),
  "link-local": list("169.254.0.0 169.254.1.1 169.254.255.255"),
  "protocol assignments (RFC 6890)": list("192.0.0.0 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.255"),
  documentation: list("192.0.2.0 192.0.2.255 198.51.100.1 203.0.113.255"),
  "AS112 (RFC 7534, 7535)": list("192.31.196.1 192.175.48.1 192.175.48.255"),
  "AMT (RFC 7450)": list("192.52.193.1"),
  "6to4 relays (RFC 7526)": list("192.88.99.1 192.88.99.2"),
  benchmarking: list("198.18.0.0 198.19.255.255"),
  "multicast of IPv4": list("224.0.0.1 239.255.255.250"),
  "reserved and broadcast": list("240.0.0.0 255.255.255.254 255.255.255.255"),
  "a cloud's inside, over IPv4": list(`
    169.254.169.254 169.254.170.2 169.254.169.253 169.254.0.23 100.100.100.200 192.0.0.192
    168.63.129.16 161.26.0.10 166.8.0.1 166.11.255.255
  `),
  "unspecified and loopback of IPv6": list(":: ::1"),
  "mapped and compatible IPv4": list("::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:808:808 ::7f00:1"),
  "translated IPv4 (RFC 6145)": list("::ffff:0:127.0.0.1 ::ffff:0:808:808"),
  "NAT64 (RFC 6052, 8215)": list("64:ff9b::127.0.0.1 64:ff9b::808:808 64:ff9b:1::1 64:ff9b:1:ffff::a00:1"),
  "discard (RFC 6666, 9780)": list("100::1 100:0:0:1::1"),
  "protocol assignments of IPv6 (2001::/23)": list("2001:1::1 2001:1::2 2001:1::3 2001:1ff:ffff::1"),
  Teredo: list("2001::1 2001:0:7f00:1::"),
  "benchmarking of IPv6": list("2001:2::1"),
  "AMT of IPv6": list("2001:3::1"),
  "AS112 of IPv6": list("2001:4:112::1 2620:4f:8000::1"),
  ORCHID: list("2001:10::1 2001:1f:ffff::1 2001:20::1 2001:2f:ffff::1"),
  "drone remote identity": list("2001:30::1 2001:3f:ffff::1"),
  "documentation of IPv6": list("2001:db8::1 2001:db8:ffff::1 3fff::1 3fff:fff:ffff::1"),
  "6to4 (RFC 3056)": list("2002::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1"),
  "6bone (RFC 3701)": list("3ffe::1 3ffe:ffff::1"),
  "segment routing": list("5f00::1"),
  "unique local": list("fc00::1 fd00::1 fdff:ffff::1"),
  "link-local of IPv6": list("fe80::1 febf::1 fe80::a9fe:a9fe"),
  "site-local": list("fec0::1 feff::1"),
  "multicast of IPv6": list("ff02::1 ff0e::1 ff05::2"),
  "a cloud's inside, over IPv6": list("fd00:ec2::254 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42"),
  "beyond what is given out": list("1fff:ffff::1 4000::1 8000::1 e000::1 200::1 fbff::1"),
  "with a zone": list("fe80::1%eth0 2606:4700::1111%eth0 2606:4700::1111%1"),
  "another spelling of an address": list("0177.0.0.1 127.1 2130706433 0x8.8.8.8 08.8.8.8 8.8.8.8. 8.8.8.8/32"),
  "no address": [
    "",
    "example.com",
    "8.8.8",
    "8.8.8.8.8",
    "256.1.1.1",
    ":::",
    "2606:4700::1111::",
    " 8.8.8.8",
    "8.8.8.8\n"
  ]
}

const reachable = list(`
    1.1.1.1 8.8.8.8 9.9.9.9 93.184.215.14 151.101.1.69 172.15.255.255 172.32.0.1 100.63.255.255
    100.128.0.1 169.253.255.255 192.0.1.1 198.17.255.255 198.20.0.1 223.255.255.254 168.63.129.15
    166.7.255.255 166.12.0.1 11.0.0.1 2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001::200e
    2400:cb00::1 2001:200::1 2620:fe::fe 2c0f:fb50::1 2003::1 3fff:1000::1
  `)

const all = Object.values(hostile).flat()

describe("a single address", () => {
  it.each(Object.entries(hostile))("An address is refused: %s.", (_, addresses) => {
    assert.deepStrictEqual(addresses.filter(isPublic), [])
  })

  it("At least 87 addresses are refused, and at least 16 accepted.", () => {
    assert.isAtLeast(new Set(all).size, 87)
    assert.isAtLeast(new Set(reachable).size, 16)
  })

  it.each(reachable)("%s is accepted.", (address) => {
    assert.isTrue(isPublic(address))
  })
})

describe("the addresses of a name", () => {
  const accepted = (answers: ReadonlyArray<string>, own: ReadonlyArray<string> = []) =>
    Result.isSuccess(checkAnswers(answers, own))

  it("All public addresses of a name are used, in their order.", () => {
    assert.deepStrictEqual(checkAnswers(reachable, []), Result.succeed(reachable))
  })

  it("A name without addresses, or with too many, is refused.", () => {
    const many = Array.from({ length: limits.webhookAddresses + 1 }, (_, index) => `8.8.8.${index}`)
    assert.isFalse(accepted([]))
    assert.isTrue(accepted(many.slice(1)))
    assert.isFalse(accepted(many))
    assert.isFalse(accepted(Array.from({ length: 10_000 }, () => "8.8.8.8")))
  })

  it("A name with an address of this machine is refused, in any spelling.", () => {
    const own = ["127.0.0.1", "::1", "93.184.215.14", "2606:4700:0:0:0:0:0:1111"]
    assert.isFalse(accepted(["8.8.8.8", "93.184.215.14"], own))
    assert.isFalse(accepted(["2606:4700::1111"], own))
    assert.isFalse(accepted(["2606:4700::0:1111", "8.8.8.8"], own))
    assert.isTrue(accepted(["2606:4700::1112", "8.8.8.8"], own))
  })

  it("A name with one refused address at any position is refused.", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...reachable), { maxLength: 20 }),
        fc.constantFrom(...all),
        (others, one) => {
          assert.isTrue(others.length === 0 || accepted(others))
          for (let place = 0; place <= others.length; place++) {
            const mixed = others.toSpliced(place, 0, one)
            assert.isTrue(Result.isFailure(checkAnswers(mixed, [])), JSON.stringify(mixed))
          }
        }
      )
    )
  })

  it("An accepted IPv6 address is inside 2000::/3, with any other bits.", () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups
        const isInside = first >= 0x2000 && first <= 0x3fff
        if (isPublic(groups.map((each) => each.toString(16)).join(":"))) assert.isTrue(isInside)
      })
    )
  })
})
