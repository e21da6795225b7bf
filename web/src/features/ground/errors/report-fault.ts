import { noteError } from './error-notes.ts'

/** Maximum number of faults that are queued until the page has the address for reports. */
const MOST_EARLY = 10

/**
 * The operator's Sentry-compatible address for reports (V8-08): empty if the operator has none, undefined until
 * {@link reportTo} sets it.
 */
let dsn: string | undefined
const early: unknown[] = []

/** Sets the address for reports, and sends the queued faults. */
export function reportTo(address: string): void {
  dsn = address
  for (const fault of early.splice(0)) collectFault(fault)
}

/**
 * Reports a fault to the console and to the operator's collector, each fault once. Ignores `null`. Works only in
 * the browser.
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
  // A failure to send a report is not reported, because that report could fail too.
  import('./send-report.ts').then(({ sendReport }) => sendReport(fault, target)).catch(() => {})
}
