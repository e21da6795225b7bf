import type { Context } from '@ondine/server/context'
import { favourites } from '@ondine/server/features/content/favourites/favourites.table'
import { assetCategories, assets } from '@ondine/server/features/inventory/titles/titles.table'
import { profiles } from '@ondine/server/features/people/profiles/profiles.table'
import { profileToken } from '@ondine/server/features/people/sign-in/tokens'
import { seekPositions } from '@ondine/server/features/viewing/playback/playback.table'
import { asc, like, sql } from 'drizzle-orm'
import type { Catalogue } from '../catalogue.ts'
import { DATABASE_NAMES, type DatabaseKind, withInstallation } from '../installation.ts'
import { fillLargeCatalogue } from '../large-catalogue.ts'
import { answerRates, loadInTurns } from '../load.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { startPeer, startService, whenRead } from '../service.ts'
import { summarise } from '../statistics.ts'
import { waitingTime } from '../waiting-time.ts'

const CONNECTIONS = 32
/** Required rate, in answers per second. */
const MUST_REACH = 15_000
/** Rate at which the latency is measured, in answers per second. */
const CALM_RATE = 4000
/** Number of titles of a category that a screen requests in one call. */
const PAGE_LENGTH = 48
/** Number of titles that a viewer has begun after some months. `KEPT` is the number of the viewer's favourites. */
const BEGUN = 300
const KEPT = 40

/**
 * Measures the calls that every page sends first, for a visitor and for a signed-in viewer, with 50,000 titles and
 * 500 channels.
 */
export const catalogueReads: Row = {
  name: 'catalogue-reads',
  measure: async (effort) => [
    ...(await measureOn('postgresql', effort)),
    ...(await measureOn('embedded', effort)),
  ],
}

async function measureOn(kind: DatabaseKind, { rounds, roundMs, titles }: Effort): Promise<Figure[]> {
  const on = `on ${DATABASE_NAMES[kind]}`
  const channels = titles / 100
  return await withInstallation(
    kind,
    async (context, catalogue) => await fill(context, catalogue, titles, channels),
    async ({ environment, catalogue }, { child, regular }) => {
      const service = await startService(environment)
      const peer = await startPeer('empty-route')
      const figures: Figure[] = []
      const common = { connections: CONNECTIONS, milliseconds: roundMs }
      const headers = { 'x-identity-key': catalogue.tokens['x-identity-key'] ?? '' }
      await whenRead(service, headers)
      for (const [who, tokens] of [
        ['visitor', headers],
        ['signed in', catalogue.tokens],
        [`with ${BEGUN} titles begun and ${KEPT} favourites`, { ...catalogue.tokens, ...regular }],
        ['a child with as much', { ...catalogue.tokens, ...child }],
      ] as const) {
        for (const [operation, fields] of [
          ['hierarchy', ''],
          ['listContent', `id=${catalogue.categoryIds[0]}&limit=${PAGE_LENGTH}&`],
          ['listChannels', ''],
        ] as const) {
          const request = {
            method: 'POST' as const,
            // Requests compressed answers, as browsers and apps do.
            headers: {
              ...tokens,
              'content-type': 'application/x-www-form-urlencoded',
              'accept-encoding': 'br, gzip',
            },
            body: `${fields}languageId=fra`,
          }
          const subject = {
            ...common,
            port: service.port,
            requests: [{ ...request, path: `/proxy/${operation}` }],
          }
          const reference = { ...common, port: peer.port, requests: [{ ...request, path: '/' }] }
          const rates = await loadInTurns(subject, reference, rounds)
          const empty = summarise(answerRates(rates.reference)).median
          figures.push({
            what: `catalogue reads, ${who}: ${operation}, ${on}`,
            unit: '/s',
            values: answerRates(rates.subject),
            target: { better: 'higher', mustReach: MUST_REACH, aimsAt: empty * 0.6 },
            reference: { what: 'an empty Fastify route', values: answerRates(rates.reference) },
            note: `${titles.toLocaleString('en-GB')} titles in one category, which is asked for by pages of ${PAGE_LENGTH}, and ${channels} channels, whose list comes packed.`,
          })
          if (who !== 'visitor') continue
          const reached = { what: `${operation}, ${on}`, rates: answerRates(rates.subject) }
          const calm = { ...subject, perSecond: CALM_RATE }
          figures.push(await waitingTime(calm, reached, { mustReach: 5, aimsAt: null }, { rounds }))
        }
      }
      await service.stop()
      await peer.stop()
      return figures
    },
  )
}

/** Request headers, one set for each profile. */
interface Watching {
  regular: Record<string, string>
  child: Record<string, string>
}

/** Adds titles in one category, and two profiles that have begun some of these titles. */
async function fill(
  context: Context,
  { categoryIds, accountId, channelIds }: Catalogue,
  titles: number,
  channels: number,
): Promise<Watching> {
  await fillLargeCatalogue(context, { titles, channels, programmes: titles * 6 })
  const { db } = context
  const large = db
    .select({
      categoryId: sql`${categoryIds[0] ?? 0}::int`.as('category_id'),
      assetId: assets.id,
      position: sql`0`.as('position'),
    })
    .from(assets)
    .where(like(assets.sourceKey, 'large %'))
  await db.insert(assetCategories).select(large)
  const shown = await db
    .select({ id: assets.id })
    .from(assets)
    .where(like(assets.sourceKey, 'large %'))
    .orderBy(asc(assets.id))
    .limit(BEGUN)
  const watching = async (name: string, kid: boolean): Promise<Record<string, string>> => {
    const [profile] = await db
      .insert(profiles)
      .values({ accountId, name, kid, maximumMoralityLevel: kid ? 2 : 0 })
      .returning()
    if (!profile) throw new Error('The profile was not stored.')
    const profileId = profile.id
    await db
      .insert(seekPositions)
      .values(shown.map(({ id }, index) => ({ profileId, assetId: id, seconds: 600, updatedAt: index })))
    const kept = shown.slice(0, KEPT - channelIds.length).map(({ id }) => ({ profileId, assetId: id }))
    await db
      .insert(favourites)
      .values([...kept, ...channelIds.map((channelId) => ({ profileId, channelId }))])
    return { 'x-profile-token': profileToken(context.keys, profile, 86_400) }
  }
  return { regular: await watching('Camille', false), child: await watching('Sacha', true) }
}
