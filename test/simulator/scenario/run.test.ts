/** Observations of runs, their isolation, and the messages of failing runs. */
import { Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import type { TimedObservation } from "../../../simulator/observation/observation.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"

const given = `given:
  organizations: { harbor: Harbor Museum, lumen: Lumen Studio }
  people:
    dana: { name: Dana, member: { harbor: [DELEGATE, AGREEMENT_CREATE, DELIVERY_REVIEW] } }
    sam: { name: Sam, member: { lumen: [DELEGATE, TERMS_RESPOND] } }
    nils: { name: Nils }
  visitors: { iris: Iris }
`

const granted = `
  - as: dana
    do: grantAgent
    input: { agent: scout, role: BUYER, actions: [CREATE_PROJECT, REVIEW_DELIVERY] }
`

const signedIn = `
  - { as: dana, do: signIn }
${granted}`

const created = `${granted}
  - { as: scout, do: legalConfig }
  - { as: scout, do: confirmationPreview }
  - id: creation
    as: scout
    do: createProject
    keep: { project: project.taskId }
    input:
      title: A chart
      scope: One chart.
      buyerName: Harbor Museum
      supplierName: Lumen Studio
      supplierActorId: \${sam.id}
      supplierReference: Offer
      criteria: [{ id: chart, title: The chart, requirement: Complete. }]
      deadline: 2026-02-01T00:00:00.000Z
      reviewDeadline: 2026-03-01T00:00:00.000Z
      baselineStatement: None.
      materialPolicy: FILE_DIGESTS
      termsPolicy: { purpose: A record., contractBasis: THIS_AGREEMENT, sharing: None., sharingRecipients: [] }
      originals: { custodian: Lumen Studio, location: Archive, access: Both. }
      subjectRequirements: []
`

const run = (steps: string) => {
  const scenario = Result.getOrThrow(readScenario("inline.yaml", `scenario: Inline\n${given}\nsteps:\n${steps}`))
  return simulate(scenario, { file: "inline.yaml" })
}

const linesOf = (trace: string): ReadonlyArray<TimedObservation> =>
  trace
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TimedObservation)

/** The kinds of observations during a step, counted from 1. */
const kindsOfStep = (trace: string, step: number): ReadonlyArray<string> => {
  const lines = linesOf(trace)
  const start = lines.findIndex((line) => line.kind === "step" && line.step === step)
  const next = lines.findIndex((line) => line.kind === "step" && line.step === step + 1)
  return lines.slice(start, next).map((line) => line.kind)
}

/** The responses to one actor, and all commits. */
const withoutSteps = (trace: string) =>
  linesOf(trace).filter((line) => line.kind === "commit" || (line.kind === "response" && line.actor === "scout"))

const failures: ReadonlyArray<readonly [name: string, steps: string]> = [
  ["another status", `${granted}\n  - { as: iris, do: me }\n  - { as: scout, do: me }`],
  ["another refusal", `\n  - { as: iris, do: me, expect: { error: FORBIDDEN } }`],
  [
    "another body",
    `${granted}\n  - { as: scout, do: me, expect: { body: { role: SUPPLIER, actions: [CREATE_PROJECT], owner.name: Dana } } }`
  ],
  ["a refused person", `${granted}\n  - { as: sam, do: pauseProject, on: nothing, input: { reason: Why not. } }`],
  ["a project that its actor never read", `${created}\n  - { as: iris, do: submit, on: "\${project}" }`],
  ["a proposal that its actor never read", `\n  - { as: iris, do: publishProposal, on: proposal_1 }`],
  [
    "a draft that its person never read",
    `\n  - { as: dana, do: signIn }\n  - { as: dana, do: discardDraft, on: draft_1 }`
  ],
  ["a response without a kept member", `${granted}\n  - { as: scout, do: me, keep: { owner: owner.name } }`],
  [
    "an unexpected meanwhile response",
    `${signedIn}
  - as: dana
    do: renewGrant
    input: { agent: scout }
    meanwhile:
      - { as: dana, do: revokeGrant, input: { agent: scout }, expect: { error: FORBIDDEN } }`
  ],
  [
    "a meanwhile step without a transaction",
    `${signedIn}
  - as: dana
    do: createGrant
    input: { agentName: clerk, role: BUYER, actions: [ALL] }
    meanwhile: [{ as: dana, do: revokeGrant, input: { agent: scout } }]
    expect: { error: INVALID_REQUEST }`
  ],
  [
    "an injection without a request",
    `${granted}\n  - { as: dana, do: revokeGrant, input: { agent: scout }, inject: lost-answer }`
  ],
  [
    "a grant that its person never read",
    `${granted}\n  - { as: dana, do: signIn }\n  - { as: dana, do: renewGrant, input: { agent: scout } }`
  ],
  [
    "a person without an organization",
    `\n  - { as: nils, do: signIn }\n  - { as: nils, do: createGrant, input: { agentName: Agent, role: BUYER, actions: [] } }`
  ],
  ["a poll without a connection", `\n  - { as: iris, do: pollConnection }`],
  ["a time in the past", `\n  - until: 2020-01-01T00:00:00.000Z`]
]

