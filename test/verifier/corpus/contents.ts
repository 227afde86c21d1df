/** The index page of the corpus. */
import type { Case } from "./case.ts"

export const contentsOf = (cases: ReadonlyArray<Case>): string => {
  const topics = Object.entries(Object.groupBy(cases, ({ name }) => name.split("/")[0]!))
  return `${preface(cases)}\n${topics.map(([topic, of]) => topicTable(topic, of!)).join("\n")}`
}

const preface = (cases: ReadonlyArray<Case>): string => `# ${cases.length} cases for a verifier

One folder a case: what is handed over (\`artifact\`, \`keys\`, and where the case has them \`status\` and \`policy\`), what every verifier must say (\`case.json\`: verdict, exit, the first failed check with its code), and why (\`README.md\`). Names end in \`_ok\` where no check fails and in \`_fail\` where one does; each is one change away from a case that verifies. A failed check of the status leaves the verdict on the history as it is.

\`node test/verifier/corpus/write.ts\` makes this folder from \`test/verifier/corpus/\`: the same bytes every time, keys from seeds. Change nothing here by hand.

To run one, with the names and the time that its \`case.json\` gives:

    verify-result artifact.json keys.json <checkedAt> [--status=status.jws] [--authority=policy.json]
`

const topicTable = (topic: string, cases: ReadonlyArray<Case>): string =>
  `## ${topic}

| case | why | verdict | first failed check |
|---|---|---|---|
${cases.map(row).join("\n")}
`

const row = ({ name, why, expected: { verdict, first } }: Case): string =>
  `| [${name}](${name}) | ${why.replaceAll("|", "\\|")} | ${verdict} | ${first === null ? "" : `\`${first.check}\` ${first.code}`} |`
