import { randomBytes } from 'node:crypto'
import type { Rendition, TrackSet } from '@ondine/media/track-set'
import { eq } from 'drizzle-orm'
import type { Context } from '../src/context.ts'
import type { Database } from '../src/database/connection.ts'
import { channels } from '../src/features/inventory/line-up/line-up.table.ts'
import {
  type ScheduleRules,
  scheduleRules,
} from '../src/features/inventory/line-up/schedule-rules.service.ts'
import { assets, categories, medias, trackSets } from '../src/features/inventory/titles/titles.table.ts'
import type { Account } from '../src/features/people/accounts/accounts.repository.ts'
import { insertAccountWithProfiles } from '../src/features/people/profiles/new-account.service.ts'
import { listProfiles, type NewProfile } from '../src/features/people/profiles/profiles.service.ts'
import { accountToken, profileToken } from '../src/features/people/sign-in/tokens.ts'
import { addGrant, type NewGrant } from '../src/features/rights/entitlements/grants.service.ts'
import {
  ensurePackage,
  putAssetInPackage,
  putChannelsInPackage,
} from '../src/features/rights/entitlements/packages.service.ts'
import { createOperator } from '../src/features/settings/operators/operators.service.ts'
import { hashPassword } from '../src/passwords.ts'
import { NOON, type Tokens } from './service.ts'

/** Properties of a fake TrackSet, which has no files in the media store. */
export interface TrackSetOptions {
  /** Duration of the video, in seconds. Default 60. */
  seconds?: number
  /** Whether the TrackSet is encrypted. Default true. */
  encrypted?: boolean
  /** Heights of the video renditions. Default 360 and 720. */
  heights?: number[]
  /** Languages of the audio renditions. Default French and English. */
  audio?: string[]
  subtitles?: string[]
}

/**
 * Builds a TrackSet like those of ingest: 24 frames per second, segments of 4 s, and audio that never ends with
 * the video.
 */
export function buildTrackSet(options: TrackSetOptions = {}): TrackSet {
  const {
    seconds = 60,
    encrypted = true,
    heights = [360, 720],
    audio = ['fra', 'eng'],
    subtitles = ['fra', 'eng'],
  } = options
  const whole = Math.floor(seconds / 4)
  const rest = seconds - whole * 4
  const runs = (timescale: number): [number, number][] => [
    ...(whole > 0 ? [[4 * timescale, whole] as [number, number]] : []),
    ...(rest > 0 ? [[Math.round(rest * timescale), 1] as [number, number]] : []),
  ]
  const renditions: Rendition[] = [
    ...heights.map((height) => ({
      id: `v${height}`,
      kind: 'video' as const,
      timescale: 12_288,
      segments: runs(12_288),
      codec: 'avc1.64001f',
      width: Math.round((height * 16) / 9 / 2) * 2,
      height,
      frameRate: 24,
      bandwidth: height * 4000,
      averageBandwidth: height * 3000,
    })),
    ...audio.map((language, index) => ({
      id: `a-${language}-${index + 1}`,
      kind: 'audio' as const,
      timescale: 48_000,
      segments: audioRuns(seconds),
      codec: 'mp4a.40.2',
      language,
      label: '',
      channels: 2,
      sampleRate: 48_000,
      bandwidth: 130_000,
      averageBandwidth: 128_000,
      isDefault: index === 0,
    })),
    ...subtitles.map((language, index) => ({
      id: `t-${language}-${index + 1}`,
      kind: 'text' as const,
      timescale: 1000,
      segments: runs(1000),
      language,
      label: '',
      forced: false,
      captions: false,
    })),
  ]
  return {
    id: randomBytes(16).toString('hex'),
    encryption: encrypted
      ? { keyId: randomBytes(16).toString('hex'), iv: randomBytes(16).toString('hex') }
      : null,
    renditions,
    thumbnails: null,
  }
}

