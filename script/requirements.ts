import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * `npm run requirements`: lists the clauses by theme, with those that the last test run proved and those that it
 * did not prove.
 */
interface Report {
  /** Missing in other kinds of reports, such as benchmark reports. */
  testResults?: { assertionResults: { fullName: string; title: string; status: string }[] }[]
}

interface Clause {
  id: string
  theme: string
  text: string
}

/** Ids such as `V4-12`, `V2.1-06`, `A8.1-02`. */
const CLAUSE_ID = /\b[VA]\d(?:\.\d)?-\d{2}\b/g

const clauses = readClauses('docs/requirements.tsv')
const { proven, broken } = readProofs('.reports')
const known = new Set(clauses.map(({ id }) => id))

const themes = Map.groupBy(clauses, ({ theme }) => theme)
let total = 0
for (const [theme, members] of [...themes].toSorted(([a], [b]) => a.localeCompare(b))) {
  const done = members.filter(({ id }) => proven.has(id) && !broken.has(id))
  total += done.length
  console.log(`${theme.padEnd(14)} ${String(done.length).padStart(3)} / ${members.length}`)
}
console.log(`${'all'.padEnd(14)} ${String(total).padStart(3)} / ${clauses.length}\n`)

console.log('Open:')
for (const { id, theme, text } of clauses) {
  if (!proven.has(id) || broken.has(id))
    console.log(`  ${id}\t${theme}\t${broken.has(id) ? '(its test fails) ' : ''}${text}`)
}
const unknown = [...proven, ...broken].filter((id) => !known.has(id))
if (unknown.length > 0) {
  console.error(`\nTests name clauses that do not exist: ${unknown.join(', ')}`)
  process.exit(1)
}

function readClauses(file: string): Clause[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [id = '', theme = '', , text = ''] = line.split('\t')
    return { id, theme, text }
  })
}

function readProofs(folder: string): { proven: Set<string>; broken: Set<string> } {
  const proven = new Set<string>()
  const broken = new Set<string>()
  if (!existsSync(folder)) throw new Error('There is no test report yet: run script/test first.')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const report = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Report
    for (const { title, status } of (report.testResults ?? []).flatMap((result) => result.assertionResults)) {
      for (const id of title.match(CLAUSE_ID) ?? []) (status === 'passed' ? proven : broken).add(id)
    }
  }
  return { proven, broken }
}
