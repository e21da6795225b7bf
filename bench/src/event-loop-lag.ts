const INTERVAL_MS = 5

/**
 * Measures by how much timers of this process are late while `work` runs. @returns the longest delay, in
 * milliseconds
 */
export async function eventLoopLag(work: () => Promise<void>): Promise<number> {
  let worst = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    worst = Math.max(worst, now - last - INTERVAL_MS)
    last = now
  }
  const timer = setInterval(look, INTERVAL_MS)
  await work()
  clearInterval(timer)
  // If the event loop was busy until the end, no timer has fired, so the delay is measured here.
  look()
  return worst
}