/** Returns segments of whole AAC frames. Each ends with the frame that reaches the end of its video segment. */
function audioRuns(seconds: number): [number, number][] {
  const runs: [number, number][] = []
  let frames = 0
  for (let end = 4; frames * 1024 < seconds * 48_000; end += 4) {
    const upTo = Math.round((Math.min(end, seconds) * 48_000) / 1024)
    const ticks = (Math.max(upTo, frames + 1) - frames) * 1024
    frames = Math.max(upTo, frames + 1)
    const last = runs.at(-1)
    if (last?.[0] === ticks) last[1]++
    else runs.push([ticks, 1])
    if (end >= seconds) break
  }
  return runs
}

/** A signed-in caller, created without the cost of checking a password. */
export interface Actor {
  account: Account
  profileId: number
  tokens: Tokens
}

export interface ActorOptions {
  status?: Account['status']
  /** Packages by key, with their term. By default the term began yesterday. */
  packages?: Record<string, Partial<Pick<NewGrant, 'from' | 'to' | 'statusId' | 'maximumHeight'>>>
  profile?: Omit<NewProfile, 'name'>
  /** Validity of the tokens in days. Default 30. */
  tokenDays?: number
}

/** Password of all actors, hashed once per test process, because hashing is slow on purpose. */
export const PASSWORD = 'Ondine-2026!'
const passwordHash = hashPassword(PASSWORD)

/** Number of actors in this test process, used in their e-mail addresses. */
let actors = 0