describe("failing runs", () => {
  it.each(failures)("A failing run reports its place and reason: %s", async (name, steps) => {
    const { verdict, story } = run(steps)
    assert.notStrictEqual(verdict, "PASSED")
    await expect(`${verdict}\n${story}`).toMatchFileSnapshot(`./failing/${name.replaceAll(" ", "-")}.txt`)
  })
})

describe("requests", () => {
  it("A lost request never arrives, and its retry is the first execution", () => {
    const { verdict, story, trace } = run(
      `${created.replace("do: createProject", "do: createProject\n    inject: lost-request").replace(/ {4}keep: .*\n/, "")}
  - { retry: creation, expect: { status: 201, body: { project.state: AWAITING_SUPPLIER } } }`
    )
    assert.strictEqual(verdict, "PASSED", story)
    const last = linesOf(trace).findLast((line) => line.kind === "response")
    assert.notProperty(last?.kind === "response" ? last.body : undefined, "replayed")
    assert.deepStrictEqual(kindsOfStep(trace, 4), ["step", "request"])
  })

  it("A request with a lost response took effect, and its retry is replayed with the same status", () => {
    const { verdict, story, trace } = run(
      `${created.replace("do: createProject", "do: createProject\n    inject: lost-answer").replace(/ {4}keep: .*\n/, "")}
  - { retry: creation, expect: { status: 201, body: { replayed: true } } }`
    )
    assert.strictEqual(verdict, "PASSED", story)
    const requests = linesOf(trace).filter((line) => line.kind === "request" && line.path.endsWith("/projects"))
    assert.strictEqual(requests.length, 2)
    assert.deepStrictEqual({ ...requests[0], at: "" }, { ...requests[1], at: "" })
    const projects = linesOf(trace).filter(
      (line) =>
        line.kind === "commit" && line.writes.some(({ table, change }) => table === "projects" && change === "insert")
    )
    assert.strictEqual(projects.length, 1)
    assert.deepStrictEqual(kindsOfStep(trace, 4), ["step", "request", "commit", "commit", "response"])
  })

  it("A search has its input in the encoded query string", () => {
    const { verdict, story, trace } = run(`
  - as: operator
    do: publishSpecification
    input:
      id: chart
      title: Chart & legend
      summary: A chart.
      scope: One chart.
      criteria: [{ id: chart, title: The chart, requirement: Complete. }]
  - { as: iris, do: searchSpecifications, input: { q: "legend & chart" }, expect: { body: { specifications.0.id: chart } } }
  - { as: iris, do: searchSpecifications, expect: { status: 400 } }`)
    assert.strictEqual(verdict, "PASSED", story)
    const asked = linesOf(trace).flatMap((line) => (line.kind === "request" ? [[line.path, line.body]] : []))
    assert.deepStrictEqual(asked, [
      ["/api/discover?q=legend+%26+chart", undefined],
      ["/api/discover", undefined]
    ])
  })

  it("A request of one actor does not change the ids of another", () => {
    const alone = run(created)
    const disturbed = run(`\n  - { as: iris, do: me, expect: { error: AUTH_INVALID } }\n${created}`)
    assert.strictEqual(disturbed.verdict, "PASSED", disturbed.story)
    assert.deepStrictEqual(withoutSteps(disturbed.trace), withoutSteps(alone.trace))
  })
})

describe("signed-in people", () => {
  it("A signed-in person sends requests in the session until the sign-out", () => {
    const { verdict, story, trace } = run(`${signedIn}
  - { as: scout, do: me, expect: { body: { role: BUYER } } }
  - { as: dana, do: signOut, expect: { status: 204 } }
  - { as: dana, do: revokeGrant, input: { agent: scout }, expect: { error: SIGN_IN_REQUIRED } }
  - { as: scout, do: me }
  - { as: dana, do: signIn }
  - { as: dana, do: revokeGrant, input: { agent: scout } }
  - { as: scout, do: me, expect: { error: AUTH_INVALID } }
  - { as: sam, do: listGrants, expect: { error: SIGN_IN_REQUIRED } }`)
    assert.strictEqual(verdict, "PASSED", story)
    const asked = linesOf(trace).flatMap((line) => (line.kind === "request" ? [line.path] : []))
    assert.strictEqual(asked[0], "/api/workspace/grants")
  })

  it("A renewal by a person passes the new token to the agent", () => {
    const { verdict, story, trace } =
      run(`${signedIn.replace("do: grantAgent", "do: grantAgent\n    keep: { first: token }")}
  - { as: dana, do: renewGrant, input: { agent: scout } }
  - { as: scout, do: me }
  - { as: scout, do: me, with: "\${first}", expect: { error: AUTH_INVALID } }`)
    assert.strictEqual(verdict, "PASSED", story)
    assert.include(trace, "{token of scout #2}")
  })
})

