import { noteError } from './error-notes.ts'

/** Maximum number of faults that wait until the address for reports is known. */
const MOST_EARLY = 10

/** The operator's Sentry-compatible address for reports; empty for none, undefined until it is known (V8-08). */
let dsn: string | undefined
const early: unknown[] = []

/** Sets the address for reports, and sends the faults that waited for it. */
export function reportTo(address: string): void {
  dsn = address
  for (const fault of early.splice(0)) collectFault(fault)
}

/**
 * Reports a fault once, on the console and to the operator's collector. Works only in the browser. `null` is ignored.
 */
export function reportFault(fault: unknown): void {
  if (fault !== null && noteError(fault)) collectFault(fault)
}

/** Sends a fault to the operator's collector, without logging it to the console. */
export function collectFault(fault: unknown): void {
  if (dsn === undefined) {
    if (early.length < MOST_EARLY) early.push(fault)
    return
  }
  if (dsn === '') return
  const target = dsn
  // An error while sending a report is ignored, because it would be reported in turn.
  import('./send-report.ts').then(({ sendReport }) => sendReport(fault, target)).catch(() => {})
}
