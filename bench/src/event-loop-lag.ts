const INTERVAL_MS = 5

/** Measures how late timers of this process fire while `work` runs. @returns the longest delay, in milliseconds. */
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
  // If the loop was busy until the end, no timer has fired, so look once more.
  look()
  return worst
}
