import type { contentData } from '@ondine/contract/catalogue'
import type { Asset, Image, Item, Programme } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import type { Drm } from '@ondine/contract/playback'
import type { Segments } from './segments.ts'

/** What the player is asked to show. `start`: seconds into an asset, or seconds since the Unix epoch on a channel. */
export type PlayerTarget =
  | { kind: 'asset'; id: number; start?: number | undefined; languages?: Partial<Languages> | undefined }
  | { kind: 'channel'; id: number; start?: number | undefined }
  | { kind: 'trailer'; id: number }

/** An asset or a channel that plays (V3-35). */
export interface Playable {
  kind: PlayerTarget['kind']
  id: number
  title: string
  description: string
  backgroundImage: Image | null
  /** Path of its page; empty when it has none. */
  detailRoute: string
  live: boolean
  isSerie: boolean
  /** The series' category id, -1 for what is no episode. */
  serieId: number
  /** Path of the series' page; null when there is none. */
  seriesRoute: string | null
  metadatas: Record<string, string | number>
  isIncludedInUserOffers: boolean
  medias: Asset['medias']
  /** Whether one may pause and go back in what is live (V4-42, decision 17). Always true for what is not live. */
  timeshift: boolean
  /** Whether its programmes may be watched from their beginning (V1-08): only on a channel. */
  startOver: boolean
  /** End of a live event in seconds since the Unix epoch (V4-44); null for everything else. */
  endsAt: number | null
}

/** What the opening of the player finds out, in the terms of V3-36. */
export interface Opened {
  playable: Playable
  streamUrl: string
  licenseData: Drm | null
  /** Where to begin: seconds into the asset, or since the epoch on a channel; null for the beginning or the live edge. */
  assetStartTime: number | null
  segments: Segments
  selectedMedia: Languages
  /** What plays after this one; null when nothing does. */
  nextAsset: Asset | null
  related: Item[]
  isTrailer: boolean
  /** Names the playback session in heartbeats; null for a trailer, which has none. */
  session: string | null
}

/** Chosen languages by their codes; `non` is no subtitle, and an empty audio is the stream's own main one. */
export interface Languages {
  audio: string
  sub: string
}

/** The programme that is on, as the player shows it (V3-36). */
export type LiveProgramme = Pick<Programme, 'id' | 'id_channel' | 'idAsset' | 'title' | 'startutc' | 'endutc'>

/** What an asset's page is made of. */
export type Content = OutputOf<typeof contentData>
