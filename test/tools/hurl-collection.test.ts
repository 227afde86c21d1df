/** The committed Hurl collection and the scenarios that it is made from. `test/foreign/hurl.foreign.ts` runs it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { collectionFiles, collectionFolder } from "../../tools/hurl-collection.ts"

const files = collectionFiles()

describe("The Hurl collection", () => {
  it.each(files)("$name is what its scenario and its golden trace give.", ({ name, text }) => {
    const committed = fs.readFileSync(path.join(collectionFolder, name), "utf8")
    assert.strictEqual(committed, text, "run: npm run examples:hurl")
  })

  it("It has a file for each of its scenarios and no other, and its page names each.", () => {
    const names = files.map(({ name }) => name)
    const committed = fs.readdirSync(collectionFolder).filter((name) => name.endsWith(".hurl"))
    assert.sameMembers(committed, names)
    const page = fs.readFileSync(path.join(collectionFolder, "README.md"), "utf8")
    assert.deepStrictEqual(
      [...page.matchAll(/^\| \[([\w-]+\.hurl)\]\(\1\)/gm)].map(([, name]) => name),
      names
    )
  })

  it.each(files)("$name contains no id, digest or secret of the simulated world.", ({ text }) => {
    const ofWorld = /[a-z]+_(?!0{8}-)[0-9a-f]{8}-|\{[\w ]+ of /
    assert.notMatch(text, ofWorld)
    const ofRun = /"(?:expected\w*|requestId|nonce)": "(?!\{\{)/
    assert.notMatch(text, ofRun)
  })

  it("It has every operation of an agent from its connection to the record, and what stops an agent.", () => {
    const called = new Set(files.flatMap(({ text }) => [...text.matchAll(/^# \w+: (\w+)/gm)].map(([, name]) => name)))
    for (const operation of operations) assert.include([...called], operation)
  })

  it("It has replays, and the refusals that an agent has to be ready for.", () => {
    const text = files.map((file) => file.text).join("")
    assert.include(text, 'jsonpath "$.replayed" == true')
    for (const code of refusals) assert.include(text, `jsonpath "$.error" == "${code}"`)
  })
})

const operations = (
  "startConnection pollConnection approveConnection me renewGrant prepareDraft commitDraft createProposal updateProposal " +
  "publishProposal respondProposal createProject readProject respond submit review issueRecord exportResultPackage " +
  "pauseProject resumeProject handoff prepareJob submitJob createWebhook listWebhookDeliveries"
).split(" ")

const refusals = (
  "AUTH_INVALID FORBIDDEN_AGENT_ACTION STALE_EVENT_HEAD STALE_PROPOSAL_HEAD STATE_CONFLICT AGENT_PAUSED " +
  "AGENT_CHANGED_REFRESH_REQUIRED"
).split(" ")
