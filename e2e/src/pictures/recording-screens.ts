import type { Channel, Programme } from '@ondine/contract/entities'
import type { Recording, SeriesRecording } from '@ondine/contract/recordings'
import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'

const HOUR = 3600

/** The titles of the recordings, in the two languages. */
const TITLES = {
  fra: {
    series: 'Le Métier',
    episodes: ['La trame', 'Le fil', 'La navette', 'Le peigne'],
    news: 'Le Journal du littoral',
    film: 'La Houle',
    concert: 'Ciels du nord, le concert',
    late: 'Interférences',
  },
  eng: {
    series: 'The Craft',
    episodes: ['The Weft', 'The Thread', 'The Shuttle', 'The Comb'],
    news: 'The Coast Tonight',
    film: 'The Swell',
    concert: 'Northern Skies, the concert',
    late: 'Interference',
  },
}

/** Returns recordings in every state, made of the programmes of a channel. */
function recordingsOf(
  channel: Channel,
  programmes: readonly Programme[],
  { series, episodes, news, film, concert, late }: (typeof TITLES)['fra'],
): Recording[] {
  const now = Math.floor(Date.now() / 1000)
  let made = 0
  const recording = (title: string, hoursAhead: number, more: Partial<Recording>): Recording => {
    made += 1
    const startutc = Math.floor((now + hoursAhead * HOUR) / 300) * 300
    return {
      id: made,
      idEvent: programmes[made - 1]?.id ?? made,
      idAsset: null,
      idChannel: channel.idChannel,
      channel: channel.name,
      title,
      subtitle: '',
      synopsis: '',
      genre: '',
      season: null,
      episode: null,
      image: programmes[made % Math.max(1, programmes.length)]?.image ?? null,
      rating: 1,
      isBlurred: false,
      isNeedParentalCode: false,
      startutc,
      endutc: startutc + 3000,
      duration: 3000,
      state: 'recorded',
      note: null,
      missing: 0,
      position: 0,
      watchedAt: null,
      isBegun: false,
      isFavorite: false,
      next: null,
      expiresAt: null,
      ...more,
    }
  }
  const next = {
    idEvent: 900,
    idChannel: channel.idChannel,
    channel: channel.name,
    startutc: now + 26 * HOUR,
  }
  return [
    recording(news, -0.2, { state: 'recording', note: null }),
    recording(film, 3, { state: 'planned', endutc: now + 5 * HOUR, duration: 2 * HOUR }),
    recording(series, 20, { state: 'planned', subtitle: episodes[3] ?? '', season: 1, episode: 4 }),
    recording(concert, 44, { state: 'planned', note: 'dropped', next }),
    recording(late, -4, { state: 'failed', next }),
    recording(film, -6, { position: 900, endutc: now - 4 * HOUR, duration: 2 * HOUR }),
    recording(concert, -9, { note: 'incomplete', missing: 240 }),
    ...episodes.map((subtitle, index) =>
      recording(series, -24 * (episodes.length - index), {
        subtitle,
        season: 1,
        episode: index + 1,
        ...(index === 0 && { state: 'played' as const, position: 2990 }),
        ...(index === 1 && { position: 1200 }),
      }),
    ),
    recording(news, -49, { state: 'played', position: 2990 }),
  ]
}

/** Answers the calls of the recordings, so that the screens show every state whatever the hour. */
async function answerCalls(page: Page, channel: Channel, programmes: readonly Programme[]): Promise<void> {
  const isEnglish = (await page.locator('html').getAttribute('lang'))?.startsWith('en') === true
  const titles = TITLES[isEnglish ? 'eng' : 'fra']
  const records = recordingsOf(channel, programmes, titles)
  const series: SeriesRecording[] = [
    {
      id: 1,
      title: titles.series,
      episodes: 'new',
      idChannel: channel.idChannel,
      channel: channel.name,
      keepLast: 5,
      recorded: 0,
      recordedOnAny: 0,
      isFull: false,
    },
    {
      id: 2,
      title: titles.news,
      episodes: 'all',
      idChannel: null,
      channel: null,
      keepLast: null,
      recorded: 0,
      recordedOnAny: 0,
      isFull: true,
    },
  ]
  const minutes = 60_000
  const npvr = {
    consumed: 1290 * minutes,
    available: 3000 * minutes,
    planned: 270 * minutes,
    running: 40 * minutes,
  }
  const answer = (result: unknown) => ({ json: { status: true, result } })
  await page.route(
    '**/npvr/0?*',
    async (route) => await route.fulfill(answer({ count: records.length, records })),
  )
  await page.route('**/npvr/series?*', async (route) => await route.fulfill(answer(series)))
  await page.route('**/identity/0/quota?*', async (route) => await route.fulfill(answer({ npvr })))
}

/** Returns the screens of the library's recordings in every state, the dialog of a series, and the player's button. */
export function recordingScreens(channel: Channel, programmes: readonly Programme[]): Screen[] {
  // Opens these screens from another page. A page that the server renders would contain the viewer's real
  // recordings.
  const inLibrary =
    (name: 'completed' | 'scheduled', then?: (page: Page) => Promise<void>) => async (page: Page) => {
      await answerCalls(page, channel, programmes)
      await page.locator(`main a[href$="/library/${name}-records"]`).first().click()
      await page.locator('main h2').first().waitFor()
      await then?.(page)
    }
  const button = (page: Page, name: RegExp) => page.getByRole('main').getByRole('button', { name }).first()
  return [
    {
      name: 'recordings-completed',
      path: '/library/rentals',
      who: ['subscriber'],
      reach: inLibrary('completed'),
    },
    {
      name: 'recordings-scheduled',
      path: '/library/rentals',
      who: ['subscriber'],
      reach: inLibrary('scheduled'),
    },
    {
      name: 'recordings-selection',
      path: '/library/rentals',
      who: ['subscriber'],
      reach: inLibrary('completed', async (page) => {
        await button(page, /^(Sélectionner|Select)$/).click()
        const boxes = page.getByRole('checkbox')
        await boxes.nth(0).press('Space')
        await boxes.nth(2).press('Space')
      }),
    },
    {
      name: 'recordings-series',
      path: '/library/rentals',
      who: ['subscriber'],
      reach: inLibrary('scheduled', async (page) => {
        await button(page, /^(Modifier|Change)/).click()
        await page.getByRole('dialog').waitFor()
      }),
    },
    {
      name: 'recordings-guide',
      path: '/epg',
      who: ['subscriber'],
      reach: async (page) => {
        await answerCalls(page, channel, programmes)
        // Makes the page fetch its recordings again, as when the viewer returns to the tab.
        await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
        const tile = page.locator(`[data-row="${channel.idChannel}"][data-tile]`)
        await tile.locator('[data-state="recording"]').first().waitFor()
        await tile
          .filter({ has: page.locator('[data-state="planned"]') })
          .first()
          .click()
        await page
          .getByRole('main')
          .getByRole('button', { name: /^(Annuler|Cancel)/ })
          .waitFor()
      },
    },
    {
      name: 'player-channel',
      path: `/player?channel=${channel.idChannel}`,
      who: ['subscriber'],
      reach: async (page) => {
        await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
        await page.mouse.move(200, 200)
        await page.mouse.move(220, 220)
        const record = page.getByRole('button', { name: /^(Enregistr|Record)/ })
        await record.waitFor()
        await record.focus()
      },
    },
  ]
}
