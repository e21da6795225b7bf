import type { CSSProperties } from 'react'
import { lastResort as eng } from '../words/eng/last-resort.ts'
import { lastResort as fra } from '../words/fra/last-resort.ts'

const TEXTS = [
  { tag: 'fr', words: fra },
  { tag: 'en', words: eng },
]

/** Its own, as everything here: style sheets may be what failed. */
const MIDDLE: CSSProperties = {
  display: 'grid',
  placeContent: 'center',
  gap: 12,
  minHeight: '60vh',
  padding: 24,
  textAlign: 'center',
}

/**
 * What is shown when the error page cannot be (V2.4-24): as little as can fail. It asks nothing of what stands around
 * it, and so it speaks all bundled languages.
 */
export function BarePage() {
  return (
    <div style={MIDDLE}>
      {TEXTS.map(({ tag, words }) => (
        <p key={tag} lang={tag} style={{ margin: 0 }}>
          {words.retryText}{' '}
          <a href="/" style={{ color: 'inherit', textDecoration: 'underline' }}>
            {words.back}
          </a>
        </p>
      ))}
    </div>
  )
}
