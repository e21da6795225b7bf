import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startPostgres } from './postgres.ts'

/** Runs a program until it ends. @returns whether it succeeded */
type Run = (program: string, args: string[], environment?: Record<string, string>) => Promise<boolean>

// Calls `exit`, because otherwise the exit handlers would not run. Child programs receive Ctrl-C too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/**
 * Folder of the library that the services of the browser tests copy; undefined until the part `library` has made
 * it.
 */
let library: string | undefined

/** Parts of `script/test`. With arguments, only the parts with these names run: `api` runs `api-1` and `api-2`. */
const PARTS: Record<string, (run: Run) => Promise<boolean>> = {
  types: async (run) => await run('npm', ['run', '--silent', 'types']),
  lint: async (run) => await run('npm', ['run', '--silent', 'lint']),
  build: async (run) => await run('npm', ['run', '--silent', 'build']),
  unit: async (run) => await vitest(run, 'unit*', { reportName: 'unit' }),
  'api-1': async (run) => await api(run, 1),
  'api-2': async (run) => await api(run, 2),
  kill: async (run) => await vitest(run, 'kill'),
  library: async (run) => {
    const folder = mkdtempSync(join(tmpdir(), 'ondine-e2e-library-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    const isMade = await run('nice', ['node', 'e2e/src/make-library.ts', folder])
    if (isMade) library = folder
    return isMade
  },
  routes: async (run) => await vitest(run, 'routes', { environment: withLibrary() }),
  e2e: async (run) => await vitest(run, 'e2e', { environment: withLibrary() }),
}

/**
 * Stages, in order. Each stage runs its parts in parallel lanes. When a part ends, its lane takes the next part of
 * the stage. The output of the first lane is shown live.
 */
const STAGES: { lanes: number; parts: string[] }[] = [
  { lanes: 1, parts: ['types', 'lint', 'build'] },
  // Each of these parts needs only one core, so two run at a time. The library comes first, because other parts copy
  // it. The longest parts follow.
  { lanes: 2, parts: ['library', 'api-1', 'api-2', 'kill', 'unit', 'routes'] },
  { lanes: 1, parts: ['e2e'] },
]

/** In-memory file system of Linux. */
const MEMORY = '/dev/shm'

/** Bytes of memory that the temporary files of a run may need. */
const NEEDED_MEMORY = 6 * 2 ** 30

/** If more files than this fail, the cause is probably general, and failed files are not run again. */
const MOST_TRIED_AGAIN = 8

const counts = { passed: 0, failed: 0 }
const failed: string[] = []
const notes: string[] = []

const isPartOf = (name: string, argument: string) => name === argument || name.startsWith(`${argument}-`)
const wanted = process.argv.slice(2)
const unknown = wanted.filter((argument) => !Object.keys(PARTS).some((name) => isPartOf(name, argument)))
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}

keepTemporaryFilesInMemory()
for (const { lanes, parts } of STAGES) {
  const waiting = parts.filter(
    (name) => wanted.length === 0 || wanted.some((argument) => isPartOf(name, argument)),
  )
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => await runLane(waiting, lane === 0 ? seen : kept)),
  )
}
for (const note of notes) console.log(note)
if (failed.length > 0) console.log(`These parts failed: ${failed.join(', ')}.`)
// A failed part without tests, such as types, counts as one failed test.
console.log(`${counts.passed} passed, ${Math.max(counts.failed, failed.length)} failed`)
process.exit(failed.length > 0 ? 1 : 0)

/**
 * Places the temporary files of all tests in a folder in memory, if the system has one with enough room. The tests
 * create hundreds of databases of a thousand files each, and creating an empty one takes ten times as long on a
 * disk.
 */
function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < NEEDED_MEMORY || process.availableMemory() < NEEDED_MEMORY) return
  const folder = mkdtempSync(join(MEMORY, 'ondine-'))
  // PostgreSQL runs as another user, which needs access to the folder.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

/** Returns the environment variable with the library's folder. Without a library, each run makes its own. */
function withLibrary(): Record<string, string> {
  return library === undefined ? {} : { ONDINE_E2E_LIBRARY: library }
}

/** Runs waiting parts, one after the other, until none is left. */
async function runLane(waiting: string[], run: Run): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const start = performance.now()
    let passed = false
    try {
      passed = (await PARTS[name]?.(run)) ?? false
    } catch (error) {
      // The part could not be started. The other parts still run.
      console.error(`${name} could not be run:`, error)
    }
    if (!passed) failed.push(name)
    console.log(`${passed ? '✓' : '✗'} ${name} (${Math.round((performance.now() - start) / 1000)} s)`)
  }
}