describe("steps between authentication and commit", () => {
  it("Interleaved steps run after the authentication and before any write of the held request", () => {
    const { verdict, story, trace } = run(`${signedIn}
  - { as: scout, do: legalConfig }
  - { as: scout, do: confirmationPreview }
${created.slice(created.indexOf("  - id: creation")).replace(/ {4}keep: .*\n/, "")}
    meanwhile:
      - { as: dana, do: revokeGrant, input: { agent: scout } }
    expect: { error: AUTH_INVALID }`)
    assert.strictEqual(verdict, "PASSED", story)
    assert.deepStrictEqual(kindsOfStep(trace, 5), ["step", "request", "commit"])
    const expected = "step request commit response expectation resumed response expectation"
    assert.strictEqual(kindsOfStep(trace, 6).join(" "), expected)
    const written = linesOf(trace).flatMap((line) => (line.kind === "commit" ? line.writes : []))
    assert.isFalse(written.some(({ table }) => table === "projects"))
  })
})

describe("secrets and commits in traces", () => {
  it("A trace names the actor of each commit and contains no token", () => {
    const { trace } = run(created)
    const commits = linesOf(trace).flatMap((line) => (line.kind === "commit" ? [line.actor] : []))
    assert.deepStrictEqual([...new Set(commits)], ["operator", "dana", "scout"])
    assert.notMatch(trace, /dda_/)
    assert.include(trace, "{token of scout}")
  })

  it("A trace contains no code and no session, also of a lost response", () => {
    const { verdict, story, trace } = run(`
  - { as: iris, do: startConnection, input: { agentName: Iris, client: iris/1 }, keep: asked }
  - { as: dana, do: signIn }
  - { as: dana, do: enterUserCode, input: { userCode: "\${asked.userCode}" }, keep: { connection: connectionId } }
  - { as: dana, do: approveConnection, on: "\${connection}", input: { role: BUYER, actions: [] } }
  - { as: iris, do: pollConnection, inject: lost-answer }
  - { as: dana, do: createGrant, input: { agentName: clerk, role: BUYER, actions: [] }, inject: lost-answer }`)
    assert.strictEqual(verdict, "PASSED", story)
    assert.notMatch(trace + story, /dd[acdips]_|[A-Z]{4}-[A-Z]{4}/)
    for (const shown of ["token of iris", "device code of iris", "user code of iris", "session of dana"]) {
      assert.include(trace, `{${shown}}`)
    }
  })

  it("A trace has no commit for a refused request", () => {
    const { trace } = run(
      `${created}\n  - { as: scout, do: submit, on: "\${project}", input: { summary: x, items: [] }, expect: { error: FORBIDDEN_AGENT_ACTION } }`
    )
    const kinds = linesOf(trace).map((line) => line.kind)
    const lastStep = kinds.lastIndexOf("step")
    assert.deepStrictEqual(kinds.slice(lastStep), ["step", "request", "response", "expectation", "verdict"])
  })
})

describe("acts without a request", () => {
  it("People and the operator pause and resume agents, revoke a grant, end a membership and add credits", () => {
    const review =
      "as: scout, do: review, on: \"${project}\", input: { action: REJECT, reason: No., nextAction: '', decisions: [] }"
    const { verdict, story } = run(`${created}
  - { as: dana, do: pauseProject, on: "\${project}", input: { reason: A holiday. }, expect: { body: { automation.revision: 1 } } }
  - { as: dana, do: pauseProject, on: "\${project}", input: { reason: Again. }, expect: { error: STATE_CONFLICT } }
  - { ${review}, envelope: { automationRevision: 1 }, expect: { error: INVALID_REQUEST } }
  - { ${review.replace("input: {", "input: { submissionId: submission_00000000-0000-4000-8000-000000000000,")}, expect: { error: AGENT_PAUSED } }
  - { as: dana, do: resumeProject, on: "\${project}", input: { reason: Back. }, expect: { body: { automation.paused: false } } }
  - { as: operator, do: grantCredits, input: { organization: harbor, credits: 2, reference: Order 1 }, expect: { body: { balance: 2 } } }
  - { as: dana, do: revokeGrant, input: { agent: scout } }
  - { as: scout, do: me, expect: { error: AUTH_INVALID } }
  - { as: dana, do: grantAgent, input: { agent: clerk, role: BUYER, actions: [REVIEW_DELIVERY] } }
  - { as: clerk, do: me }
  - { as: operator, do: endMembership, input: { person: dana, organization: harbor } }
  - { as: clerk, do: me, expect: { error: AUTH_INVALID } }`)
    assert.strictEqual(verdict, "PASSED", story)
  })
})

