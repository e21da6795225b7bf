import type { Row } from '../row.ts'
import { casting } from './casting.ts'
import { catalogueReads } from './catalogue-reads.ts'
import { channelPages } from './channel-pages.ts'
import { checkout } from './checkout.ts'
import { epg } from './epg.ts'
import { filmWithAds } from './film-with-ads.ts'
import { firstFrame } from './first-frame.ts'
import { firstMinutes } from './first-minutes.ts'
import { guideImport } from './guide-import.ts'
import { guideScrolling } from './guide-scrolling.ts'
import { heartbeats } from './heartbeats.ts'
import { homePage } from './home-page.ts'
import { httpManifests } from './http-manifests.ts'
import { idleChannel } from './idle-channel.ts'
import { images } from './images.ts'
import { ingestCopy } from './ingest-copy.ts'
import { ingestEncode } from './ingest-encode.ts'
import { lighthouse } from './lighthouse.ts'
import { liveDelay } from './live-delay.ts'
import { liveInputs } from './live-inputs.ts'
import { liveManifest } from './live-manifest.ts'
import { liveManifests } from './live-manifests.ts'
import { memory } from './memory.ts'
import { offlineStart } from './offline-start.ts'
import { readsWhileEncoding } from './reads-while-encoding.ts'
import { recordedWeek } from './recorded-week.ts'
import { recordings } from './recordings.ts'
import { renewals } from './renewals.ts'
import { rental } from './rental.ts'
import { scheduledChannels } from './scheduled-channels.ts'
import { search } from './search.ts'
import { seek } from './seek.ts'
import { segments } from './segments.ts'
import { shopReads } from './shop-reads.ts'
import { signIn } from './sign-in.ts'
import { start } from './start.ts'
import { startOverManifest } from './start-over-manifest.ts'
import { zapping } from './zapping.ts'

/** All measurements, in the order of the table. */
export const ROWS: readonly Row[] = [
  liveManifest,
  startOverManifest,
  httpManifests,
  liveManifests,
  liveInputs,
  liveDelay,
  idleChannel,
  scheduledChannels,
  heartbeats,
  recordings,
  recordedWeek,
  signIn,
  shopReads,
  checkout,
  renewals,
  segments,
  catalogueReads,
  readsWhileEncoding,
  epg,
  search,
  guideImport,
  homePage,
  channelPages,
  guideScrolling,
  lighthouse,
  images,
  firstFrame,
  filmWithAds,
  rental,
  zapping,
  seek,
  casting,
  offlineStart,
  ingestCopy,
  ingestEncode,
  start,
  firstMinutes,
  memory,
]
