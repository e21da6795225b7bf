import type { ConfigurationState } from '../../../api/page-context.ts'

/** Interval between the checks of a visible page, in milliseconds. */
const ASK_MS = 3000
/** The longest pause after failed checks, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000

/** The callbacks of {@link followChanges}, which tests replace. */
export interface Following {
  known(): ConfigurationState | undefined
  /** Returns the current configuration; undefined if `known` is current. */
  ask(known: ConfigurationState | undefined): Promise<ConfigurationState | undefined>
  changed(next: ConfigurationState, before: ConfigurationState | undefined): void
}

/**
 * Brings changes by operators to an open page within 5 seconds. A page polls only while it is visible. When the
 * page becomes visible, it polls at once, so that nobody sees old data. An answer without changes has no body
 * (docs/decisions/0007).
 *
 * @returns a function that stops the polls
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
      // Each failure doubles the pause before the next request. The page keeps the known configuration.
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
