import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock } from './clock.ts'
import type { Context } from './context.ts'
import { openDatabase } from './database/connection.ts'
import { refreshOn } from './database/refresh.ts'
import type { Settings } from './env.ts'
import { CatalogueMemory } from './features/content/catalogue/catalogue-memory.ts'
import { exportFavourites } from './features/content/favourites/export-favourites.ts'
import { rememberFavourites } from './features/content/favourites/kept.ts'
import { progressByAsset } from './features/content/library/library.repository.ts'
import { exportScores } from './features/content/scores/export-scores.ts'
import { imagesStore, mediaStore } from './features/inventory/stores/store.ts'
import { reportStores } from './features/inventory/stores/stores.service.ts'
import { isUnused } from './features/operation/demonstration/unused-installation.ts'
import { exportDetails } from './features/people/accounts/account-export.service.ts'
import type { AccountHooks } from './features/people/accounts/account-hooks.ts'
import { forgetAllAttempts } from './features/people/attempts/attempts.service.ts'
import { exportAttempts } from './features/people/attempts/export-attempts.ts'
import { forgetDevices } from './features/people/devices/devices.service.ts'
import { exportDevices } from './features/people/devices/export-devices.ts'
import { exportPairings } from './features/people/pairing/export-pairings.ts'
import { forgetPairings, forgetPairingsOf } from './features/people/pairing/pairing.service.ts'
import { exportParentalCode } from './features/people/parental/export-parental-code.ts'
import { forgetParentalCode } from './features/people/parental/parental.service.ts'
import { exportProfiles } from './features/people/profiles/export-profiles.ts'
import { forgetProfiles } from './features/people/profiles/forget-profiles.ts'
import { EndedSignIns } from './features/people/sign-in/ended-sign-ins.ts'
import { exportSignIns } from './features/people/sign-in/export-sign-ins.ts'
import { noteTokenLifetime } from './features/people/sign-in/token-lifetimes.ts'
import { exportIdentities } from './features/people/sign-on/export-identities.ts'
import { forgetIdentities } from './features/people/sign-on/identities.service.ts'
import { exportGrants } from './features/rights/entitlements/export-grants.ts'
import { rememberViewers } from './features/rights/entitlements/viewers.ts'
import { OfferBook } from './features/rights/offers/offer-book.service.ts'
import { exportPurchases } from './features/rights/orders/export-purchases.ts'
import { forgetPurchases } from './features/rights/orders/forget-purchases.ts'
import { PurchaseMemory } from './features/rights/orders/purchase-memory.ts'
import { exportPayments } from './features/rights/payments/export-payments.ts'
import type { PaymentProvider } from './features/rights/payments/payment-provider.ts'
import { exportReceipts } from './features/rights/receipts/export-receipts.ts'
import { forgetBuyer } from './features/rights/receipts/forget-buyer.ts'
import { exportStorePurchases } from './features/rights/store-purchases/export-store-purchases.ts'
import { forgetStorePurchases } from './features/rights/store-purchases/forget-store-purchases.ts'
import { exportStripeCustomer } from './features/rights/stripe/export-stripe-customer.ts'
import { exportServiceCustomer } from './features/rights/subscription-service/export-service-customer.ts'
import { forgetServiceCustomer } from './features/rights/subscription-service/service-subscriptions.service.ts'
import { exportVoucherUses } from './features/rights/vouchers/export-voucher-uses.ts'
import { Configurations } from './features/settings/configuration/configuration.service.ts'
import { DocumentStore } from './features/settings/documents/documents.service.ts'
import { loadTokenKeys } from './features/settings/keys/keys.service.ts'
import { Menus } from './features/settings/menus/menus.ts'
import { Storefronts } from './features/settings/storefronts/storefronts.service.ts'
import { Words } from './features/settings/words/words.service.ts'
import { ChannelMemory } from './features/television/channels/channel-memory.ts'
import { GuideMemory } from './features/television/channels/guide-memory.ts'
import { ShowingMemory } from './features/television/channels/showing-memory.ts'
import { namedByGuides } from './features/television/guide-import/guide-pictures.ts'
import { keepRating, programmeNamesPicture } from './features/television/guide-import/removed-titles.ts'
import { keepEntryRating } from './features/television/schedule/schedule.service.ts'
import { exportScreens } from './features/viewing/casting/export-screens.ts'
import { exportDownloads } from './features/viewing/downloads/export-downloads.ts'
import { forgetDownloads } from './features/viewing/downloads/held-downloads.ts'
import { ArticleWords } from './features/viewing/editorial/article-words.ts'
import { textNamesPicture } from './features/viewing/editorial/named-pictures.ts'
import { EditorialTexts } from './features/viewing/editorial/texts.service.ts'
import { exportViewing } from './features/viewing/playback/export-viewing.ts'
import { forgetPlayingOf } from './features/viewing/playback/playing.service.ts'
import { rememberPositions } from './features/viewing/playback/positions.ts'
import { exportSubscriptions } from './features/viewing/push/export-subscriptions.ts'
import { forgetSubscriptionsOf } from './features/viewing/push/subscriptions.ts'
import { episodeRequester } from './features/viewing/recordings/episode-jobs.ts'
import { exportRecordings } from './features/viewing/recordings/export-recordings.ts'
import { followGuide } from './features/viewing/recordings/follow-guide.ts'
import {
  keepRecordedRating,
  recordingNamesPicture,
} from './features/viewing/recordings/recorded-programmes.repository.ts'
import { keepCopiedRating } from './features/viewing/recordings/recording-copies.repository.ts'
import { rememberRecordings } from './features/viewing/recordings/remember-recordings.ts'
import { SearchMemory } from './features/viewing/search/search-memory.ts'
import { freeBytesOf } from './free-space.ts'
import { openImageStore } from './ingest/images.ts'
import { startJobQueue } from './jobs/queue.ts'
import { type Roles, writeRoles } from './roles.ts'
import { openSegments } from './segments/open-segments.ts'
import type { ReportFault } from './telemetry/fault-reports.ts'
import { createMetrics } from './telemetry/metrics.ts'

