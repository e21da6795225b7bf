import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Connection, Database } from './database/connection.ts'
import type { Settings } from './env.ts'
import type { CatalogueParts } from './features/content/catalogue/catalogue.service.ts'
import type { TitleHooks } from './features/content/library/title-hooks.ts'
import type { Stores } from './features/inventory/stores/stores.service.ts'
import type { AccountHooks } from './features/people/accounts/account-hooks.ts'
import type { OnSignInEnded } from './features/people/sign-in/end-sign-in.ts'
import type { EndedSignIns } from './features/people/sign-in/ended-sign-ins.ts'
import type { Viewers } from './features/rights/entitlements/viewers.ts'
import type { OfferBook } from './features/rights/offers/offer-book.service.ts'
import type { PurchaseMemory } from './features/rights/orders/purchase-memory.ts'
import type { PaymentProviders } from './features/rights/payments/payments.service.ts'
import type { Configurations } from './features/settings/configuration/configuration.service.ts'
import type { DocumentStore } from './features/settings/documents/documents.service.ts'
import type { TokenKeys } from './features/settings/keys/keys.service.ts'
import type { Menus } from './features/settings/menus/menus.ts'
import type { Storefronts } from './features/settings/storefronts/storefronts.service.ts'
import type { Words } from './features/settings/words/words.service.ts'
import type { ChannelMemory } from './features/television/channels/channel-memory.ts'
import type { GuideMemory } from './features/television/channels/guide-memory.ts'
import type { ShowingMemory } from './features/television/channels/showing-memory.ts'
import type { OnGuideChanged } from './features/television/guide-import/guide-hooks.ts'
import type { ArticleWords } from './features/viewing/editorial/article-words.ts'
import type { EditorialTexts } from './features/viewing/editorial/texts.service.ts'
import type { SearchMemory } from './features/viewing/search/search-memory.ts'
import type { ImageStore } from './ingest/images.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { SegmentStore } from './segments/segment-store.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** The parts that the running service shares. Created once, in `open-context.ts`. */
export interface Context {
  settings: Settings
  log: FastifyBaseLogger
  clock: Clock
  connection: Connection
  db: Database
  keys: TokenKeys
  /** Ended sign-ins whose tokens have not expired yet. */
  endedSignIns: EndedSignIns
  /** Hooks that run when an account is deleted or its password changes. */
  accountHooks: AccountHooks
  /** Hooks that run when a title is removed. */
  titleHooks: TitleHooks
  /** Hook that runs when an import has changed the guide of a channel. */
  onGuideChanged: OnGuideChanged
  /** Hook that runs when a sign-in ends. */
  onSignInEnded: OnSignInEnded
  storefronts: Storefronts
  documents: DocumentStore
  configurations: Configurations
  menus: Menus
  texts: EditorialTexts
  words: Words
  jobs: JobQueue
  /** The current offers, kept in memory. */
  offers: OfferBook
  /** Cache of the purchases of accounts, for screens that list purchases. A change evicts the account. */
  purchases: PurchaseMemory
  /** The enabled payment providers, by name. */
  providers: PaymentProviders
  images: ImageStore
  /** The store of segments. */
  segments: SegmentStore
  /** Returns the free bytes on the disk of a folder. */
  freeBytes: (folder: string) => Promise<number>
  /** The files of media and pictures, and which of them the database refers to. */
  stores: Stores
  metrics: Metrics
  /** The profiles and rights of viewers, cached until they change. */
  viewers: Viewers
  /** The catalogue in memory, and the sources of the other data that answers about the catalogue contain. */
  catalogue: CatalogueParts
  /** Channels, the guide and the next showings of titles, cached until they change. */
  television: { channels: ChannelMemory; guide: GuideMemory; showings: ShowingMemory }
  /** The search index, in memory. */
  searchMemory: SearchMemory
  /** The search words of the articles, in memory. */
  articleWords: ArticleWords
  /** Folders of the installation, below DATA_DIR. The media may be in another store (`segments`). */
  folders: { media: string; images: string; pictures: string; icons: string; library: string }
}
