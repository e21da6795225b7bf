import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { OPERATIONS } from '@ondine/contract/all'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, wallClock } from './clock.ts'
import type { Context } from './context.ts'
import { openDatabase } from './database/connection.ts'
import { refreshOn } from './database/refresh.ts'
import type { Settings } from './env.ts'
import { registerCatalogue } from './features/content/catalogue/catalogue.routes.ts'
import { CatalogueMemory } from './features/content/catalogue/catalogue-memory.ts'
import { registerFavourites } from './features/content/favourites/favourites.routes.ts'
import { rememberFavourites } from './features/content/favourites/kept.ts'
import { startLibraryJobs } from './features/content/library/library.jobs.ts'
import { progressByAsset } from './features/content/library/library.repository.ts'
import { registerLibrary } from './features/content/library/library.routes.ts'
import { registerReviewSummaries } from './features/content/review-summaries/review-summaries.routes.ts'
import { registerScores } from './features/content/scores/scores.routes.ts'
import { imagesStore, mediaStore } from './features/inventory/stores/store.ts'
import { reportStores } from './features/inventory/stores/stores.service.ts'
import { createTrackSetStore } from './features/inventory/track-sets/track-sets.service.ts'
import { Demonstration } from './features/operation/demonstration/demonstration.service.ts'
import { registerStorefronts } from './features/operation/operated-storefronts/storefronts.routes.ts'
import type { AccountHooks } from './features/people/accounts/account-hooks.ts'
import { forgetAllAttempts } from './features/people/attempts/attempts.service.ts'
import { registerDevices } from './features/people/devices/devices.routes.ts'
import { forgetDevices } from './features/people/devices/devices.service.ts'
import { Mail, startMailJobs } from './features/people/mail/mail.service.ts'
import { openPost } from './features/people/mail/mailer.ts'
import { registerPairing } from './features/people/pairing/pairing.routes.ts'
import { forgetPairings, forgetPairingsOf } from './features/people/pairing/pairing.service.ts'
import { registerParental } from './features/people/parental/parental.routes.ts'
import { forgetParentalCode, grownUpRule, requireProof } from './features/people/parental/parental.service.ts'
import { forgetProfiles } from './features/people/profiles/forget-profiles.ts'
import { registerProfiles } from './features/people/profiles/profiles.routes.ts'
import { registerAccountCalls } from './features/people/registration/account-calls.routes.ts'
import { registerAccounts } from './features/people/registration/accounts.routes.ts'
import { EndedSignIns } from './features/people/sign-in/ended-sign-ins.ts'
import { Sessions } from './features/people/sign-in/sessions.service.ts'
import { startSignInJobs } from './features/people/sign-in/sign-in-jobs.ts'
import { forgetIdentities } from './features/people/sign-on/identities.ts'
import { registerSignOn } from './features/people/sign-on/sign-on.routes.ts'
import { SignOn } from './features/people/sign-on/sign-on.service.ts'
import { registerAccounting } from './features/rights/accounting/accounting.routes.ts'
import { rememberViewers } from './features/rights/entitlements/viewers.ts'
import { OfferBook } from './features/rights/offers/offer-book.service.ts'
import { forgetPurchases } from './features/rights/orders/forget-purchases.ts'
import { registerOperatedOrders } from './features/rights/orders/operated-orders.routes.ts'
import { startOrderJobs } from './features/rights/orders/order-jobs.ts'
import { registerOrders } from './features/rights/orders/orders.routes.ts'
import { openCheckout } from './features/rights/orders/orders.service.ts'
import { onPurchase, PurchaseMemory } from './features/rights/orders/purchase-memory.ts'
import { startSubscriptionJobs } from './features/rights/orders/renewal-jobs.ts'
import { settlePayment } from './features/rights/orders/settlement.service.ts'
import { registerSubscriptions } from './features/rights/orders/subscriptions.routes.ts'
import { registerDashboard } from './features/rights/payments/dashboard.routes.ts'
import type { PaymentProvider } from './features/rights/payments/payment-provider.ts'
import { registerPayments } from './features/rights/payments/payments.routes.ts'
import { receiptFile } from './features/rights/receipts/receipt-file.ts'
import { startReceiptJobs } from './features/rights/receipts/receipt-jobs.ts'
import { registerReceipts } from './features/rights/receipts/receipts.routes.ts'
import { findReceipt } from './features/rights/receipts/receipts.service.ts'
import { openSandbox } from './features/rights/sandbox/open-sandbox.ts'
import { forgetStorePurchases } from './features/rights/store-purchases/forget-store-purchases.ts'
import { openAppStore, openGooglePlay } from './features/rights/store-purchases/open-stores.ts'
import { startStorePurchaseJobs } from './features/rights/store-purchases/store-purchase-jobs.ts'
import { registerStorePurchases } from './features/rights/store-purchases/store-purchases.routes.ts'
import { openStripe } from './features/rights/stripe/open-stripe.ts'
import { startStripeJobs } from './features/rights/stripe/stripe-jobs.ts'
import { openSubscriptionService } from './features/rights/subscription-service/open-subscription-service.ts'
import { forgetServiceCustomer } from './features/rights/subscription-service/service-subscriptions.service.ts'
import { registerSubscriptionService } from './features/rights/subscription-service/subscription-service.routes.ts'
import { startServiceJobs } from './features/rights/subscription-service/subscription-service-jobs.ts'
import { registerVouchers } from './features/rights/vouchers/vouchers.routes.ts'
import { registerConfiguration } from './features/settings/configuration/configuration.routes.ts'
import { Configurations } from './features/settings/configuration/configuration.service.ts'
import { registerCountries } from './features/settings/countries/countries.routes.ts'
import { DocumentStore } from './features/settings/documents/documents.service.ts'
import { startKeyJobs } from './features/settings/keys/keys.jobs.ts'
import { loadTokenKeys } from './features/settings/keys/keys.service.ts'
import { registerMenus } from './features/settings/menus/menus.routes.ts'
import { Menus } from './features/settings/menus/menus.ts'
import { registerMessages } from './features/settings/messages/messages.routes.ts'
import { operatorOf } from './features/settings/operators/operators.service.ts'
import { storefrontOfPage } from './features/settings/storefronts/page-storefront.ts'
import { Storefronts } from './features/settings/storefronts/storefronts.service.ts'
import { registerWords } from './features/settings/words/words.routes.ts'
import { Words } from './features/settings/words/words.service.ts'
import { openDrmProvider } from './features/streams/drm-providers/open-drm-provider.ts'
import { LiveInputs } from './features/streams/live-inputs/live-inputs.service.ts'
import { createManifests } from './features/streams/manifests/manifests.service.ts'
import { registerMedia } from './features/streams/manifests/media.routes.ts'
import { createChannelAir, sweepRegularly } from './features/streams/on-air/on-air.service.ts'
import {
  createSessionReader,
  SESSION_SECONDS,
} from './features/streams/play-sessions/play-sessions.service.ts'
import { createRelays } from './features/streams/relays/relays.service.ts'
import { startListJobs } from './features/television/channel-lists/list-jobs.ts'
import { registerLists } from './features/television/channel-lists/lists.routes.ts'
import { ChannelMemory } from './features/television/channels/channel-memory.ts'
import { registerChannels } from './features/television/channels/channels.routes.ts'
import { GuideMemory } from './features/television/channels/guide-memory.ts'
import { ShowingMemory } from './features/television/channels/showing-memory.ts'
import { registerGuide } from './features/television/guide-import/guide.routes.ts'
import { startGuideJobs } from './features/television/guide-import/guide-jobs.ts'
import { namedByGuides } from './features/television/guide-import/guide-pictures.ts'
import { keepRating, programmeNamesPicture } from './features/television/guide-import/removed-titles.ts'
import { startChannelJobs } from './features/television/schedule/channel-jobs.ts'
import { keepEntryRating, requestSchedules } from './features/television/schedule/schedule.service.ts'
import { registerAboveLevel } from './features/viewing/above-level/above-level.routes.ts'
import { registerAds } from './features/viewing/ads/ads.routes.ts'
import { startAdJobs } from './features/viewing/ads/ads-jobs.ts'
import { createLiveBreaks } from './features/viewing/ads/live-breaks.service.ts'
import { registerCasting } from './features/viewing/casting/casting.routes.ts'
import { registerDownloads } from './features/viewing/downloads/downloads.routes.ts'
import { forgetDownloads } from './features/viewing/downloads/held-downloads.ts'
import { ArticleWords } from './features/viewing/editorial/article-words.ts'
import { registerEditorial } from './features/viewing/editorial/editorial.routes.ts'
import { textNamesPicture } from './features/viewing/editorial/named-pictures.ts'
import { registerTexts } from './features/viewing/editorial/texts.routes.ts'
import { EditorialTexts } from './features/viewing/editorial/texts.service.ts'
import { Icons } from './features/viewing/images/icons.ts'
import { registerImages } from './features/viewing/images/images.routes.ts'
import { PictureCache } from './features/viewing/images/picture-cache.ts'
import { PICTURES_AT_ONCE, Pictures } from './features/viewing/images/pictures.service.ts'
import { ConcurrencyLimit } from './features/viewing/playback/concurrency-limit.ts'
import { registerPlay } from './features/viewing/playback/play.routes.ts'
import { registerPlayback } from './features/viewing/playback/playback.routes.ts'
import { forgetPlayingOf } from './features/viewing/playback/playing.service.ts'
import { startPlayingJobs } from './features/viewing/playback/playing-jobs.ts'
import { rememberPositions } from './features/viewing/playback/positions.ts'
import { registerPublication } from './features/viewing/publication/publication.routes.ts'
import { registerPush } from './features/viewing/push/push.routes.ts'
import { announcerOf, startPushJobs } from './features/viewing/push/push-jobs.ts'
import { pushKeysOf } from './features/viewing/push/push-keys.ts'
import { forgetSubscriptionsOf } from './features/viewing/push/subscriptions.ts'
import { registerCopyMetrics, startCopyJobs } from './features/viewing/recordings/copy-jobs.ts'
import { followGuide } from './features/viewing/recordings/follow-guide.ts'
import {
  keepRecordedRating,
  recordingNamesPicture,
} from './features/viewing/recordings/recorded-programmes.repository.ts'
import { keepCopiedRating } from './features/viewing/recordings/recording-copies.repository.ts'
import { startRecordingJobs } from './features/viewing/recordings/recording-jobs.ts'
import { registerRecordings } from './features/viewing/recordings/recordings.routes.ts'
import { registerSearch } from './features/viewing/search/search.routes.ts'
import { SearchMemory } from './features/viewing/search/search-memory.ts'
import { registerShop } from './features/viewing/shop/shop.routes.ts'
import { subjectsOf } from './features/viewing/shop/shop.service.ts'
import { freeBytesOf } from './free-space.ts'
import { registerAppLinks } from './http/app-links.ts'
import { registerDocumentation } from './http/documentation.ts'
import { faultsTo } from './http/faults.ts'
import { type HealthParts, registerHealth } from './http/health.ts'
import { operationsOf } from './http/operations.ts'
import { pages } from './http/pages.ts'
import { Semaphore } from './http/semaphore.ts'
import { answerUnknownOperations, createHttp, type HttpOptions } from './http/server.ts'
import { originOfStorefront, siteOriginOf } from './http/site-origin.ts'
import type { WebApplication } from './http/web-application.ts'
import { openImageStore } from './ingest/images.ts'
import { startJobQueue } from './jobs/queue.ts'
import { createLog } from './log.ts'
import { ALL_ROLES, type Roles, writeRoles } from './roles.ts'
import { openSegments } from './segments/open-segments.ts'
import { startFaultReports } from './telemetry/fault-reports.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { startTracing } from './telemetry/tracing.ts'

