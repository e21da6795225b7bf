import { errors as eng } from '../words/eng/errors.ts'
import { errors as fra } from '../words/fra/errors.ts'

/**
 * What is shown when the error page cannot be (V2.4-24): as little as can fail. It asks nothing of what stands around
 * it, and so it speaks all bundled languages.
 */
export function BarePage() {
  return (
    <div className="bare">
      {[fra, eng].map((errors) => (
        <p key={errors.back}>
          {errors.retryText} <a href="/">{errors.back}</a>
        </p>
      ))}
    </div>
  )
}
