import type { PGlite } from '@electric-sql/pglite'
import { OPERATIONS } from '@ondine/contract/all'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, wallClock } from './clock.ts'
import type { Context } from './context.ts'
import type { Settings } from './env.ts'
import { registerCatalogue } from './features/content/catalogue/catalogue.routes.ts'
import { registerFavourites } from './features/content/favourites/favourites.routes.ts'
import { startLibraryJobs } from './features/content/library/library.jobs.ts'
import { registerLibrary } from './features/content/library/library.routes.ts'
import { registerReviewSummaries } from './features/content/review-summaries/review-summaries.routes.ts'
import { registerScores } from './features/content/scores/scores.routes.ts'
import { createTrackSetStore } from './features/inventory/track-sets/track-sets.service.ts'
import { Demonstration } from './features/operation/demonstration/demonstration.service.ts'
import { closeDemonstrationAccounts } from './features/operation/demonstration/demonstration-accounts.ts'
import { registerStorefronts } from './features/operation/operated-storefronts/storefronts.routes.ts'
import { sharedRateLimit } from './features/people/attempts/rate-limits.service.ts'
import { registerDevices } from './features/people/devices/devices.routes.ts'
import { Mail, startMailJobs } from './features/people/mail/mail.service.ts'
import { openPost } from './features/people/mail/mailer.ts'
import { registerPairing } from './features/people/pairing/pairing.routes.ts'
import { registerParental } from './features/people/parental/parental.routes.ts'
import { grownUpRule, requireProof } from './features/people/parental/parental.service.ts'
import { registerProfiles } from './features/people/profiles/profiles.routes.ts'
import { registerAccountCalls } from './features/people/registration/account-calls.routes.ts'
import { registerAccounts } from './features/people/registration/accounts.routes.ts'
import { startRegistrationJobs } from './features/people/registration/registration-jobs.ts'
import { Sessions } from './features/people/sign-in/sessions.service.ts'
import { startSignInJobs } from './features/people/sign-in/sign-in-jobs.ts'
import { renewTokenLifetime } from './features/people/sign-in/token-lifetimes.ts'
import { registerSignOn } from './features/people/sign-on/sign-on.routes.ts'
import { SignOn } from './features/people/sign-on/sign-on.service.ts'
import { registerAccounting } from './features/rights/accounting/accounting.routes.ts'
import { registerOperatedOrders } from './features/rights/orders/operated-orders.routes.ts'
import { startOrderJobs } from './features/rights/orders/order-jobs.ts'
import { registerOrders } from './features/rights/orders/orders.routes.ts'
import { openCheckout } from './features/rights/orders/orders.service.ts'
import { onPurchase } from './features/rights/orders/purchase-memory.ts'
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
import { openAppStore, openGooglePlay } from './features/rights/store-purchases/open-stores.ts'
import { startStorePurchaseJobs } from './features/rights/store-purchases/store-purchase-jobs.ts'
import { registerStorePurchases } from './features/rights/store-purchases/store-purchases.routes.ts'
import { openStripe } from './features/rights/stripe/open-stripe.ts'
import { startStripeJobs } from './features/rights/stripe/stripe-jobs.ts'
import { openSubscriptionService } from './features/rights/subscription-service/open-subscription-service.ts'
import { registerSubscriptionService } from './features/rights/subscription-service/subscription-service.routes.ts'
import { startServiceJobs } from './features/rights/subscription-service/subscription-service-jobs.ts'
import { registerVouchers } from './features/rights/vouchers/vouchers.routes.ts'
import { registerConfiguration } from './features/settings/configuration/configuration.routes.ts'
import { registerCountries } from './features/settings/countries/countries.routes.ts'
import { startKeyJobs } from './features/settings/keys/keys.jobs.ts'
import { registerMenus } from './features/settings/menus/menus.routes.ts'
import { registerMessages } from './features/settings/messages/messages.routes.ts'
import { operatorOf } from './features/settings/operators/operators.service.ts'
import { storefrontOfPage } from './features/settings/storefronts/page-storefront.ts'
import { registerWords } from './features/settings/words/words.routes.ts'
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
import { registerChannels } from './features/television/channels/channels.routes.ts'
import { registerGuide } from './features/television/guide-import/guide.routes.ts'
import { startGuideJobs } from './features/television/guide-import/guide-jobs.ts'
import { startChannelJobs } from './features/television/schedule/channel-jobs.ts'
import { requestSchedules } from './features/television/schedule/schedule.service.ts'
import { registerAboveLevel } from './features/viewing/above-level/above-level.routes.ts'
import { registerAds } from './features/viewing/ads/ads.routes.ts'
import { startAdJobs } from './features/viewing/ads/ads-jobs.ts'
import { createLiveBreaks } from './features/viewing/ads/live-breaks.service.ts'
import { registerCasting } from './features/viewing/casting/casting.routes.ts'
import { registerDownloads } from './features/viewing/downloads/downloads.routes.ts'
import { registerEditorial } from './features/viewing/editorial/editorial.routes.ts'
import { registerTexts } from './features/viewing/editorial/texts.routes.ts'
import { AppIcons } from './features/viewing/images/app-icons.service.ts'
import { Icons } from './features/viewing/images/icons.ts'
import { registerImages } from './features/viewing/images/images.routes.ts'
import { PictureCache } from './features/viewing/images/picture-cache.ts'
import { PICTURES_AT_ONCE, Pictures } from './features/viewing/images/pictures.service.ts'
import { ConcurrencyLimit } from './features/viewing/playback/concurrency-limit.ts'
import { registerPlay } from './features/viewing/playback/play.routes.ts'
import { registerPlayback } from './features/viewing/playback/playback.routes.ts'
import { startPlayingJobs } from './features/viewing/playback/playing-jobs.ts'
import { registerPublication } from './features/viewing/publication/publication.routes.ts'
import { registerPush } from './features/viewing/push/push.routes.ts'
import { announcerOf, startPushJobs } from './features/viewing/push/push-jobs.ts'
import { pushKeysOf } from './features/viewing/push/push-keys.ts'
import { registerCopyMetrics, startCopyJobs } from './features/viewing/recordings/copy-jobs.ts'
import { startRecordingJobs } from './features/viewing/recordings/recording-jobs.ts'
import { registerRecordings } from './features/viewing/recordings/recordings.routes.ts'
import { registerSearch } from './features/viewing/search/search.routes.ts'
import { startSearchJobs } from './features/viewing/search/search-jobs.ts'
import { registerShop } from './features/viewing/shop/shop.routes.ts'
import { subjectsOf } from './features/viewing/shop/shop.service.ts'
import { registerAppLinks } from './http/app-links.ts'
import { followConnections } from './http/connections.ts'
import { registerDocumentation } from './http/documentation.ts'
import { faultsTo } from './http/faults.ts'
import { type HealthParts, registerHealth } from './http/health.ts'
import { operationsOf } from './http/operations.ts'
import { pages } from './http/pages.ts'
import { Semaphore } from './http/semaphore.ts'
import { answerUnknownOperations, createHttp, type HttpOptions } from './http/server.ts'
import { originOfStorefront, siteOriginOf } from './http/site-origin.ts'
import type { WebApplication } from './http/web-application.ts'
import { registerJobMetrics } from './jobs/job-metrics.ts'
import { untilStarted } from './jobs/until-started.ts'
import { createLog } from './log.ts'
import { openContext } from './open-context.ts'
import { ALL_ROLES, type Roles } from './roles.ts'
import { startFaultReports } from './telemetry/fault-reports.ts'
import { startTracing } from './telemetry/tracing.ts'

