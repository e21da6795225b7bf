import { once } from 'node:events'

/** Tells when nobody is waiting any more. */
const answers = new EventTarget()
let waiting = 0

/** A call is being answered from here on. @returns what ends that, once. */
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

/** Returns as soon as no call is being answered, at the latest after so many milliseconds. */
export async function untilAnswered(mostMs: number): Promise<void> {
  if (waiting === 0) return
  // An end that was aborted is an end too.
  await once(answers, 'all', { signal: AbortSignal.timeout(mostMs) }).catch(() => {})
}
