import type { CSSProperties, ReactNode } from 'react'
import { FaultBoundary } from '../design/page/fault-boundary.tsx'
import { reportFault } from '../features/ground/errors/report-fault.ts'
import { lastResort } from '../words/fra/last-resort.ts'
import { BarePage } from './bare-page.tsx'

/**
 * The error boundary of the whole document. If even the frame of the error page fails, shows a bare document
 * (V2.4-24).
 */
export function WholePage({ children }: { children: ReactNode }) {
  return (
    <FaultBoundary renderFallback={() => <BareDocument />} onFault={reportFault}>
      {children}
    </FaultBoundary>
  )
}

/** A document with inline styles, because the style sheets of the page may have failed to load. */
function BareDocument() {
  return (
    <html lang="fr" style={{ colorScheme: 'dark' }}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{lastResort.title}</title>
      </head>
      <body style={BODY}>
        <BarePage />
      </body>
    </html>
  )
}

const BODY: CSSProperties = {
  margin: 0,
  background: '#080b10',
  color: '#f3f6f9',
  font: '17px/1.5 system-ui, sans-serif',
}
