import { isNative } from '../../../api/native.ts'
import { Ticker } from '../../../design/time/ticker.ts'
import { ServiceClock } from './service-clock.ts'

/** Path at which the service returns its time. Players use this path too. */
const TIME_PATH = '/time'
const PATIENCE_MS = 5000
/**
 * Maximum age of a page at hydration, in milliseconds. An older page, such as one from a cache, counts as this
 * old.
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
 * Returns the service's time like {@link serviceNow}, but only after the service has confirmed it. A page
 * from a cache begins with an old time, which must not be stored. Undefined if the service does not answer.
 */
export async function confirmedNow(): Promise<number | undefined> {
  if (clock?.service.doubtful === true) await clock.service.correct()
  return clock?.service.doubtful === true ? undefined : serviceNow()
}

/**
 * Checks the clock during a visit: at hydration, each second, when the page becomes visible, gets the focus or is
 * shown again, and when the connection returns. The check asks the service for the time only if the clock may be
 * wrong. Returns a function that ends the checks.
 */
export function keepRight({ service, ticker }: BrowserClock): () => void {
  const check = () => {
    if (!document.hidden) void service.check()
  }
  // A persisted page comes from the back/forward cache, in the state in which the viewer left it.
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

/** Returns when the response with the page arrived, in milliseconds of the steady clock. */
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
