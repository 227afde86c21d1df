import { readFileSync } from "node:fs"
import { DateTime, Effect, Random } from "effect"
import { zipSync } from "fflate"
import { assert, describe, it } from "vitest"
import { canaries, runCanary } from "../../../simulator/determinism/canary.ts"
import { describeLeak, guardLeaks } from "../../../simulator/kernel/leaks/leak-guard.ts"
import { callSiteIn } from "../../../simulator/kernel/leaks/call-site.ts"
import { leakSources } from "../../../simulator/kernel/leaks/leak-sources.ts"
import { passportZip } from "../../../src/publications/zip.ts"

const namedIn = (work: () => unknown) => guardLeaks(work).leaks.map(describeLeak)

describe("leak guard reports", () => {
  const lines = readFileSync("simulator/determinism/canary.ts", "utf8").split("\n")

  it.each(canaries)("A leak of $kind through $call in a simulated world is reported with file and line", (canary) => {
    const caught = runCanary(canary) ?? "not reported"
    const line = /^(.*): (.*) at simulator\/determinism\/canary\.ts:(\d+):\d+$/.exec(caught)
    assert.deepStrictEqual(line?.slice(1, 3), [canary.kind, canary.call], caught)
    assert.include(lines[Number(line?.[3]) - 1], `kind: "${canary.kind}", call: "${canary.call}"`)
  })

  it("Each call site of a leak is reported exactly once", () => {
    const named = namedIn(() => {
      for (let turn = 0; turn < 3; turn++) Math.random()
      return Date.now()
    })
    assert.strictEqual(named.length, 2)
    assert.match(
      named[0]!,
      /^real randomness: Math\.random\(\) at test\/simulator\/determinism\/leak-guard\.test\.ts:\d+:\d+$/
    )
    assert.match(named[1]!, /^real time: Date\.now\(\) at test\/simulator\/determinism\/leak-guard\.test\.ts:\d+:\d+$/)
  })

  it("The leak guard does not change the results of intercepted functions", () => {
    const before = Date.now()
    const { result } = guardLeaks(() => [Date.now(), Number(new Date()), new Date(7).getTime()])
    assert.isAtLeast(result[0]!, before)
    assert.isAtLeast(result[1]!, before)
    assert.strictEqual(result[2], 7)
  })

  it("A leak in a package is reported with the file of the package and the project line behind it", () => {
    const named = namedIn(() => [Effect.runSync(DateTime.now), Effect.runSync(Random.next)])
    const effect =
      "at effect/dist/internal/[a-z]+\\.js:\\d+:\\d+, for test/simulator/determinism/leak-guard\\.test\\.ts:\\d+:\\d+"
    assert.match(named[0]!, new RegExp(`^real time: Date\\.now\\(\\) ${effect}$`))
    assert.match(named[1]!, new RegExp(`^real randomness: Math\\.random\\(\\) ${effect}$`))
  })
})