/** Dependencies from which a {@link Context} is opened. */
interface ContextParts {
  settings: Settings
  roles: Roles
  clock: Clock
  log: FastifyBaseLogger
  reportFault: ReportFault
  /** An embedded database that is open already, for tests. */
  pglite?: PGlite | undefined
  /** Payment providers by name. The caller adds them when their routes exist. */
  providers: ReadonlyMap<string, PaymentProvider>
  /** Returns the free bytes on the disk of a folder, for tests. */
  freeBytes?: Context['freeBytes'] | undefined
  /** Ends the background work of the context. */
  signal: AbortSignal
}

/**
 * The functions that remove the data of a deleted account, in the order in which they run; the functions that read the
 * data of an account for its holder; and the function that runs when a password changes.
 */
const ACCOUNT_HOOKS: AccountHooks = {
  onAccountForgotten: [
    forgetIdentities,
    forgetAllAttempts,
    forgetParentalCode,
    forgetPlayingOf,
    forgetDownloads,
    forgetPairings,
    forgetProfiles,
    forgetDevices,
    forgetPurchases,
    forgetBuyer,
    forgetStorePurchases,
    forgetServiceCustomer,
  ],
  onAccountExported: [
    exportDetails,
    exportProfiles,
    exportParentalCode,
    exportDevices,
    exportSignIns,
    exportIdentities,
    exportPairings,
    exportAttempts,
    exportGrants,
    exportPurchases,
    exportPayments,
    exportReceipts,
    exportVoucherUses,
    exportStorePurchases,
    exportServiceCustomer,
    exportStripeCustomer,
    exportViewing,
    exportFavourites,
    exportScores,
    exportRecordings,
    exportDownloads,
    exportSubscriptions,
    exportScreens,
  ],
  onAccessEnded: forgetPairings,
}

