import type { Asset } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import { getVodLicense, listAssetTags, readAsset, testAsset } from '@ondine/contract/playback'
import { eventInterval } from '../../features/content/catalogue/asset-tags.ts'
import { startPosition } from '../../features/content/catalogue/playing.ts'
import type { Content, Playable, PlayerTarget } from '../content/playable.ts'
import { groupTags, NO_SEGMENTS, type Segments } from '../content/segments.ts'
import { openingLanguages } from '../engine/languages.ts'
import { isOver } from '../engine/live-edge.ts'
import { begin, licenceOf, type Opening, type OpeningService } from './opening.ts'

/**
 * Opens an asset, in the order of V4-17 to V4-23: scripts; sign-in; asset, test, tags; languages; read; licence;
 * stream and start; related, next, playable. Independent requests run in parallel: the first three calls are sent
 * together, and the manifest loads during the licence call.
 *
 * @throws ApiError when the service refuses a call
 */
export async function openAsset(
  target: Extract<PlayerTarget, { kind: 'asset' }>,
  service: OpeningService,
): Promise<Opening> {
  const scripts = service.loadScripts()
  if (!(await service.signedIn())) {
    await scripts
    return { kind: 'signIn' }
  }
  const idAsset = target.id
  const content = await service.content(idAsset)
  const asset = assetOf(content)
  const languages = openingLanguages(asset, service.defaultLanguages(), {
    ...service.chosenLanguages(),
    ...target.languages,
  })
  const languageInput = { idAsset, idAudioLang: languages.audio, idSubtitleLang: languages.sub }
  const [, segments, read] = await Promise.all([
    service.call(testAsset, { idAsset, parentalProof: undefined }),
    readSegments(idAsset, service),
    begin(
      service.call(readAsset, {
        ...languageInput,
        format: 'dash',
        parentalProof: undefined,
        adsMacro: service.page(),
      }),
      service,
    ),
  ])
  await scripts
  const broadcast = onAirOf(read, service.now())
  const startAt = broadcast ? broadcastStart(target, broadcast) : startOf(target, read, asset)
  // In a live stream, the player seeks to the start once it plays.
  const prepared = broadcast ? null : startAt
  service.prepare({ url: read.url, licence: read.drm, startAt: prepared, languages, breaks: read.breaks })
  const asked = service.call(getVodLicense, { ...languageInput, parentalProof: undefined })
  const [licenseData, related] = await Promise.all([licenceOf(asked, read.drm), service.related(idAsset)])
  return {
    kind: 'opened',
    opened: {
      streamUrl: read.url,
      licenseData,
      breaks: read.breaks,
      assetStartTime: startAt,
      selectedMedia: languages,
      segments,
      session: read.session,
      // Both ends are from one answer, because the asset may have been loaded before a change.
      ...(broadcast && {
        lengthSeconds: broadcast.endsAt - (eventInterval(asset)?.startutc ?? broadcast.startsAt),
      }),
      isTrailer: false,
      related,
      nextAsset: content.next && {
        ...content.next,
        target: { kind: 'asset', id: content.next.idAsset },
      },
      playable: { ...assetPlayable(asset, content, service.now()), ...(broadcast && liveEvent(broadcast)) },
    },
  }
}

/**
 * Returns the named ranges of an asset, such as chapters. Empty if they cannot be loaded, so that the asset still
 * plays.
 */
export async function readSegments(
  idAsset: number,
  service: Pick<OpeningService, 'call' | 'report'>,
): Promise<Segments> {
  try {
    return groupTags(await service.call(listAssetTags, { idAsset }))
  } catch (error) {
    service.report(error)
    return NO_SEGMENTS
  }
}

type Read = OutputOf<typeof readAsset>
type AssetTarget = Extract<PlayerTarget, { kind: 'asset' }>

/** Returns the broadcast of an event that is on; undefined for other assets. `now` is in milliseconds. */
function onAirOf({ broadcast }: Read, now: number): Read['broadcast'] {
  // The stream still grows for some seconds after the end of the event.
  return broadcast?.isOn === true && !isOver(broadcast.endsAt, now / 1000) ? broadcast : undefined
}

/** Returns where a film starts, in seconds; null for its beginning. */
function startOf(
  target: AssetTarget,
  { seek, broadcast }: Read,
  { durationInSeconds }: Asset,
): number | null {
  // Playback that continues does not lose its place, not even in the credits.
  const start =
    (target.continues === true ? target.start : undefined) ??
    startPosition({ seekTime: target.start ?? seek, durationInSeconds })
  // A stream that still grows would begin at its end.
  return start === 0 && broadcast === undefined ? null : start
}

/** Returns where an event that is on starts, in seconds since the Unix epoch; null for its live edge. */
function broadcastStart({ start }: AssetTarget, { startsAt }: NonNullable<Read['broadcast']>): number | null {
  return start === undefined ? null : startsAt + start
}

/** Returns the fields of an event that a channel carries now: it plays as a channel does, and ends with its end. */
function liveEvent({ endsAt }: NonNullable<Read['broadcast']>): Partial<Playable> {
  return { live: true, startOver: true, endsAt }
}

/** Returns the length of an event, in seconds. */
export function lengthOf(asset: Asset): number {
  const { startutc = 0, endutc = 0 } = eventInterval(asset) ?? {}
  return endutc - startutc
}

export function assetOf(content: Content): Asset {
  if (content.content.type !== 'asset') throw new TypeError('The answer for an asset contains a category')
  return content.content.payload
}

function assetPlayable(asset: Asset, { series }: Content, now: number): Playable {
  // `asset.live` may be older than the beginning or the end of the event. After its end, only a replay plays.
  const endsAt = eventInterval(asset)?.endutc
  return {
    kind: 'asset',
    id: asset.idAsset,
    title: asset.title,
    description: asset.description,
    backgroundImage: asset.isBlurred ? null : asset.backgroundImage,
    detailRoute: asset.detailRoute,
    live: false,
    isSerie: asset.isSerie,
    serieId: asset.serieId,
    seriesRoute: series?.detailRoute ?? null,
    metadatas: asset.directMetadata,
    isIncludedInUserOffers: asset.isIncludedInUserOffers,
    medias: asset.medias,
    timeshift: true,
    startOver: false,
    recordable: false,
    endsAt: endsAt !== undefined && !isOver(endsAt, now / 1000) ? endsAt : null,
  }
}
