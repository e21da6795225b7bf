import { readFile, writeFile } from 'node:fs/promises'
import type { Machine } from './machine.ts'
import type { Report, ReportedFigure } from './report.ts'
import type { Unit } from './row.ts'
import type { Summary } from './statistics.ts'

const BEGIN = '<!-- figures: written by `npm run bench` -->'
const END = '<!-- end of figures -->'

/** Replaces the figures between the two markers in a page. */
export async function writeFigures(path: string, report: Report): Promise<void> {
  const page = await readFile(path, 'utf8')
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${path} has no markers for the figures.`)
  await writeFile(path, `${page.slice(0, begin + BEGIN.length)}\n\n${markdown(report)}\n${page.slice(end)}`)
}

/** Formats the report as Markdown. */
export function markdown({ machine, rows }: Report): string {
  const days = [...new Set(rows.map(({ takenAt }) => takenAt.slice(0, 10)))].toSorted()
  const figures = rows.flatMap((row) => row.figures)
  const notes = figures.flatMap(({ note }) => note ?? [])
  return [
    `Taken on ${days.join(' and ')} on ${describe(machine)}.`,
    '',
    '| what | measured (least to most) | must reach | aims at | reference in the same run | ratio |',
    '|---|---|---|---|---|---|',
    ...figures.map((figure) => line(figure, notes)),
    '',
    ...[...new Set(notes)].map((note, index) => `${index + 1}. ${note}`),
    '',
  ].join('\n')
}

function describe({ cores, processor, memoryGB, system, node, programs }: Machine): string {
  const versions = Object.entries(programs).map(([name, version]) => `${name} ${version}`)
  return `${cores} cores (${processor}), ${memoryGB} GB of memory, ${system}, Node ${node}, ${versions.join(', ')}`
}

function line(figure: ReportedFigure, notes: string[]): string {
  const { what, unit, summary, target, reference, ratio, reached, note } = figure
  const number = note === undefined ? '' : ` (${[...new Set(notes)].indexOf(note) + 1})`
  const mark = reached === false ? ', **missed**' : ''
  return `| ${[
    `${what}${number}`,
    `${spread(summary, unit)}${mark}`,
    target.mustReach === null ? '' : amount(target.mustReach, unit),
    target.aimsAt === null ? '' : amount(target.aimsAt, unit),
    reference ? `${reference.what}: ${spread(reference.summary, unit)}` : '',
    ratio === null ? '' : share(ratio),
  ].join(' | ')} |`
}

function spread({ min, median, max }: Summary, unit: Unit): string {
  const middle = amount(median, unit)
  return min === max ? middle : `${middle} (${plain(min)} to ${plain(max)})`
}

function amount(value: number, unit: Unit): string {
  const tight = unit === '' || unit.startsWith('/') ? '' : ' '
  return `${plain(value)}${tight}${unit}`
}

/** Rounds to three significant digits. More digits would suggest an accuracy that the measurements do not have. */
function plain(value: number): string {
  return value.toLocaleString('en-GB', { maximumSignificantDigits: 3 })
}

function share(ratio: number): string {
  return ratio >= 10 ? `${plain(ratio)} x` : `${plain(ratio * 100)} %`
}
