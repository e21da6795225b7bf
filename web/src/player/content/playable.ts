import type { contentData } from '@ondine/contract/catalogue'
import type { Asset, Image, Item, Programme } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import type { AdBreak, Drm } from '@ondine/contract/playback'
import type { AudioAddition } from '@ondine/contract/tracks'
import type { AccountHolder, KeptLicence } from '../../features/content/downloads/download.ts'
import type { Segments } from './segments.ts'

/**
 * The content to open. On a channel, `start` is in seconds since the Unix epoch. In an asset, it is in seconds
 * from the beginning.
 */
export type PlayerTarget =
  | ({
      kind: 'asset'
      id: number
      /** Whether to play the download of this device (V2.1-16). */
      offline?: boolean | undefined
    } & Beginning)
  | ({ kind: 'channel'; id: number } & Beginning)
  /**
   * `start` is in seconds from the beginning of the recording. If omitted, playback begins where the profile
   * stopped watching.
   */
  | ({ kind: 'recording'; id: number } & Beginning)
  | { kind: 'trailer'; id: number }

/** Start position and languages of the playback. */
interface Beginning {
  start?: number | undefined
  /**
   * Whether playback continues exactly at `start`, after an interruption or from another screen. An asset then begins
   * there even close to its beginning or its end, and a channel plays live if the service refuses the start.
   */
  continues?: boolean | undefined
  languages?: Partial<Languages> | undefined
}

/** Content that the player can play: an asset, a channel, a recording or a trailer (V3-35). */
export interface Playable {
  kind: PlayerTarget['kind']
  id: number
  title: string
  description: string
  /** The picture for the system's media controls and for screens. Null for a title whose pictures are blurred (A6-08). */
  backgroundImage: Image | null
  /** Path of the content's page; empty if the content has no page. */
  detailRoute: string
  /** Whether the stream is live: a channel, or an event that a channel carries now. False for an event that is a film. */
  live: boolean
  isSerie: boolean
  /** The series' category id; -1 for content that is not an episode. */
  serieId: number
  /** Path of the series' page; null if there is none. */
  seriesRoute: string | null
  metadatas: Record<string, string | number>
  isIncludedInUserOffers: boolean
  medias: Asset['medias']
  /**
   * Whether the viewer can pause and seek back in live content (V4-42, spec 17). Always true for other content.
   */
  timeshift: boolean
  /**
   * Whether the viewer may watch the channel's programmes, or the event, from the beginning (V1-08). False for other
   * content.
   */
  startOver: boolean
  /** Whether the viewer may record the channel's programmes. False for other content. */
  recordable: boolean
  /** End of a live event in seconds since the Unix epoch (V4-44); null for other content. */
  endsAt: number | null
}

/** Where the player gets the keys of a stream. */
export interface StreamLicence extends Drm {
  /** The licence of a download, which the decryption module has stored. */
  kept?: KeptLicence | undefined
}

/** The result of opening content, in the terms of V3-36. */
export interface Opened {
  playable: Playable
  streamUrl: string
  licenseData: StreamLicence | null
  /** Breaks with advertisements; omitted if there are none. */
  breaks?: readonly AdBreak[] | undefined
  /** Start in seconds of the asset, or since the Unix epoch on a channel; null for the beginning or the live edge. */
  assetStartTime: number | null
  segments: Segments
  selectedMedia: Languages
  /** The content to play next; null if there is none. */
  nextAsset: NextAsset | null
  related: Item[]
  isTrailer: boolean
  /** The playback session for heartbeats; null for a trailer and for a download. */
  session: string | null
  /**
   * Length of a recorded programme, or of an event that a channel carries, in seconds, while it runs. It may become
   * longer. Undefined for other content.
   */
  lengthSeconds?: number | undefined
  /** Stores the position of a download on this device. Undefined for other content. */
  keepPosition?: KeepPosition | undefined
  /** Holder of the account that downloaded the content, for the watermark. Undefined for other content. */
  holder?: AccountHolder | undefined
}

/**
 * Stores a position in seconds. `isLeaving` says that the viewer leaves the player. Never fails, because a
 * fault of the storage must not stop playback.
 */
export type KeepPosition = (position: number, isLeaving: boolean) => void

/**
 * Chosen languages by code. In `sub`, `non` means no subtitles. An empty `audio` means the stream's main audio.
 */
export interface Languages {
  audio: string
  sub: string
  /**
   * Label of the chosen track, if a stream has several tracks in the audio language, or if the track is an addition.
   * Omitted without a choice.
   */
  audioLabel?: string | undefined
  /** Commentary or audio description of the chosen track. Omitted for the film's own sound, and without a choice. */
  audioAddition?: AudioAddition | undefined
  /** Whether the subtitles are those for the deaf, if a stream has both kinds. Omitted without a choice. */
  captions?: boolean | undefined
}

/** The next episode: an asset, or a recording of the same series. */
export interface NextAsset
  extends Pick<
    Asset,
    | 'title'
    | 'detailRoute'
    | 'directMetadata'
    | 'thumbnailImage'
    | 'backgroundImage'
    | 'posterImage'
    | 'isBlurred'
    | 'rentalPrice'
    | 'isIncludedInUserOffers'
  > {
  target: Extract<PlayerTarget, { kind: 'asset' | 'recording' }>
}

/** The fields of a programme that the player shows or records (V3-36). */
export type LiveProgramme = Pick<
  Programme,
  | 'id'
  | 'id_channel'
  | 'idAsset'
  | 'title'
  | 'subtitle'
  | 'startutc'
  | 'endutc'
  | 'npvrEnabled'
  | 'timeshiftEnabled'
  | 'direct_metadata'
>

/** The data of an asset's page. */
export type Content = OutputOf<typeof contentData>
