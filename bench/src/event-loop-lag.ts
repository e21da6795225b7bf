const INTERVAL_MS = 5

/** Watches how late this process comes to its own timers while `work` goes on. @returns the latest it came, in milliseconds. */
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
  // A loop that was busy to the very end has come to no timer.
  look()
  return worst
}