/** Opens the database and the stores, and assembles what calls and jobs share. */
export async function openContext({
  settings,
  roles,
  clock,
  log,
  reportFault,
  pglite,
  providers,
  freeBytes = freeBytesOf,
  signal,
}: ContextParts): Promise<Context> {
  const folders = {
    media: join(settings.DATA_DIR, 'media'),
    images: join(settings.DATA_DIR, 'images'),
    pictures: join(settings.DATA_DIR, 'picture-cache'),
    icons: join(settings.DATA_DIR, 'icons'),
    library: join(settings.DATA_DIR, 'library'),
  }
  for (const folder of [settings.DATA_DIR, ...Object.values(folders)])
    await mkdir(folder, { recursive: true, mode: 0o750 })

  const connection = await openDatabase({
    ...settings,
    roles: writeRoles(roles),
    log,
    ...(pglite && { pglite }),
  })
  const { db, changes } = connection
  // When the operator turns answer caching off, data in memory must not lag behind the database.
  const exact = settings.CATALOGUE_CACHE_SECONDS === 0
  const following = { log, signal }
  // Load the storefronts first, and nothing else in parallel: if they refuse the database, only the connection must be
  // closed.
  const storefronts = await Storefronts.load(db, settings.DEMO, async () => await isUnused(db)).catch(
    async (error: unknown) => {
      await connection.close()
      throw error
    },
  )
  const [keys, endedSignIns, , documents, offers, jobs] = await Promise.all([
    loadTokenKeys(db, clock),
    EndedSignIns.load(db, changes, following),
    noteTokenLifetime(db, settings.TOKEN_HOURS, clock.now()),
    DocumentStore.open(db, clock),
    OfferBook.load(db, changes, following),
    startJobQueue(connection, log),
  ])
  refreshOn(changes, 'operated', following, async () => {
    await Promise.all([storefronts.refresh(), documents.refresh()])
  })
  refreshOn(changes, 'keys', following, async () => await keys.refresh())
  // Keys, storefronts and documents were loaded before their listeners were registered. Another process may
  // have changed them in between.
  await Promise.all([keys.refresh(), storefronts.refresh(), documents.refresh()])
  const menus = new Menus(documents, log)
  const configurations = new Configurations(documents, log, (id) => storefronts.nameOf(id))
  const words = new Words(documents, configurations, (id) => storefronts.apiKeyOf(id), log, reportFault)
  const metrics = createMetrics(roles)
  const images = openImageStore(folders.images)
  const segments = await openSegments(settings, folders.media, log, signal)
  const purchases = new PurchaseMemory(db, changes)
  const television = {
    channels: new ChannelMemory(db, changes),
    guide: new GuideMemory(db, changes),
    showings: new ShowingMemory(db, changes),
  }
  const requestEpisodes = episodeRequester({ jobs, log })
  const context: Context = {
    television,
    settings,
    log,
    clock,
    connection,
    db,
    keys,
    endedSignIns,
    accountHooks: ACCOUNT_HOOKS,
    titleHooks: {
      onTitleRemoved: [keepRating, keepEntryRating, keepRecordedRating, keepCopiedRating],
      namesPicture: [programmeNamesPicture, recordingNamesPicture, textNamesPicture],
    },
    onGuideChanged: async (channelId) => {
      await followGuide({ db, settings }, clock.now(), { channelIds: [channelId] })
      await requestEpisodes()
    },
    onSignInEnded: async (tx, deviceIds) => {
      await forgetPairingsOf(tx, deviceIds)
      await forgetSubscriptionsOf(tx, deviceIds)
    },
    storefronts,
    documents,
    configurations,
    menus,
    texts: new EditorialTexts(db, documents, clock, log),
    words,
    jobs,
    offers,
    purchases,
    providers,
    images,
    segments,
    freeBytes,
    stores: { media: mediaStore(segments.entries), images: imagesStore(folders.images, [namedByGuides]) },
    metrics,
    viewers: rememberViewers({ db, changes, log }, configurations),
    catalogue: {
      memory: new CatalogueMemory(db, offers, changes, log, { exact }),
      channels: television.channels,
      positionsOf: rememberPositions(db, changes),
      rentalsOf: async (accountId) => await purchases.rentedBy(accountId),
      favouritesOf: rememberFavourites(db, changes),
      recordingsOf: rememberRecordings({ db, settings }, changes),
      progress: async () => await progressByAsset(db),
      log,
    },
    searchMemory: new SearchMemory(db, { changes, log, exact }),
    articleWords: new ArticleWords(db, { changes, log, exact }),
    folders,
  }

  await reportStores(context)
  return context
}