it("A local time in a ZIP file outside src/publications/zip.ts is reported as a leak", () => {
  const date = "1980-01-01T12:00:00"
  assert.match(namedIn(() => zipSync({ "a.txt": new Uint8Array() }, { mtime: date }))[0]!, /^time zone: .* at fflate\//)
})

describe("deterministic uses", () => {
  it.each([
    ["a date of a given time", () => new Date(5).toISOString()],
    ["a text with an offset", () => [new Date("2026-03-02T09:00:00Z"), Date.parse("2026-03-02T09:00:00+01:00")]],
    ["a date without a time of day, which is in UTC", () => new Date("2026-03-02")],
    ["a text that is no date in any time zone", () => new Date("soon").getTime()],
    ["a date in an explicit locale and time zone", () => new Date(5).toLocaleString("en", { timeZone: "UTC" })],
    ["numbers in an explicit locale", () => [(1e6).toLocaleString("en"), new Intl.NumberFormat("en").format(1e6)]],
    ["a collation in an explicit locale", () => ["b", "a"].toSorted((a, b) => a.localeCompare(b, "en"))],
    ["the fixed local date of a passport's ZIP file", () => passportZip("{}")]
  ])("The leak guard does not report %s", (_, work) => assert.deepStrictEqual(namedIn(work), []))

  it("Under the leak guard, instances of Date and its subclasses keep their constructor", () => {
    const { result } = guardLeaks(() => {
      class Deadline extends Date {}
      const [date, deadline] = [new Date(5), new Deadline(5)]
      return [date instanceof Date, date.constructor === Date, deadline instanceof Deadline, deadline instanceof Date]
    })
    assert.deepStrictEqual(result, [true, true, true, true])
  })
})

describe("leak guard", () => {
  const everything = () => [
    ...leakSources().map(
      ({ owner, key }) => JSON.stringify(Object.getOwnPropertyDescriptor(owner, key)) ?? "inherited"
    ),
    ...leakSources().map(({ owner, key }) => Object.getOwnPropertyDescriptor(owner, key)?.value),
    ...leakSources().map(({ owner, key }) => Object.getOwnPropertyDescriptor(owner, key)?.get),
    Date.prototype.constructor,
    Error.stackTraceLimit
  ]
  const isUntouched = (before: ReadonlyArray<unknown>) =>
    everything().every((member, index) => Object.is(member, before[index]))

  it("The leak guard restores every intercepted function, also after an error", () => {
    const before = everything()
    const environment = process.env
    let isWatched = false
    assert.throws(
      () =>
        guardLeaks(() => {
          isWatched = !isUntouched(before) && process.env !== environment
          Date.now()
          throw new Error("the work fails")
        }),
      "the work fails"
    )
    assert.isTrue(isWatched)
    assert.isTrue(isUntouched(before))
    assert.strictEqual(process.env, environment)
  })

  it("Of nested leak guards the innermost one reports, and each guard reports anew", () => {
    const before = everything()
    const outer = guardLeaks(() => {
      const inner = guardLeaks(() => Math.random())
      Date.now()
      return inner.leaks.map(({ call }) => call)
    })
    assert.deepStrictEqual(outer.result, ["Math.random()"])
    assert.deepStrictEqual(
      outer.leaks.map(({ call }) => call),
      ["Date.now()"]
    )
    assert.isTrue(isUntouched(before))
    assert.strictEqual(namedIn(() => Date.now()).length, 1)
  })
})

describe("call site", () => {
  const stackOf = (...frames: ReadonlyArray<string>) =>
    ["Error: x", ...frames.map((frame) => `    at ${frame}`)].join("\n")

  it.each([
    ["a file URL", ["commit (file:///home/p/src/a.ts:57:13)"], "src/a.ts:57:13"],
    ["a path", ["commit (/home/p/src/a.ts:57:13)"], "src/a.ts:57:13"],
    ["a function without a name", ["file:///home/p/src/a.ts:57:13"], "src/a.ts:57:13"],
    ["an asynchronous frame", ["async commit (file:///home/p/src/a.ts:57:13)"], "src/a.ts:57:13"],
    ["an asynchronous frame without a name", ["async file:///home/p/src/a.ts:57:13"], "src/a.ts:57:13"],
    ["a method under another name", ["Object.commit [as run] (/home/p/src/a.ts:57:13)"], "src/a.ts:57:13"],
    ["a constructor", ["new Commit (/home/p/src/a.ts:57:13)"], "src/a.ts:57:13"],
    ["a folder with spaces and brackets", ["f (file:///home/p/src/my%20(own)/a.ts:1:2)"], "src/my (own)/a.ts:1:2"],
    ["a folder whose name begins alike", ["f (/home/price/src/a.ts:1:2)"], "/home/price/src/a.ts:1:2"],
    ["frames of the runtime before it", ["Array.map (<anonymous>)", "f (node:fs:1:2)", "/home/p/a.ts:1:2"], "a.ts:1:2"],
    ["eval", ["eval (eval at commit (file:///home/p/src/a.ts:57:13), <anonymous>:1:6)"], "src/a.ts:57:13"],
    [
      "eval within eval",
      ["eval (eval at f (eval at commit (/home/p/src/a.ts:57:13)), <anonymous>:1:1), <anonymous>:1:30)"],
      "src/a.ts:57:13"
    ]
  ])("The call site is found behind %s", (_, frames, at) =>
    assert.deepStrictEqual(callSiteIn(stackOf(...frames), "/home/p"), { at, isPackage: false, behind: undefined })
  )

  it("A call site in a package has the nearest line outside packages, kernel and guard", () => {
    const stack = stackOf(
      "f (file:///home/p/node_modules/effect/dist/Clock.js:12:3)",
      "g (file:///home/p/node_modules/yaml/dist/a.js:4:5)",
      "h (file:///home/p/simulator/kernel/kernel.ts:6:7)",
      "i (file:///home/p/src/a.ts:8:9)"
    )
    const caller = { at: "effect/dist/Clock.js:12:3", isPackage: true, behind: "src/a.ts:8:9" }
    assert.deepStrictEqual(callSiteIn(stack, "/home/p"), caller)
  })

  it("A stack with frames of the runtime only has no call site", () => {
    assert.isUndefined(callSiteIn(stackOf("f (node:fs:1:2)", "<anonymous>", "Array.map (native)"), "/home/p"))
  })
})
