import type { ConfigurationState } from '../../api/page-context.ts'

/** How often a page that is looked at asks whether anything has changed, in milliseconds. */
const ASK_MS = 3000
/** The longest pause after questions that were not answered, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000

/** What the page follows, and how. Given by the provider, and by tests. */
export interface Following {
  known(): ConfigurationState | undefined
  /** What holds now; undefined when that is what is known. */
  ask(known: ConfigurationState | undefined): Promise<ConfigurationState | undefined>
  changed(next: ConfigurationState, before: ConfigurationState | undefined): void
}

/**
 * Keeps a page up to date with what operators change, within 5 seconds. Only a page that is seen asks; one that comes into
 * view again asks at once, so that nobody sees what is old. The question is answered without a body while nothing has
 * changed (docs/decisions/0007).
 *
 * @returns ends it
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
      // A service that is away is asked less and less; what is known goes on.
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