/** A running service. */
export interface Service {
  /** The HTTP server. Without the role web, it answers only `/healthz`, `/readyz` and `/metrics`. */
  app: FastifyInstance
  context: Context
  /**
   * Starts the background work of the process's roles: jobs, schedules, the demonstration library and live inputs.
   * Parts that fail to start are logged and tried again.
   */
  start(): void
  /** Stops accepting calls, ends the work in progress and closes the database. */
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
 * Times after which a service that closes ends connections, in milliseconds. Clients that are silent or slow would
 * otherwise delay the end for longer than an orderly shutdown may take (5 seconds). A call that is being answered, such
 * as an order that waits for a payment provider, has longer, because the database is closed after the calls.
 */
const SILENT_END_MS = 2000
const ALL_END_MS = 4000

/** Opens the database and assembles the parts of the service. The service does not listen yet. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { settings, roles = ALL_ROLES, clock = wallClock } = options
  const log = options.log ?? createLog(settings)
  const background = new AbortController()
  const providers = new Map<string, PaymentProvider>()
  const reportFault = startFaultReports(settings.SENTRY_DSN, clock, log)
  const context = await openContext({
    ...options,
    roles,
    clock,
    log,
    reportFault,
    providers,
    signal: background.signal,
  })
  const { connection, db, keys, endedSignIns, storefronts, configurations, menus, words } = context
  const { changes } = connection
  const { jobs, offers, purchases, images, segments, metrics, folders } = context
  // When the operator turns answer caching off, data in memory must not lag behind the database either.
  const exact = settings.CATALOGUE_CACHE_SECONDS === 0
  const tracing = await startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT, log)
  const faultOf = faultsTo(reportFault, (error, { apiKey, hostname, language }) => {
    // The caller of a link or a file sends no API key, so that the host chooses the texts. An unknown storefront has
    // those of the first one.
    const named = apiKey === undefined ? storefronts.ofHost(hostname) : storefronts.of(apiKey)
    const { id } = named ?? storefronts.first()
    return words.errorText(id, language, error)
  })
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
    isListening: () => changes.isListening,
    // With an external PostgreSQL, a full disk stops only imports.
    hasRoom: async () =>
      connection.kind === 'postgresql' || (await context.freeBytes(settings.DATA_DIR)) >= ROOM_BYTES,
  }
  registerHealth(app, health)
  await registerDocumentation(app, OPERATIONS)
  const mail = new Mail(jobs)
  await mail.open()
  const signOn = new SignOn(context)
  registerAccounts(app, on, context, signOn)
  registerSignOn(app, on, context, signOn)
  const passwordLimit = sharedRateLimit(app, context, 'password', { max: settings.SIGN_IN_ATTEMPTS })
  registerAccountCalls(app, on, context, { mail, passwordLimit })
  const sessions = new Sessions(context)
  registerProfiles(on, context, {
    requireProof: async (tx, accountId, proof) => await requireProof({ db: tx, keys }, accountId, proof),
    watch: async (...watching) => await sessions.watch(...watching),
  })
  registerParental(on, context, { mail, passwordLimit })
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
  registerPayments(app, context, providers, async (changed) => await settlePayment(orderParts, changed))
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
    sessions: createSessionReader(keys, endedSignIns),
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
  registerPush(on, { configurations, keysOf: pushKeys })
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
    const appIcons = new AppIcons(context)
    await app.register(pages, {
      application: options.pages,
      inside,
      clock,
      cacheSeconds: settings.CATALOGUE_CACHE_SECONDS,
      appIconPng: async (look) => await appIcons.png(look),
      frames: subscriptionService ? [new URL(subscriptionService.checkoutUrl).origin] : [],
      storefrontOf: (request, reply) => {
        const { storefront, isForAll } = storefrontOfPage(storefronts, request, reply)
        const { id, apiKey } = storefront
        return {
          apiKey,
          isForAll,
          configuration: configurations.state(id).page,
          wordsIn: (language) => {
            const { pageTexts, address } = words.state(id, language)
            return { texts: pageTexts, address }
          },
          menuPictures: menus.picturesOf(id),
          site: siteOriginOf(context, request),
        }
      },
    })
  }

  if (roles.has('worker')) {
    registerCopyMetrics(metrics.registry, db)
    registerJobMetrics(metrics.registry, jobs)
  }
  const startSurely = async (part: string, start: () => Promise<void>): Promise<void> =>
    await untilStarted(part, start, { log, signal: background.signal })
  const startWorker = (): void => {
    if (settings.DEMO) demonstration.start(background.signal)
    else void startSurely('demonstration', async () => await closeDemonstrationAccounts(context))
    const onReady = async (): Promise<void> => {
      await requestSchedules(context)
      await demonstration.buy()
    }
    const post = openPost(settings, clock)
    const parts: Record<string, () => Promise<void>> = {
      library: async () => await startLibraryJobs(context, { onReady }),
      channels: async () => await startChannelJobs(context),
      keys: async () => await startKeyJobs(context),
      registrations: async () => await startRegistrationJobs(context),
      'sign-ins': async () => await startSignInJobs(context, SESSION_SECONDS),
      sessions: async () => await startPlayingJobs(context),
      ads: async () => await startAdJobs(context),
      copies: async () => await startCopyJobs(context, { ...context, air, now: () => clock.now() }),
      orders: async () => await startOrderJobs(jobs, orderParts),
      renewals: async () => await startSubscriptionJobs(jobs, orderParts),
      receipts: async () => await startReceiptJobs(jobs, { db, clock, mail }),
      'store purchases': async () => await startStorePurchaseJobs(jobs, storeParts),
      'e-mails': async () =>
        await startMailJobs(context, post, async (id) => {
          const receipt = await findReceipt(db, id)
          return receipt && (await receiptFile(db, receipt))
        }),
      ...(serviceParts && {
        'subscription service': async () => await startServiceJobs(jobs, serviceParts),
      }),
      ...(stripe && { Stripe: async () => await startStripeJobs(jobs, stripe) }),
      ...(sandbox && { sandbox: sandbox.start }),
      'search words': async () => await startSearchJobs(context),
    }
    for (const [part, start] of Object.entries(parts)) void startSurely(part, start)
    void startSurely('guides', async () => await startGuideJobs(context)).then(
      async () => await startSurely('lists', async () => await startListJobs(context)),
    )
    void startSurely('notifications', async () => await startPushJobs(context, pushKeys)).then(
      async () =>
        await startSurely('recordings', async () => {
          await startRecordingJobs(context, recordingParts, { mail, originOf })
        }),
    )
  }

  const answering = roles.has('web') ? app : await createHttp(http)
  if (answering !== app) registerHealth(answering, health)
  const connections = followConnections(answering.server)
  return {
    app: answering,
    context,
    start: () => {
      if (roles.has('web')) {
        context.searchMemory.warm()
        renewTokenLifetime(context, background.signal)
      }
      if (roles.has('worker')) startWorker()
      if (roles.has('ingest'))
        void startSurely('live inputs', async () => await liveInputs.start(background.signal))
    },
    close: async () => {
      background.abort(new Error('the service ends'))
      const closeHttp = async () => {
        const silent = setTimeout(connections.endSilent, SILENT_END_MS)
        const all = setTimeout(() => answering.server.closeAllConnections(), ALL_END_MS)
        await answering.close()
        clearTimeout(silent)
        clearTimeout(all)
        if (answering !== app) await app.close()
        // The collector may not answer, so the rest does not wait for it.
        return { traces: tracing.close() }
      }
      // Close all at once. Jobs and pending answers may each take most of the shutdown limit. A live input that is
      // still open at the limit loses a segment.
      const [{ traces }] = await Promise.all([closeHttp(), liveInputs.close(), jobs.stop()])
      await segments.close()
      await connection.close()
      await traces
    },
  }
}