/** A running service. */
export interface Service {
  /** The HTTP server. Without the role web, it answers only `/healthz`, `/readyz` and `/metrics`. */
  app: FastifyInstance
  context: Context
  /**
   * Starts the background work of the process's roles: jobs, schedules, the demonstration library and live inputs.
   */
  start(): void
  /** Stops accepting calls, ends running work and closes the database. */
  close(): Promise<void>
}

export interface ServiceOptions {
  settings: Settings
  /** Roles of the process; all roles by default. */
  roles?: Roles
  clock?: Clock
  log?: FastifyBaseLogger
  /** An embedded database that is open already, for tests. */
  pglite?: PGlite
  /** The web application. If omitted, the service only answers API calls. */
  pages?: WebApplication
  /** Returns the free bytes on the disk of a folder, for tests. */
  freeBytes?: (folder: string) => Promise<number>
  /** Validate answers against the contract, for tests. */
  checkAnswers?: boolean
}

/** With less free space than this, in bytes, the embedded database cannot write for long. */
const ROOM_BYTES = 32 * 1024 ** 2

/**
 * The functions that remove the data of a deleted account, in the order in which they run, and the function that runs
 * when a password changes.
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
    forgetStorePurchases,
    forgetServiceCustomer,
  ],
  onPasswordChanged: forgetPairings,
}

/** Opens the database and assembles the parts of the service. The service does not listen yet. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { settings, roles = ALL_ROLES, clock = wallClock, freeBytes = freeBytesOf } = options
  const log = options.log ?? createLog(settings)
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
    ...(options.pglite && { pglite: options.pglite }),
  })
  const { db, changes } = connection
  // When the operator turns answer caching off, data in memory must not lag behind the database either.
  const exact = settings.CATALOGUE_CACHE_SECONDS === 0
  const background = new AbortController()
  const following = { log, signal: background.signal }
  const [keys, endedSignIns, storefronts, documents, offers, jobs] = await Promise.all([
    loadTokenKeys(db, clock),
    EndedSignIns.load(db, changes, following),
    Storefronts.load(db, settings.DEMO),
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
  const words = new Words(documents, configurations, (id) => storefronts.apiKeyOf(id), log)
  const metrics = createMetrics(roles)
  const tracing = await startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT)
  const images = openImageStore(folders.images)
  const segments = await openSegments(settings, folders.media, log, background.signal)
  const purchases = new PurchaseMemory(db, changes)
  const providers = new Map<string, PaymentProvider>()
  const television = {
    channels: new ChannelMemory(db, changes),
    guide: new GuideMemory(db, changes),
    showings: new ShowingMemory(db, changes),
  }
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
    onGuideChanged: async (channelId) =>
      await followGuide({ db, settings }, clock.now(), { channelIds: [channelId] }),
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
    stores: { media: mediaStore(segments.entries), images: imagesStore(folders.images, [namedByGuides]) },
    metrics,
    viewers: rememberViewers({ db, changes, log }, configurations),
    catalogue: {
      memory: new CatalogueMemory(db, offers, changes, log, { exact }),
      channels: television.channels,
      positionsOf: rememberPositions(db, changes),
      rentalsOf: async (accountId) => await purchases.rentedBy(accountId),
      favouritesOf: rememberFavourites(db, changes),
      progress: async () => await progressByAsset(db),
      log,
    },
    searchMemory: new SearchMemory(db, { changes, log, exact }),
    articleWords: new ArticleWords(db, { changes, log, exact }),
    folders,
  }

  await reportStores(context)

  const faultOf = faultsTo(startFaultReports(settings.SENTRY_DSN, clock, log))
  const http: HttpOptions = {
    log,
    trustProxy: settings.TRUST_PROXY,
    isPublicOverHttps: settings.PUBLIC_URL?.startsWith('https:') ?? false,
    appOrigins: settings.APP_ORIGINS,
    origins: settings.PUBLIC_URL ? [new URL(settings.PUBLIC_URL).origin] : [],
    overloadDelayMs: settings.OVERLOAD_DELAY_MS,
    tracing,
    metrics,
    faultOf,
  }
  const app = await createHttp(http)
  const { on, onInside, inside } = operationsOf(app, {
    db,
    clock,
    verify: keys.verify,
    signIns: endedSignIns,
    storefrontOf: (apiKey) => storefronts.of(apiKey),
    operatorOf: async (token) => await operatorOf(db, token),
    requireGrownUp: grownUpRule(context),
    editionOf: ({ id }) => `${id} ${configurations.state(id).edition}`,
    sharedSeconds: settings.CATALOGUE_CACHE_SECONDS,
    checkAnswers: options.checkAnswers ?? false,
    tracing,
    metrics,
    faultOf,
    ...(exact ? { settled: changes.settled } : {}),
  })
  const health: HealthParts = {
    metrics,
    ping: connection.ping,
    // With an external PostgreSQL, a full disk stops only imports.
    hasRoom: async () =>
      connection.kind === 'postgresql' || (await freeBytes(settings.DATA_DIR)) >= ROOM_BYTES,
  }
  registerHealth(app, health)
  await registerDocumentation(app, OPERATIONS)
  const mail = new Mail(jobs)
  await mail.open()
  const signOn = new SignOn(context)
  registerAccounts(app, on, context, signOn)
  registerSignOn(app, on, context, signOn)
  registerAccountCalls(app, on, context, mail)
  const sessions = new Sessions(context)
  registerProfiles(on, context, {
    requireProof: async (tx, accountId, proof) => await requireProof({ db: tx, keys }, accountId, proof),
    watch: async (...watching) => await sessions.watch(...watching),
  })
  registerParental(on, context)
  registerAboveLevel(on, context)
  registerDevices(on, context)
  registerPairing(app, on, context)
  registerFavourites(on, context)
  registerMessages(app, on)
  registerCountries(on, context)
  registerConfiguration(app, on, context)
  registerStorefronts(on, context)
  registerWords(app, on, context)
  registerShop(on, context)
  registerVouchers(on, context)
  const subscriptionService = openSubscriptionService(settings)
  const serviceParts = subscriptionService && {
    db,
    clock,
    log,
    service: subscriptionService,
    book: offers,
    country: [...settings.VAT_RATES.keys()][0] ?? 'FR',
  }
  registerSubscriptionService(app, onPurchase(on, purchases), context, serviceParts)
  const sandbox = settings.DEMO || settings.SANDBOX_PAYMENTS ? await openSandbox(app, context) : undefined
  const originOf = (storefrontId: number) => originOfStorefront(context, storefrontId)
  const stripe = openStripe(context)
  for (const provider of [sandbox?.bank, stripe]) if (provider) providers.set(provider.name, provider)
  const orderParts = {
    ...openCheckout({
      db,
      log,
      providers,
      book: offers,
      vatRates: settings.VAT_RATES,
      retryDays: settings.RENEWAL_RETRY_DAYS,
      seller: settings.SELLER,
    }),
    clock,
    mail,
    originOf,
    consumerRules: (storefrontId: number) => configurations.of(storefrontId).offers.consumerRules,
    findSubject: subjectsOf({ db, catalogue: context.catalogue }),
  }
  registerOrders(on, context, orderParts)
  registerSubscriptions(on, context, orderParts)
  registerOperatedOrders(on, orderParts)
  registerReceipts(on, context)
  registerAccounting(on, context)
  registerDashboard(on, context, providers)
  registerPayments(app, context, providers, async (paymentId) => await settlePayment(orderParts, paymentId))
  const storeParts = {
    db,
    book: offers,
    clock,
    log,
    apple: await openAppStore(settings),
    google: await openGooglePlay(settings),
  }
  registerStorePurchases(app, onPurchase(on, purchases), context, storeParts)
  registerCatalogue(on, context)
  registerEditorial(on, context)
  const cache = new PictureCache({
    folder: folders.pictures,
    maxBytes: settings.IMAGE_CACHE_MB * 1_000_000,
    now: () => clock.now(),
  })
  const pictures = new Pictures({ store: images, cache, semaphore: new Semaphore(PICTURES_AT_ONCE), log })
  registerAppLinks(app, settings)
  registerImages(app, on, context, pictures, new Icons(folders.icons, log))
  const trackSets = createTrackSetStore(db)
  const air = createChannelAir(db, trackSets, context.connection.changes)
  const recordingParts = { db, log, settings, configurations, air, onSettling: announcerOf(context) }
  const demonstration = new Demonstration(context, orderParts, recordingParts)
  registerLibrary(on, demonstration)
  registerChannels(on, context)
  registerLists(on, context)
  registerGuide(on, context)
  registerRecordings(on, context, recordingParts)
  const drmProvider = openDrmProvider(settings)
  const liveBreaks = createLiveBreaks(context, trackSets)
  const playbackParts = {
    sessions: createSessionReader(keys, (signIn) => endedSignIns.has(signIn)),
    trackSets,
    air,
    manifests: createManifests(trackSets, air, liveBreaks, drmProvider),
    liveBreaks,
    relays: createRelays(keys, settings.OUTBOUND_ALLOW),
    concurrencyLimit: new ConcurrencyLimit(context),
    recordings: recordingParts,
    drmProvider,
  }
  registerAds(on, context)
  registerPlayback(on, context, playbackParts)
  registerPlay(app, context, playbackParts)
  registerDownloads(on, context, playbackParts)
  registerCasting(app, on, context, playbackParts)
  const pushKeys = pushKeysOf(db)
  registerPush(on, { configurations, settings, keysOf: pushKeys })
  registerMedia(app, context, trackSets)
  const liveInputs = new LiveInputs(context)
  const stopSweeping = sweepRegularly(air, clock)
  app.addHook('onClose', async () => stopSweeping())
  registerPublication(app, onInside, context)
  registerMenus(on, menus)
  registerTexts(on, context.texts)
  registerScores(on, context)
  registerReviewSummaries(on, context)
  registerSearch(on, context)
  answerUnknownOperations(app)
  if (options.pages) {
    await app.register(pages, {
      application: options.pages,
      inside,
      clock,
      cacheSeconds: settings.CATALOGUE_CACHE_SECONDS,
      frames: subscriptionService ? [new URL(subscriptionService.checkoutUrl).origin] : [],
      storefrontOf: (request, reply) => {
        const { storefront, isForAll } = storefrontOfPage(storefronts, request, reply)
        const { id, apiKey } = storefront
        return {
          apiKey,
          isForAll,
          configuration: configurations.state(id).page,
          wordsIn: (language) => words.state(id, language),
          site: siteOriginOf(context, request),
        }
      },
    })
  }

  if (roles.has('worker')) registerCopyMetrics(metrics.registry, db)
  const startWorker = async (): Promise<void> => {
    if (settings.DEMO) demonstration.start(background.signal)
    await Promise.all([
      startLibraryJobs(context, {
        onReady: async () => {
          await requestSchedules(context)
          await demonstration.buy()
        },
      }),
      startChannelJobs(context),
      startGuideJobs(context).then(async () => await startListJobs(context)),
      startKeyJobs(context),
      startSignInJobs(context, SESSION_SECONDS),
      startPlayingJobs(context),
      startAdJobs(context),
      startPushJobs(context, pushKeys).then(
        async () => await startRecordingJobs(context, recordingParts, { mail, originOf }),
      ),
      startCopyJobs(context, { ...context, air, freeBytes, now: () => clock.now() }),
      startOrderJobs(jobs, orderParts),
      startSubscriptionJobs(jobs, orderParts),
      serviceParts && startServiceJobs(jobs, serviceParts),
      stripe && startStripeJobs(jobs, stripe),
      startReceiptJobs(jobs, { db, clock, mail }),
      startStorePurchaseJobs(jobs, storeParts),
      sandbox?.start(),
      startMailJobs(context, openPost(settings, clock), async (id) => {
        const receipt = await findReceipt(db, id)
        return receipt && (await receiptFile(db, receipt))
      }),
    ])
  }

  const answering = roles.has('web') ? app : await createHttp(http)
  if (answering !== app) registerHealth(answering, health)
  return {
    app: answering,
    context,
    start: () => {
      if (roles.has('web')) context.searchMemory.warm()
      Promise.all([
        roles.has('worker') && startWorker(),
        roles.has('ingest') && liveInputs.start(background.signal),
      ]).catch((error: unknown) => log.fatal({ err: error }, 'the background work could not start'))
    },
    close: async () => {
      background.abort(new Error('the service ends'))
      const closeHttp = async () => {
        await answering.close()
        if (answering !== app) await app.close()
      }
      // Close both at once. Pending answers may outlast the shutdown limit, and a live input that is still open
      // then loses a segment.
      await Promise.all([closeHttp(), liveInputs.close()])
      await jobs.stop()
      await tracing.close()
      await segments.close()
      await connection.close()
    },
  }
}