/** Runs a program and shows its output live. */
async function seen(program: string, args: string[], environment = {}): Promise<boolean> {
  return (await ended(program, args, environment, 'inherit')).status === 0
}

/** Runs a program and shows its output when it has ended, so that outputs of two programs do not mix. */
async function kept(program: string, args: string[], environment = {}): Promise<boolean> {
  const { status, output } = await ended(program, args, environment, ['ignore', 'pipe', 'pipe'])
  process.stdout.write(output)
  return status === 0
}

async function ended(
  program: string,
  args: string[],
  environment: Record<string, string>,
  stdio: SpawnOptions['stdio'],
): Promise<{ status: number | null; output: string }> {
  const child = spawn(program, args, { stdio, env: { ...process.env, ...environment } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output }
}

/** Result of a test run. */
interface Outcome {
  passed: number
  failed: number
  /** Files in which a test or a hook failed. */
  failedFiles: string[]
  failedNames: string[]
}

/** Runs one half of the API tests: on the embedded database, and on a PostgreSQL server that it starts. */
async function api(run: Run, half: 1 | 2): Promise<boolean> {
  const postgres = startPostgres()
  try {
    return await vitest(run, 'api', {
      reportName: `api-${half}`,
      options: ['--shard', `${half}/2`],
      environment: { ONDINE_TEST_DATABASE_URL: postgres.url },
    })
  } finally {
    postgres.stop()
  }
}

/** Options for a run of a project's tests. */
interface Plan {
  reportName?: string
  /** Arguments of the first run. */
  options?: string[]
  environment?: Record<string, string>
}

/**
 * Runs the tests of a project. Files with a failure run once more, because timing can make a test fail on a busy
 * machine. A test has failed if it fails both times. Tests that fail once are listed for attention.
 */
async function vitest(
  run: Run,
  project: string,
  { reportName = project, options = [], environment = {} }: Plan = {},
): Promise<boolean> {
  const first = await tested(run, project, reportName, options, environment)
  if (first === undefined) return false
  counts.passed += first.passed
  if (first.failedFiles.length === 0) return true
  if (first.failedFiles.length > MOST_TRIED_AGAIN) {
    counts.failed += first.failed
    notes.push(`Failed (${project}): ${first.failedNames.join('; ')}`)
    return false
  }
  const second = await tested(run, project, `${reportName}-again`, first.failedFiles, environment)
  // A file is among the names if a hook failed, which may have kept its tests from running.
  const failedTwice = second
    ? second.failedNames.filter(
        (name) => first.failedNames.includes(name) || second.failedFiles.includes(name),
      )
    : first.failedNames
  const failedOnce = [...first.failedNames, ...(second?.failedNames ?? [])].filter(
    (name) => !failedTwice.includes(name),
  )
  counts.failed += failedTwice.length
  counts.passed += Math.max(0, first.failed - failedTwice.length)
  if (failedOnce.length > 0) notes.push(`Failed once (${project}): ${failedOnce.join('; ')}`)
  if (failedTwice.length > 0) notes.push(`Failed twice (${project}): ${failedTwice.join('; ')}`)
  return failedTwice.length === 0
}

/**
 * Runs the tests of a project with additional arguments, such as file names.
 *
 * @returns undefined if the runner itself failed
 */
async function tested(
  run: Run,
  project: string,
  reportName: string,
  more: string[],
  environment: Record<string, string>,
): Promise<Outcome | undefined> {
  const report = `.reports/${reportName}.json`
  rmSync(report, { force: true })
  const content = await run('vitest', ['run', '--project', project, ...more], {
    ...environment,
    ONDINE_REPORT: reportName,
  })
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const failing = testResults.filter(({ status }) => status === 'failed')
    // The runner can fail although all files pass, such as after an uncaught error.
    if (!content && failing.length === 0) return undefined
    return {
      passed: numPassedTests,
      failed: numFailedTests,
      failedFiles: failing.map(({ name }) => relative('.', name)),
      failedNames: failing.flatMap(({ name, assertionResults }) => {
        const names = assertionResults.filter((each) => each.status === 'failed').map((each) => each.fullName)
        return names.length > 0 ? names : [relative('.', name)]
      }),
    }
  } catch (error) {
    console.error(`There is no report of the ${project} tests:`, error)
    return undefined
  }
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}
