import { noteError } from './error-notes.ts'

/** Where reports go: the operator's Sentry-compatible address; empty while there is none (V8-08). */
let dsn = ''

/** Sets where reports go from now on. */
export function reportTo(address: string): void {
  dsn = address
}

/** Takes note of a fault, once: on the console, and where the operator collects them. Only in the browser. `null` is none. */
export function reportFault(fault: unknown): void {
  if (fault === null || !noteError(fault) || dsn === '') return
  const target = dsn
  // A report that cannot be sent must not become a fault of its own.
  import('./send-report.ts').then(({ sendReport }) => sendReport(fault, target)).catch(() => {})
}
