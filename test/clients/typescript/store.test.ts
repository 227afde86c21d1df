/** The folder in which a client keeps what it has to know after a restart. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, assert, beforeEach, it } from "vitest"
import { FolderStore } from "../../../clients/typescript/store.ts"

let folder: string
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-store-"))))
afterEach(() => fs.rmSync(folder, { recursive: true }))

it("A text is there for another store of the same folder, until it is removed.", async () => {
  const state = path.join(folder, "state")
  const store = new FolderStore(state)
  assert.isUndefined(await store.read("token"))
  assert.deepStrictEqual(await store.names(""), [])
  await store.write("token", "one")
  await store.write("token", "two")
  assert.strictEqual(await new FolderStore(state).read("token"), "two")
  assert.deepStrictEqual(await store.names("to"), ["token"])
  await store.remove("token")
  await store.remove("token")
  assert.isUndefined(await store.read("token"))
})

it("Only the owner reads its files, and its name is no path.", async () => {
  const store = new FolderStore(path.join(folder, "state"))
  await store.write("token", "secret")
  assert.strictEqual(fs.statSync(path.join(folder, "state")).mode & 0o777, 0o700)
  assert.strictEqual(fs.statSync(path.join(folder, "state/token.json")).mode & 0o777, 0o600)
  const failure = await store.write("../token", "x").catch((error: Error) => error.message)
  assert.include(failure, "letters")
})

it("A half-written file of a crash is no text.", async () => {
  const store = new FolderStore(folder)
  await store.write("request-1", "whole")
  fs.writeFileSync(path.join(folder, "request-1.json.new"), "ha")
  assert.strictEqual(await store.read("request-1"), "whole")
  assert.deepStrictEqual(await store.names("request-"), ["request-1"])
})
