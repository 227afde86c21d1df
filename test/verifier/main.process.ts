/** The command as a process: arguments, files and exit codes. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { printReport } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verify } from "./forgeries.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, makeSample } from "./sample.ts"

const main = join(import.meta.dirname, "../../src/verifier/main.ts")
let folder: string
const run = (...words: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: folder, timeout: 20_000 })
  return { exit: status, out: stdout.toString(), err: stderr.toString() }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-"))
  const sample = makeSample()
  writeFileSync(join(folder, "artifact.json"), sample.bytes(sample.review))
  writeFileSync(join(folder, "keys.json"), sample.bytes(sample.trust))
  writeFileSync(join(folder, "status.jws"), `${sample.status}\n`)
  writeFileSync(join(folder, "policy.json"), sample.bytes(policyFor(sample.package)))
  writeFileSync(join(folder, "refused.json"), sample.bytes({ ...sample.review, record: sample.status }))
  execFileSync("mkfifo", [join(folder, "fifo")])
  symlinkSync("artifact.json", join(folder, "link-to-artifact"))
  symlinkSync("fifo", join(folder, "link-to-fifo"))
  symlinkSync("/dev/zero", join(folder, "link-to-zero"))
  symlinkSync("link-to-itself", join(folder, "link-to-itself"))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("verify-result", () => {
  it("the command prints the report and exits with 0", () => {
    assert.deepStrictEqual(run("artifact.json", "keys.json", checkedAt), {
      exit: 0,
      out: printReport(verify({})),
      err: ""
    })
  })

  it("the command follows symbolic links", () =>
    assert.strictEqual(run("link-to-artifact", "keys.json", checkedAt).out, printReport(verify({}))))

  it("the option --text prints the report as text", () => {
    assert.strictEqual(run("--text", "artifact.json", "keys.json", checkedAt).out, printText(verify({})))
  })

  it("the option --status reads the status from a file", () => {
    const { exit, out } = run("artifact.json", "keys.json", checkedAt, "--status=status.jws")
    assert.strictEqual(exit, 0)
    assert.strictEqual(JSON.parse(out).currentStatus.source, "file")
  })

  it("the option --authority reads the policy from a file", () => {
    const { exit, out } = run("artifact.json", "keys.json", checkedAt, "--authority=policy.json")
    assert.strictEqual(exit, 0)
    assert.strictEqual(JSON.parse(out).recordedAuthority.policy.outcome, "HELD")
  })

  it("an invalid policy gives a report and exit code 2", () => {
    const { exit, out } = run("artifact.json", "keys.json", checkedAt, "--authority=keys.json")
    assert.strictEqual(exit, 2)
    assert.strictEqual(JSON.parse(out).verdict, "UNREADABLE")
  })

  it("a refused artifact gives exit code 1", () =>
    assert.strictEqual(run("refused.json", "keys.json", checkedAt).exit, 1))

  it("an invalid time gives a report and exit code 2", () => {
    const { exit, out } = run("artifact.json", "keys.json", "2026-11-21")
    assert.strictEqual(exit, 2)
    assert.strictEqual(JSON.parse(out).verdict, "UNREADABLE")
  })

  it.each([
    // The read end of the pipe is closed before the first write.
    ["a closed pipe", 'exec 3<>fifo 4>fifo 3<&-; "$@" >&4'],
    ["a full disk", '"$@" >/dev/full']
  ])("a write to %s gives exit code 2 and one message without internals", (_, script) => {
    const command = [process.execPath, main, "artifact.json", "keys.json", checkedAt]
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...command], {
      cwd: folder,
      timeout: 20_000,
      encoding: "utf8"
    })
    assert.strictEqual(status, 2)
    expect(`${stdout}${stderr}`).not.toMatch(/\bat |Error|EPIPE|ENOSPC|\.ts/)
    assert.strictEqual(stderr, "OUTPUT: the report could not be written\n")
  })

  it("the whole report reaches a full pipe in non-blocking mode once its reader continues", async () => {
    const pipe = openSync(join(folder, "fifo"), constants.O_RDWR | constants.O_NONBLOCK)
    try {
      const filling = Buffer.alloc(4_096)
      let filled = 0
      for (let count = filling.length; count > 0; filled += count) count = orZero(() => writeSync(pipe, filling))
      // Node makes the first three descriptors of a child blocking; the shell passes the fourth on as it is.
      const words = ["-c", '"$@" >&3', "bash", process.execPath, main, "artifact.json", "keys.json", checkedAt]
      const stdio = ["ignore", "ignore", "ignore", pipe] as const
      const child = spawn("bash", words, { cwd: folder, stdio: [...stdio], timeout: 20_000 })
      const exited = once(child, "exit")
      // The reader waits until the command has certainly found the pipe full.
      await Promise.race([exited, new Promise((resume) => setTimeout(resume, 1_000))])
      const read: Array<Buffer> = []
      const readAll = () => {
        const buffer = Buffer.alloc(4_096)
        for (let count = 1; count > 0; read.push(Buffer.from(buffer.subarray(0, count)))) {
          count = orZero(() => readSync(pipe, buffer))
        }
      }
      while (child.exitCode === null && child.signalCode === null) {
        readAll()
        await new Promise((resume) => setTimeout(resume, 5))
      }
      readAll()
      expect(await exited).toEqual([0, null])
      assert.strictEqual(Buffer.concat(read).subarray(filled).toString(), printReport(verify({})))
    } finally {
      closeSync(pipe)
    }
  })

  it.each([
    [[]],
    [["artifact.json", "keys.json"]],
    [["artifact.json", "keys.json", checkedAt, "fourth"]],
    [["artifact.json", "keys.json", checkedAt, "--Text"]],
    [["artifact.json", "keys.json", checkedAt, "--text", "--text"]],
    [["artifact.json", "keys.json", checkedAt, "--status="]],
    [["artifact.json", "keys.json", checkedAt, "--status", "status.jws"]],
    [["artifact.json", "keys.json", checkedAt, "--status=status.jws", "--status=status.jws"]],
    [["artifact.json", "keys.json", checkedAt, "--authority="]],
    [["artifact.json", "keys.json", checkedAt, "--authority", "policy.json"]],
    [["artifact.json", "keys.json", checkedAt, "--authority=policy.json", "--authority=policy.json"]],
    [["artifact.json", "keys.json", checkedAt, "--text="]],
    [["--", "artifact.json", "keys.json", checkedAt]],
    [["artifact.json", "keys.json", checkedAt, "-x"]]
  ])("the arguments %j give the usage and exit code 2", (words) => {
    const { exit, out, err } = run(...words)
    expect([exit, out]).toEqual([2, ""])
    expect(err).toMatch(/^usage: verify-result /)
  })

  it.each(["absent.json", ".", "fifo", "/dev/zero"])("%s in place of any file gives exit code 2", (path) => {
    for (const words of [
      [path, "keys.json", checkedAt],
      ["artifact.json", path, checkedAt],
      ["artifact.json", "keys.json", checkedAt, `--status=${path}`],
      ["artifact.json", "keys.json", checkedAt, `--authority=${path}`]
    ]) {
      const { exit, out, err } = run(...words)
      expect([exit, out]).toEqual([2, ""])
      expect(err).toMatch(/^INPUT_FILE: the (?:artifact|key file|status|authority policy) [a-z ]+\n$/)
    }
  })

  it.each(["", "link-to-fifo", "link-to-zero", "link-to-itself"])("%j as the artifact gives exit code 2", (path) => {
    const { exit, out, err } = run(path, "keys.json", checkedAt)
    expect([exit, out]).toEqual([2, ""])
    expect(err).toMatch(/^INPUT_FILE: the artifact [a-z ]+\n$/)
  })
})

/** The count of a read or a write; 0 where it would block. */
const orZero = (transfer: () => number): number => {
  try {
    return transfer()
  } catch (thrown) {
    assert.strictEqual((thrown as NodeJS.ErrnoException).code, "EAGAIN")
    return 0
  }
}
