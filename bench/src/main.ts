import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endAll } from './child.ts'
import { describeMachine } from './machine.ts'
import { markdown, writeFigures } from './markdown.ts'
import { type ReportedRow, readReport, reportFigure, withRows, writeReport } from './report.ts'
import { type Effort, FULL, QUICK } from './row.ts'
import { ROWS } from './rows/all.ts'

const USAGE = `Measures Ondine, each figure beside its reference.

  npm run bench [-- [--quick] [row …]]

  --quick   rounds too short for valid figures, to check that everything works; writes nothing
  --live-seconds <seconds>   length of the signals that live-inputs receives (${FULL.liveSeconds})
  --live-channels <count>    number of channels that live-inputs tries, instead of ${FULL.liveChannels.join(' and ')}
  rows      ${ROWS.map(({ name }) => name).join(', ')}
`

/** The machine-readable report. */
const REPORT = fileURLToPath(new URL('../../.reports/bench.json', import.meta.url))
/** The page with the results for readers. */
const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    'live-seconds': { type: 'string' },
    'live-channels': { type: 'string' },
    help: { type: 'boolean' },
  },
})
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name))
const liveSeconds = numberOf(values['live-seconds'])
const liveChannels = numberOf(values['live-channels'])
const isWrong =
  (liveSeconds !== undefined && !(liveSeconds >= 20)) ||
  (liveChannels !== undefined && !(Number.isInteger(liveChannels) && liveChannels > 0))
if (values.help === true || unknown.length > 0 || isWrong) {
  if (unknown.length > 0) process.stderr.write(`There is no row called ${unknown.join(', ')}.\n\n`)
  process.stdout.write(USAGE)
  process.exit(unknown.length > 0 || isWrong ? 2 : 0)
}

const effort: Effort = {
  ...(values.quick ? QUICK : FULL),
  ...(liveSeconds !== undefined && { liveSeconds }),
  ...(liveChannels !== undefined && { liveChannels: [liveChannels] }),
}
const machine = describeMachine()
const rows = positionals.length > 0 ? ROWS.filter(({ name }) => positionals.includes(name)) : ROWS
const measured: ReportedRow[] = []
for (const { name, measure } of rows) {
  const startedAt = performance.now()
  process.stdout.write(`${name} … `)
  try {
    const figures = await measure(effort)
    measured.push({ name, takenAt: new Date().toISOString(), figures: figures.map(reportFigure) })
    process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  } catch (error) {
    // A failed row sets the exit code, but the other rows still run.
    process.exitCode = 1
    process.stdout.write('failed\n')
    console.error(error)
    endAll()
  }
}
process.stdout.write(`\n${markdown({ machine, rows: measured })}\n`)

if (!values.quick && measured.length > 0) {
  const report = withRows(
    await readReport(REPORT, machine),
    measured,
    ROWS.map(({ name }) => name),
  )
  await writeReport(REPORT, report)
  const missing = ROWS.filter(({ name }) => !report.rows.some((row) => row.name === name))
  // The page also has figures of rows that were never measured in this clone. Writing the page now would lose
  // them.
  if (missing.length > 0)
    process.stdout.write(
      `${PAGE} stays as it is: ${missing.length} rows have never been measured in this clone.\n`,
    )
  else await writeFigures(PAGE, report)
}
// Without an explicit exit, a child process that does not end would keep the benchmark running.
process.exit()

function numberOf(option: string | undefined): number | undefined {
  return option === undefined ? undefined : Number(option)
}
