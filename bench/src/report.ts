import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Machine } from './machine.ts'
import type { Figure } from './row.ts'
import { type Summary, summarise } from './statistics.ts'

/** A figure, as stored in the report. */
export interface ReportedFigure extends Omit<Figure, 'values' | 'reference'> {
  summary: Summary
  reference: { what: string; summary: Summary } | null
  /** Median of the figure, divided by the median of its reference. */
  ratio: number | null
  /** Whether the figure has reached its target; null without a target. */
  reached: boolean | null
}

export interface ReportedRow {
  name: string
  /** Time of the measurement, in UTC. */
  takenAt: string
  figures: ReportedFigure[]
}

/** The result of `npm run bench`. */
export interface Report {
  machine: Machine
  rows: ReportedRow[]
}

export function reportFigure({ values, reference, ...rest }: Figure): ReportedFigure {
  const summary = summarise(values)
  const { better, mustReach } = rest.target
  const referenceSummary = reference && summarise(reference.values)
  return {
    ...rest,
    summary,
    reference: reference && referenceSummary && { what: reference.what, summary: referenceSummary },
    ratio: referenceSummary && summary.median / referenceSummary.median,
    reached:
      mustReach === null
        ? null
        : better === 'higher'
          ? summary.median >= mustReach
          : summary.median <= mustReach,
  }
}

/**
 * Reads the previous report, if it was made on the same machine. A run of some rows then replaces only their
 * results.
 */
export async function readReport(path: string, machine: Machine): Promise<Report> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const before = text === null ? null : (JSON.parse(text) as Report)
  const isSame = JSON.stringify(before?.machine) === JSON.stringify(machine)
  return before && isSame ? before : { machine, rows: [] }
}

export async function writeReport(path: string, report: Report): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
}

/** Adds rows to a report, in the order of `names`. A row replaces a previous row with the same name. */
export function withRows(report: Report, rows: readonly ReportedRow[], names: readonly string[]): Report {
  const byName = new Map([...report.rows, ...rows].map((row) => [row.name, row]))
  return { ...report, rows: names.flatMap((name) => byName.get(name) ?? []) }
}
