import { assert, describe, it } from "vitest"
import { Redacted, Result } from "effect"
import { parseDatabaseUrl } from "../../src/adapters/database-address.ts"

const parsed = (url: string) => parseDatabaseUrl(Redacted.make(url))

const hostsOf = (url: string) =>
  Result.match(parsed(url), {
    onFailure: (message) => assert.fail(message),
    onSuccess: (hosts) => hosts.map(({ name, url }) => [name, Redacted.value(url)])
  })

const messageOf = (url: string) =>
  Result.match(parsed(url), { onFailure: (message) => message, onSuccess: () => assert.fail("the URL was accepted") })

describe("DATABASE_URL", () => {
  it.each([
    ["postgres://u:p@h1:5433/db", [["h1:5433", "postgres://u:p@h1:5433/db?"]]],
    ["postgresql://h1", [["h1:5432", "postgres://h1:5432?"]]],
    [
      "postgres://u:p@h1:5433,h2,h3:5434/db?sslmode=require",
      [
        ["h1:5433", "postgres://u:p@h1:5433/db?sslmode=require"],
        ["h2:5432", "postgres://u:p@h2:5432/db?sslmode=require"],
        ["h3:5434", "postgres://u:p@h3:5434/db?sslmode=require"]
      ]
    ],
    [
      "postgres://u@[::1]:5433,[2001:db8::2]/db",
      [
        ["[::1]:5433", "postgres://u@[::1]:5433/db?"],
        ["[2001:db8::2]:5432", "postgres://u@[2001:db8::2]:5432/db?"]
      ]
    ],
    [
      "postgres://u@h1,h2/db?port=6432&target_session_attrs=read-write",
      [
        ["h1:6432", "postgres://u@h1:6432/db?"],
        ["h2:6432", "postgres://u@h2:6432/db?"]
      ]
    ],
    [
      "postgres://u@/db?host=h1,h2&port=1,2",
      [
        ["h1:1", "postgres://u@h1:1/db?"],
        ["h2:2", "postgres://u@h2:2/db?"]
      ]
    ],
    // An unencoded "@" or comma belongs to the password.
    ["postgres://u%40x:p@s,s@h1/db", [["h1:5432", "postgres://u%40x:p@s,s@h1:5432/db?"]]]
  ])("%s has these hosts, in order.", (url, hosts) => {
    assert.deepStrictEqual(hostsOf(url), hosts)
  })

  it.each([
    ["postgres://u:p@localhost/db?host=/run/postgres", "/run/postgres"],
    ["postgres://u:p@%2Frun%2Fpostgres/db", "/run/postgres"],
    ["postgres://u:p@localhost/db?host=%2Frun%2F100%25", "/run/100%"],
    ["postgres://u:p@localhost/db?host=/run/a%2541", "/run/a%41"],
    ["postgres://u:p@%2Frun%2Fa%2541/db", "/run/a%41"]
  ])("%s is a socket in %s: a host is percent-decoded exactly once.", (url, directory) => {
    const [host] = Result.getOrThrow(parsed(url))
    assert.deepStrictEqual(host?.at, { path: `${directory}/.s.PGSQL.5432` })
  })

  it.each([
    ["mysql://canary@h1/db", /expected postgres:\/\//],
    ["canary@somewhere", /expected postgres:\/\//],
    ["postgres://u:canary@h1:http/db", /expected postgres:\/\//],
    ["postgres://u:canary@h1:0/db", /a port of 1 to 65535/],
    ["postgres://u:canary@h1:65536/db", /a port of 1 to 65535/],
    ["postgres://u:canary@h 1/db", /expected postgres:\/\//],
    ["postgres://u:canary%@h1/db", /percent-encoded/],
    ["postgres://u:canary@h1,h2,h3/db?port=1,2", /one port for all hosts or one for each: 3 hosts, 2 ports/],
    ["postgres://u:canary@h1/db?sslmode=maybe", /sslmode to be one of disable/],
    ["postgres://u:canary@h1/db?target_session_attrs=standby", /target_session_attrs to be one of read-write/]
  ])("%s is refused in a sentence that does not contain the password.", (url, expected) => {
    assert.match(messageOf(url), expected)
    assert.notInclude(messageOf(url), "canary")
  })
})

describe("READ_DATABASE_URL", () => {
  it("READ_DATABASE_URL asks for standbys where DATABASE_URL asks for a primary.", () => {
    const asking = (kind: string) => Redacted.make(`postgres://h1,h2/db?target_session_attrs=${kind}`)
    for (const kind of ["standby", "read-only", "prefer-standby", "any"]) {
      assert.isTrue(Result.isSuccess(parseDatabaseUrl(asking(kind), "REPLICA")), kind)
    }
    assert.deepStrictEqual(
      parseDatabaseUrl(asking("read-write"), "REPLICA"),
      Result.fail("expected target_session_attrs to be one of read-only, standby, prefer-standby, any")
    )
    assert.isTrue(Result.isFailure(parseDatabaseUrl(asking("standby"), "PRIMARY")))
  })
})
