import runLighthouse from 'lighthouse'
import { startChild } from './child.ts'
import { CHROMIUM_FLAGS } from './playing-page.ts'
import { withTemporaryFolder } from './temporary-folder.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The values of a Lighthouse report that the benchmark uses. */
export interface LighthouseReport {
  /** Scores from 0 to 100. */
  scores: Record<(typeof CATEGORIES)[number], number>
  largestPaintSeconds: number
  /** Total time during which long tasks of the page would delay a press. */
  blockedMilliseconds: number
  layoutShift: number
}

/**
 * Loads a page `rounds` times with Lighthouse's settings for a phone. Each load has a new browser with an empty
 * cache. An additional first load is not counted, because it makes the service resize the page's pictures.
 */
export async function lighthouse(url: string, rounds: number): Promise<LighthouseReport[]> {
  const reports: LighthouseReport[] = []
  for (let round = 0; round <= rounds; round++) {
    const report = await audit(url)
    if (round > 0) reports.push(report)
  }
  return reports
}

/**
 * The time zone that the service assumes on a first visit. With another time zone, the page would render its times
 * again when it hydrates.
 */
const TIME_ZONE = 'Europe/Paris'

/** Maximum number of runs for a load. Lighthouse sometimes loses the trace of a load, and must run again. */
const TRIES = 3
const LOST_TRACE = 'NO_NAVSTART'

async function audit(url: string): Promise<LighthouseReport> {
  for (let attempt = 1; ; attempt++) {
    const report = await withTemporaryFolder(async (folder) => await auditOnce(url, folder))
    if (report !== LOST_TRACE) return report
    if (attempt === TRIES) throw new Error(`${url}: Lighthouse lost the trace ${TRIES} times.`)
  }
}

async function auditOnce(url: string, profile: string): Promise<LighthouseReport | typeof LOST_TRACE> {
  const { child, match } = await startChild({
    command: '/usr/bin/chromium',
    arguments: [
      ...CHROMIUM_FLAGS,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    environment: { TZ: TIME_ZONE },
    ready: /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//,
  })
  try {
    const result = await runLighthouse(url, {
      port: Number(match[1]),
      logLevel: 'error',
      onlyCategories: [...CATEGORIES],
    })
    if (!result) throw new Error(`Lighthouse has no result for ${url}.`)
    const { categories, audits, runtimeError } = result.lhr
    if (runtimeError?.code === LOST_TRACE) return LOST_TRACE
    if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
    const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const)
    const amount = (name: string) => {
      const value = audits[name]?.numericValue
      if (value === undefined) throw new Error(`Lighthouse has no ${name} for ${url}.`)
      return value
    }
    return {
      scores: Object.fromEntries(scores) as LighthouseReport['scores'],
      largestPaintSeconds: amount('largest-contentful-paint') / 1000,
      blockedMilliseconds: amount('total-blocking-time'),
      layoutShift: amount('cumulative-layout-shift'),
    }
  } finally {
    await child.stop()
  }
}