/** Returns builders of rows in a test's database. They generate names and numbers that do not matter. */
export function buildersOf({ db, keys, storefronts }: Context) {
  let count = 0

  async function packageId(key: string): Promise<number> {
    return await ensurePackage(db, key, { fra: key, eng: key })
  }

  return {
    /** Creates an account with one profile, and tokens to call as this profile. */
    actor: async ({
      status = 'ACTIVE',
      packages = {},
      profile = {},
      tokenDays = 30,
    }: ActorOptions = {}): Promise<Actor> => {
      const fields = {
        storefrontId: storefronts.first().id,
        email: `viewer-${++actors}@ondine.test`,
        passwordHash: await passwordHash,
        status,
      }
      const account = await db.transaction(
        async (tx) => await insertAccountWithProfiles(tx, fields, [{ name: 'Camille', ...profile }]),
      )
      if (!account) throw new Error(`There is already an account ${fields.email}.`)
      for (const [key, term] of Object.entries(packages)) {
        await addGrant(db, {
          accountId: account.id,
          opens: { packageId: await packageId(key) },
          source: 'operator',
          sourceId: 'test',
          from: NOON - 86_400_000,
          to: null,
          ...term,
        })
      }
      const [first] = await listProfiles(db, account.id)
      if (!first) throw new Error('The account has no profile.')
      const tokens = {
        'x-auth-token': accountToken(keys, account, tokenDays * 86_400),
        'x-profile-token': profileToken(keys, first, tokenDays * 86_400),
      }
      return { account, profileId: first.id, tokens }
    },

    /** Creates an operator with a token. */
    operator: async (name = `operator-${++count}`): Promise<{ name: string; tokens: Tokens }> => {
      const token = await createOperator(db, name)
      if (token === undefined) throw new Error(`There is already an operator ${name}.`)
      return { name, tokens: { 'x-operator-token': token } }
    },

    /** Creates a film that is ready to play; an episode if `asset` contains its fields. */
    asset: async (
      title: string,
      {
        trackSet = buildTrackSet(),
        contentKey,
        trailer,
        inPackages = [],
        ...fields
      }: Partial<typeof assets.$inferInsert> & {
        trackSet?: TrackSet | null
        /** Key that the media is encrypted with. By default a random key, for media that no test decrypts. */
        contentKey?: Buffer
        trailer?: TrackSet
        inPackages?: string[]
      } = {},
    ) => {
      const video = trackSet?.renditions[0]
      const ticks = video?.segments.reduce((sum, [length, times]) => sum + length * times, 0) ?? 0
      const [asset] = await db
        .insert(assets)
        .values({
          kind: 'film',
          sourceKey: `${title} ${++count}`,
          titles: { fra: title, eng: title },
          durationSeconds: video ? ticks / video.timescale : 0,
          availability: trackSet ? 'ready' : 'preparing',
          validFrom: NOON - 365 * 86_400_000,
          ...fields,
        })
        .returning()
      if (!asset) throw new Error('The asset was not stored.')
      const main = trackSet && (await storeMedia('main', asset.id, trackSet, contentKey))
      const trailerMedia = trailer && (await storeMedia('trailer', asset.id, trailer))
      for (const key of inPackages) await putAssetInPackage(db, await packageId(key), asset.id)
      return {
        id: asset.id,
        asset,
        trackSet,
        key: main?.key ?? null,
        trailerMediaId: trailerMedia?.mediaId ?? 0,
      }
    },

    /** Creates a series without episodes. */
    series: async (name: string) => {
      const [row] = await db
        .insert(categories)
        .values({ kind: 'series', sourceKey: `series:${name}`, names: { fra: name, eng: name } })
        .returning()
      if (!row) throw new Error('The series was not stored.')
      return row
    },

    /** Creates the first season of a series. @returns the fields that make an asset its first episode */
    firstEpisodeOf: async ({ id, sourceKey }: { id: number; sourceKey: string }) => {
      const [row] = await db
        .insert(categories)
        .values({
          kind: 'season',
          sourceKey: `${sourceKey}/1`,
          parentId: id,
          names: { fra: 'Saison 1' },
          seasonNumber: 1,
        })
        .returning()
      if (!row) throw new Error('The season was not stored.')
      return { kind: 'episode' as const, serieId: id, seasonId: row.id, seasonNumber: 1, episodeNumber: 1 }
    },

    /** Creates a channel without a schedule; `extendSchedules` adds one. */
    channel: async (
      name: string,
      rules: Record<string, unknown>,
      { inPackages = [], ...fields }: Partial<typeof channels.$inferInsert> & { inPackages?: string[] } = {},
    ) => {
      const parsed: ScheduleRules = scheduleRules.parse(rules)
      const [row] = await db
        .insert(channels)
        .values({
          number: ++count,
          sourceKey: name,
          names: { fra: name, eng: name },
          rules: parsed,
          ...fields,
        })
        .returning()
      if (!row) throw new Error('The channel was not stored.')
      for (const key of inPackages) await putChannelsInPackage(db, await packageId(key), [row.id])
      return row
    },
  }

  async function storeMedia(
    kind: 'main' | 'trailer',
    assetId: number,
    trackSet: TrackSet,
    contentKey: Buffer = randomBytes(16),
  ) {
    const key = trackSet.encryption && contentKey
    const [video] = trackSet.renditions
    const ticks = video?.segments.reduce((sum, [length, times]) => sum + length * times, 0) ?? 0
    await db.insert(trackSets).values({
      id: trackSet.id,
      key,
      document: trackSet,
      durationSeconds: ticks / (video?.timescale ?? 1),
    })
    const languagesOf = (wanted: 'audio' | 'text') =>
      trackSet.renditions.flatMap((rendition) =>
        rendition.kind !== 'video' && rendition.kind === wanted ? [rendition.language] : [],
      )
    const [media] = await db
      .insert(medias)
      .values({
        kind,
        assetId,
        trackSetId: trackSet.id,
        audioLanguages: languagesOf('audio'),
        subtitleLanguages: languagesOf('text'),
        fingerprint: '',
      })
      .returning()
    return { key, mediaId: media?.id ?? 0 }
  }
}

/** Deletes an asset from the catalogue, as an operator would. */
export async function deleteAsset(db: Database, id: number): Promise<void> {
  await db.delete(assets).where(eq(assets.id, id))
}