describe("decisions of people", () => {
  const requestsTo = (trace: string, path: string): ReadonlyArray<any> =>
    linesOf(trace).flatMap((line) => (line.kind === "request" && line.path.endsWith(path) ? [line.body] : []))

  it("A person's decision names the last read head and no automation revision", () => {
    const { verdict, story, trace } = run(`${signedIn}
${created.slice(granted.length)}
  - { as: dana, do: readOwnProject, on: "\${project}", keep: { head: project.headEventHash } }
  - { as: dana, do: withdrawConfirmation, on: "\${project}", input: { confirmationId: confirmation_00000000-0000-4000-8000-000000000000, reason: No. }, expect: { error: FORBIDDEN } }`)
    assert.strictEqual(verdict, "PASSED", story)
    const [sent] = requestsTo(trace, "/withdraw-confirmation")
    assert.sameMembers(Object.keys(sent), ["expectedEventHash", "input"])
    assert.include(trace, `"headEventHash":"${sent.expectedEventHash}"`)
  })

  it("A revision contains the last read terms with the changes of the step", () => {
    const { verdict, story, trace } = run(`${signedIn}
${created.slice(granted.length)}
  - { as: dana, do: legalConfig }
  - { as: dana, do: confirmationPreview }
  - { as: dana, do: readOwnProject, on: "\${project}" }
  - { as: dana, do: reviseProject, on: "\${project}", input: { reason: Later., terms: { deadline: 2026-02-02T00:00:00.000Z } } }`)
    assert.strictEqual(verdict, "PASSED", story)
    const { deadline: wanted, confirmationDigest, ...terms } = requestsTo(trace, "/revise")[0].input.terms
    const { requestId: _, deadline, confirmationDigest: same, ...before } = requestsTo(trace, "/v1/projects")[0]
    assert.deepStrictEqual(terms, before)
    assert.deepStrictEqual([deadline, wanted], ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"])
    assert.strictEqual(confirmationDigest, same)
  })

  it("A person's decision that an agent sends is refused", () => {
    const { verdict, story, trace } = run(`${created}
  - { as: scout, do: pauseProject, on: "\${project}", input: { reason: I would. }, expect: { error: SIGN_IN_REQUIRED } }`)
    assert.strictEqual(verdict, "PASSED", story)
    assert.strictEqual(requestsTo(trace, "/pause").length, 1)
  })
})

describe("e-mails", () => {
  const withMail = (steps: string) => {
    const addressed = given.replace("sam: { name: Sam,", "sam: { name: Sam, email: sam@lumen.example,")
    const text = `scenario: Letters\n${addressed}  mail: WORKING\nsteps:\n${steps}`
    return simulate(Result.getOrThrow(readScenario("inline.yaml", text)), { file: "inline.yaml" })
  }
  const emailsIn = (trace: string) => linesOf(trace).filter((line) => line.kind === "letter")

  it("A command sends one e-mail to the address of the last sign-in", () => {
    const { verdict, story, trace } = withMail(`
  - { as: sam, do: signIn }
${created}
  - { retry: creation, expect: { status: 201 } }`)
    assert.strictEqual(verdict, "PASSED", story)
    assert.deepStrictEqual(
      emailsIn(trace).map(({ to, server }) => ({ to, server })),
      [{ to: "sam@lumen.example", server: "WORKING" }]
    )
    assert.include(story, "to sam@lumen.example: ")
  })

  it("A command sends no e-mail without a sign-in of the person or without a mail server", () => {
    for (const { trace, story } of [withMail(created), run(`\n  - { as: sam, do: signIn }\n${created}`)]) {
      assert.deepStrictEqual(emailsIn(trace), [], story)
      assert.include(trace, `"emailUpdate":"DISABLED"`)
    }
  })

  it.each([
    ["REFUSING", 0],
    ["SILENT", 3000]
  ])("An e-mail to a server in the state %s fails after %i ms", (state, milliseconds) => {
    const { verdict, story, trace } = withMail(`
  - { as: sam, do: signIn }
  - { as: operator, do: setMailServer, input: { state: ${state} } }
${created}`)
    assert.strictEqual(verdict, "PASSED", story)
    const moments = linesOf(trace).map(({ at }) => Date.parse(at))
    assert.strictEqual(Math.max(...moments) - Math.min(...moments), milliseconds)
    assert.include(trace, `"emailUpdate":"FAILED"`)
    assert.include(story, "no e-mail was sent")
  })
})
