import { isNative } from '../../../api/native.ts'
import { Ticker } from '../../../design/time/ticker.ts'
import { ServiceClock } from './service-clock.ts'

/** Path of the service's time, which players use too. */
const TIME_PATH = '/time'
const PATIENCE_MS = 5000
/**
 * Largest age of a page at hydration, in milliseconds. A larger age is reduced to this, because such a page was not
 * fetched just now.
 */
const OLDEST_PAGE_MS = 60_000

interface BrowserClock {
  service: ServiceClock
  ticker: Ticker
}

let clock: BrowserClock | undefined

/**
 * Returns the only clock of this page in the browser.
 *
 * @param made the service's time when the page was rendered, in milliseconds since the Unix epoch
 */
export function browserClock(made: number): BrowserClock {
  if (clock !== undefined) return clock
  const sources = { steady: () => performance.now(), device: () => Date.now(), ask: askService }
  const service = new ServiceClock(sources, made, receivedAt())
  const ticker = new Ticker(document, service.now)
  service.onCorrected(ticker.beat)
  clock = { service, ticker }
  return clock
}

/** Returns the service's time in milliseconds since the Unix epoch. Works only in a browser, after hydration. */
export function serviceNow(): number {
  if (clock === undefined) throw new Error('The page has not been hydrated yet')
  return clock.service.now()
}

/**
 * Keeps the clock correct during a visit. It asks the service for the time at hydration, when the page becomes visible
 * or is shown again, when the connection returns, and when a timer of one second was late, because the device then
 * slept. Returns a function that ends this.
 */
export function keepRight({ service, ticker }: BrowserClock): () => void {
  const check = () => {
    if (!document.hidden) void service.check()
  }
  // The browser restored the page from its back/forward cache, in the state in which the viewer left it.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void service.correct()
    else check()
  }
  const endTicks = ticker.everySecond(check)
  document.addEventListener('visibilitychange', check)
  addEventListener('pageshow', onShow)
  addEventListener('focus', check)
  addEventListener('online', check)
  check()
  return () => {
    endTicks()
    document.removeEventListener('visibilitychange', check)
    removeEventListener('pageshow', onShow)
    removeEventListener('focus', check)
    removeEventListener('online', check)
  }
}

/** Returns when the answer with the page arrived, in milliseconds of the steady clock. */
function receivedAt(): number {
  const now = performance.now()
  // A native app contains its pages and does not fetch them, so a page has no age there.
  if (isNative()) return now
  const [navigation] = performance.getEntriesByType('navigation')
  const received = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : now
  return Math.min(now, Math.max(received, now - OLDEST_PAGE_MS))
}

async function askService(): Promise<number> {
  const response = await fetch(TIME_PATH, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
  const time = Date.parse(await response.text())
  if (!response.ok || Number.isNaN(time)) throw new TypeError('The service did not return a valid time')
  return time
}
