import type { CSSProperties } from 'react'
import { errors as eng } from '../words/eng/errors.ts'
import { errors as fra } from '../words/fra/errors.ts'

const TEXTS = [
  { tag: 'fr', errors: fra },
  { tag: 'en', errors: eng },
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
      {TEXTS.map(({ tag, errors }) => (
        <p key={tag} lang={tag} style={{ margin: 0 }}>
          {errors.retryText}{' '}
          <a href="/" style={{ color: 'inherit', textDecoration: 'underline' }}>
            {errors.back}
          </a>
        </p>
      ))}
    </div>
  )
}
