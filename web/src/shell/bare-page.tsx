import type { CSSProperties } from 'react'
import { lastResort as eng } from '../words/eng/last-resort.ts'
import { lastResort as fra } from '../words/fra/last-resort.ts'

const TEXTS = [
  { tag: 'fr', words: fra },
  { tag: 'en', words: eng },
]

/** Inline styles, because the style sheets may have failed to load. */
const MIDDLE: CSSProperties = {
  display: 'grid',
  placeContent: 'center',
  gap: 12,
  minHeight: '60vh',
  padding: 24,
  textAlign: 'center',
}

/**
 * Replaces an error page that has failed itself (V2.4-24). It depends on as little as possible. It does not know
 * the page's language, so it shows its text in every bundled language.
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
