import { once } from 'node:events'

/** Emits `all` when no call is being answered any more. */
const answers = new EventTarget()
let waiting = 0

/**
 * Records that a call is being answered.
 *
 * @returns a function that records the end of the call; further uses of the function do nothing
 */
export function callBegins(): () => void {
  let isOver = false
  waiting++
  return () => {
    if (isOver) return
    isOver = true
    waiting--
    if (waiting === 0) answers.dispatchEvent(new Event('all'))
  }
}

/** Returns as soon as no call is being answered, at the latest after `mostMs` milliseconds. */
export async function untilAnswered(mostMs: number): Promise<void> {
  if (waiting === 0) return
  // The timeout rejects the promise, which only ends the wait.
  await once(answers, 'all', { signal: AbortSignal.timeout(mostMs) }).catch(() => {})
}
