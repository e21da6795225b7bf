import { isNative } from '../../api/native.ts'
import { Ticker } from '../../design/ticker.ts'
import { ServiceClock } from './service-clock.ts'

/** How a browser asks the service for its time: the address that players take it from, too. */
const TIME_PATH = '/time'
const PATIENCE_MS = 5000
/** A page that is older when it comes alive was not just fetched. */
const OLDEST_PAGE_MS = 60_000

interface BrowserClock {
  service: ServiceClock
  ticker: Ticker
}

let clock: BrowserClock | undefined

/**
 * The one clock of this browser's page.
 *
 * @param made what the service's time was when the page was made, in milliseconds since the Unix epoch
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

/** The service's time, in milliseconds since the Unix epoch. Only in a browser, and once its page is alive. */
export function serviceNow(): number {
  if (clock === undefined) throw new Error('The page is not alive yet')
  return clock.service.now()
}

/**
 * Keeps the clock right all through a visit: it asks when the page comes alive, when it is seen or shown again, when the
 * connection is back, and when a second took longer than one, for then the device slept. Returns how to end that.
 */
export function keepRight({ service, ticker }: BrowserClock): () => void {
  const check = () => {
    if (!document.hidden) void service.check()
  }
  // A page out of the browser's memory shows what was so when it was left.
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

/** When what the page was made with came, by the steady clock. */
function receivedAt(): number {
  const now = performance.now()
  // A native app brings its pages, and asks for the rest when they stand.
  if (isNative()) return now
  const [navigation] = performance.getEntriesByType('navigation')
  const received = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : now
  return Math.min(now, Math.max(received, now - OLDEST_PAGE_MS))
}

async function askService(): Promise<number> {
  const response = await fetch(TIME_PATH, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
  const time = Date.parse(await response.text())
  if (!response.ok || Number.isNaN(time)) throw new TypeError('The service did not tell the time')
  return time
}
