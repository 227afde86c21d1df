/** The script that npm links as `countersign`. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/installation.ts"
import { node } from "../support/server.ts"

it.live("A command prints no warning of Node about experimental modules.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* temporaryDirectory
      for (const folder of ["bin", "src/command-line"]) fs.mkdirSync(path.join(root, folder), { recursive: true })
      const preloaded = "src/command-line/ignore-hangup.ts"
      fs.copyFileSync(path.resolve(preloaded), path.join(root, preloaded))
      const starter = path.join(root, "bin", "countersign")
      fs.copyFileSync(path.resolve("bin/countersign"), starter)
      const program = `process.emitWarning("node:sqlite", "ExperimentalWarning"); console.log(process.argv[2])`
      fs.writeFileSync(path.join(root, "src", "main.ts"), program)
      const env = { ...process.env, PATH: `${path.dirname(fs.realpathSync(node))}:${process.env["PATH"]}` }
      const { stdout, stderr } = spawnSync(starter, ["serve"], { env, encoding: "utf8" })
      assert.deepStrictEqual([stdout, stderr], ["serve\n", ""])
    })
  )
)
