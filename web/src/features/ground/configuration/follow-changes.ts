import type { ConfigurationState } from '../../../api/page-context.ts'

/** Interval between the checks of a visible page, in milliseconds. */
const ASK_MS = 3000
/** The longest pause after failed checks, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000

/** The callbacks of {@link followChanges}, given by the provider and by tests. */
export interface Following {
  known(): ConfigurationState | undefined
  /** Returns the current configuration; undefined when it is `known`. */
  ask(known: ConfigurationState | undefined): Promise<ConfigurationState | undefined>
  changed(next: ConfigurationState, before: ConfigurationState | undefined): void
}

/**
 * Keeps a page up to date with the operators' changes, within 5 seconds. Only a visible page sends requests.
 * A page that becomes visible sends one at once, so that nobody sees old data. The answer has no body while
 * nothing has changed (docs/decisions/0007).
 *
 * @returns a function that stops the requests
 */
export function followChanges({ known, ask, changed }: Following): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = ASK_MS
  let asking = false
  let ended = false

  const later = () => {
    clearTimeout(timer)
    if (!ended && isSeen()) timer = setTimeout(() => void look(), pause)
  }
  const look = async () => {
    if (asking || ended) return
    asking = true
    try {
      const before = known()
      const next = await ask(before)
      pause = ASK_MS
      if (next && !ended) changed(next, before)
    } catch {
      // The longer the service is unreachable, the longer the pauses. The known configuration is kept.
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
    asking = false
    later()
  }
  const seen = () => {
    clearTimeout(timer)
    if (!isSeen()) return
    pause = ASK_MS
    void look()
  }

  document.addEventListener('visibilitychange', seen)
  window.addEventListener('online', seen)
  later()
  return () => {
    ended = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('online', seen)
  }
}

function isSeen(): boolean {
  return document.visibilityState === 'visible' && navigator.onLine
}
