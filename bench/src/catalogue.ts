import type { TrackSet } from '@ondine/media/track-set'
import type { Context } from '@ondine/server/context'
import { channels } from '@ondine/server/features/inventory/line-up/line-up.table'
import { scheduleRules } from '@ondine/server/features/inventory/line-up/schedule-rules.service'
import {
  assetCategories,
  assets,
  categories,
  medias,
  trackSets,
} from '@ondine/server/features/inventory/titles/titles.table'
import { createTrackSetStore } from '@ondine/server/features/inventory/track-sets/track-sets.service'
import { createAccount } from '@ondine/server/features/people/profiles/new-account.service'
import { listProfiles } from '@ondine/server/features/people/profiles/profiles.service'
import { accountToken, profileToken } from '@ondine/server/features/people/sign-in/tokens'
import { addGrant } from '@ondine/server/features/rights/entitlements/grants.service'
import {
  ensurePackage,
  putAssetInPackage,
  putChannelsInPackage,
} from '@ondine/server/features/rights/entitlements/packages.service'
import { extendSchedules } from '@ondine/server/features/television/schedule/extend-schedules'
import { benchFilms } from './bench-films.ts'

/** Contents of an installation, and a viewer who may play all of them. */
export interface Catalogue {
  films: { id: number; trackSet: TrackSet; durationSeconds: number }[]
  categoryIds: number[]
  channelIds: number[]
  accountId: number
  profileId: number
  /** Request headers of the viewer. */
  tokens: Record<string, string>
}

export const PASSWORD = 'Ondine-2026!'
export const EMAIL = 'viewer@ondine.test'

const FILMS = 16
const GENRES = ['Drame', 'Aventure', 'Documentaire', 'Comédie']
const SEASONS = 2
const EPISODES = 4
const CHANNELS = 4
/** Age of the channels. It exceeds their time-shift. */
const ON_SINCE_MS = 2 * 3_600_000
/** Age of all other content, so that it is older than any viewer's visit. */
const YESTERDAY_MS = 86_400_000

/**
 * Fills an installation like the demonstration: films in categories, a series of two seasons, four channels
 * scheduled for two days, and an account with access to everything. All films can be played, because they share
 * the media of a few films.
 */
export async function fillCatalogue(context: Context): Promise<Catalogue> {
  const { db, storefronts, keys, folders } = context
  const now = Date.now()
  const published = await benchFilms(folders.media)
  for (const { trackSet, key, durationSeconds } of published) {
    await db.insert(trackSets).values({ id: trackSet.id, key, document: trackSet, durationSeconds })
  }
  const packageId = await ensurePackage(db, 'everything', names('Tout'))

  const addAsset = async (title: string, index: number, fields: Partial<typeof assets.$inferInsert>) => {
    const media = published[index % published.length]
    if (!media) throw new Error('There are no films.')
    const [asset] = await db
      .insert(assets)
      .values({
        kind: 'film',
        sourceKey: title,
        titles: names(title),
        descriptions: names(`Ce que l'on dit de « ${title} », en une ou deux phrases, pour la fiche.`),
        durationSeconds: media.durationSeconds,
        availability: 'ready',
        year: 2026,
        genres: [GENRES[index % GENRES.length] ?? ''],
        directors: ['Camille Delmas'],
        actors: ['Alix Moreau', 'Maxime Roche'],
        validFrom: now - YESTERDAY_MS,
        ...fields,
      })
      .returning({ id: assets.id })
    if (!asset) throw new Error('The asset was not stored.')
    await db.insert(medias).values({
      kind: 'main',
      assetId: asset.id,
      trackSetId: media.trackSet.id,
      audioLanguages: ['und'],
      fingerprint: '',
    })
    await putAssetInPackage(db, packageId, asset.id)
    return { id: asset.id, trackSet: media.trackSet, durationSeconds: media.durationSeconds }
  }
  const addCategory = async (name: string, fields: Partial<typeof categories.$inferInsert> = {}) => {
    const [row] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: name, names: names(name), ...fields })
      .returning({ id: categories.id })
    if (!row) throw new Error('The category was not stored.')
    return row.id
  }

  const root = await addCategory('Films')
  const categoryIds = [root]
  for (const [position, genre] of GENRES.entries()) {
    categoryIds.push(await addCategory(genre, { parentId: root, position }))
  }
  const films: Catalogue['films'] = []
  for (let index = 0; index < FILMS; index++) {
    const film = await addAsset(`Film ${index + 1}`, index, {})
    films.push(film)
    for (const categoryId of [root, categoryIds[1 + (index % GENRES.length)] ?? root]) {
      await db.insert(assetCategories).values({ categoryId, assetId: film.id, position: index })
    }
  }
  const serieId = await addCategory('La série', { kind: 'series' })
  for (let season = 1; season <= SEASONS; season++) {
    const seasonId = await addCategory(`La série, saison ${season}`, {
      kind: 'season',
      parentId: serieId,
      seasonNumber: season,
    })
    for (let episode = 1; episode <= EPISODES; episode++) {
      await addAsset(`Épisode ${season}.${episode}`, episode, {
        kind: 'episode',
        serieId,
        seasonId,
        seasonNumber: season,
        episodeNumber: episode,
      })
    }
  }

  const channelIds: number[] = []
  for (let number = 1; number <= CHANNELS; number++) {
    const titles = films.map((_, index) => `Film ${((index + number) % FILMS) + 1}`)
    const [row] = await db
      .insert(channels)
      .values({
        number,
        sourceKey: `Chaîne ${number}`,
        names: names(`Chaîne ${number}`),
        rules: scheduleRules.parse({ kind: 'sequence', titles }),
      })
      .returning({ id: channels.id })
    if (!row) throw new Error('The channel was not stored.')
    await putChannelsInPackage(db, packageId, [row.id])
    channelIds.push(row.id)
  }
  await extendSchedules(db, createTrackSetStore(db), now - ON_SINCE_MS)

  const storefront = storefronts.first()
  const { account } = await createAccount(db, storefront.id, { email: EMAIL, password: PASSWORD })
  await addGrant(db, {
    accountId: account.id,
    opens: { packageId },
    source: 'operator',
    sourceId: 'bench',
    from: now - YESTERDAY_MS,
    to: null,
  })
  const [profile] = await listProfiles(db, account.id)
  if (!profile) throw new Error('The account has no profile.')
  const tokens = {
    'x-identity-key': storefront.apiKey,
    'x-auth-token': accountToken(keys, account, 86_400),
    'x-profile-token': profileToken(keys, profile, 86_400),
  }
  return { films, categoryIds, channelIds, accountId: account.id, profileId: profile.id, tokens }
}

function names(text: string): Record<string, string> {
  return { fra: text, eng: text }
}
