import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { startPostgres } from './postgres.ts'

/** What `script/test` runs, in this order; a part's name as argument runs that part alone. */
const PARTS: Record<string, () => boolean> = {
  types: () => run('npm', 'run', '--silent', 'types'),
  lint: () => run('npm', 'run', '--silent', 'lint'),
  build: () => run('npm', 'run', '--silent', 'build'),
  unit: () => vitest('unit'),
  api: () => {
    const postgres = startPostgres()
    try {
      return vitest('api', { ONDINE_TEST_DATABASE_URL: postgres.url })
    } finally {
      postgres.stop()
    }
  },
  kill: () => vitest('kill'),
  e2e: () => vitest('e2e'),
}

const counts = { passed: 0, failed: 0 }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}

const failed: string[] = []
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const start = performance.now()
  const passed = part()
  if (!passed) failed.push(name)
  console.log(`${passed ? '✓' : '✗'} ${name} (${Math.round((performance.now() - start) / 1000)} s)`)
}
if (failed.length > 0) console.log(`These parts failed: ${failed.join(', ')}.`)
// A part that failed without a failed test, such as types, counts as one.
console.log(`${counts.passed} passed, ${Math.max(counts.failed, failed.length)} failed`)
process.exit(failed.length > 0 ? 1 : 0)

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'inherit' }).status === 0
}

function vitest(project: string, environment: Record<string, string> = {}): boolean {
  const report = `.reports/${project}.json`
  rmSync(report, { force: true })
  const { status } = spawnSync('vitest', ['run', '--project', project], {
    stdio: 'inherit',
    env: { ...process.env, ...environment, ONDINE_REPORT: project },
  })
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >
    counts.passed += numPassedTests ?? 0
    counts.failed += numFailedTests ?? 0
  } catch (error) {
    console.error(`There is no report of the ${project} tests:`, error)
    return false
  }
  return status === 0
}
