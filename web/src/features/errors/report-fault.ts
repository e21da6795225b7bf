import { noteError } from './error-notes.ts'

/** Most faults that wait until it is known where they go. */
const MOST_EARLY = 10

/** Where reports go: the operator's Sentry-compatible address; empty for nowhere, undefined until it is known (V8-08). */
let dsn: string | undefined
const early: unknown[] = []

/** Sets where reports go from now on, and sends there what has happened before. */
export function reportTo(address: string): void {
  dsn = address
  for (const fault of early.splice(0)) collectFault(fault)
}

/** Takes note of a fault, once: on the console, and where the operator collects them. Only in the browser. `null` is none. */
export function reportFault(fault: unknown): void {
  if (fault !== null && noteError(fault)) collectFault(fault)
}

/** Sends a fault to where the operator collects them, without a word on the console. */
export function collectFault(fault: unknown): void {
  if (dsn === undefined) {
    if (early.length < MOST_EARLY) early.push(fault)
    return
  }
  if (dsn === '') return
  const target = dsn
  // A report that cannot be sent must not become a fault of its own.
  import('./send-report.ts').then(({ sendReport }) => sendReport(fault, target)).catch(() => {})
}
