import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { OPERATIONS } from '@ondine/contract/all'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, wallClock } from './clock.ts'
import type { Context } from './context.ts'
import { openDatabase } from './database/connection.ts'
import { refreshOn } from './database/refresh.ts'
import type { Settings } from './env.ts'
import { registerAccounting } from './features/accounting/accounting.routes.ts'
import { registerAccountCalls } from './features/accounts/account-calls.routes.ts'
import { registerAccounts } from './features/accounts/accounts.routes.ts'
import { EndedSignIns } from './features/accounts/ended-sign-ins.ts'
import { startSignInJobs } from './features/accounts/sign-in-jobs.ts'
import { registerCatalogue } from './features/catalogue/catalogue.routes.ts'
import { CatalogueMemory } from './features/catalogue/catalogue-memory.ts'
import { requestSchedules, startChannelJobs } from './features/channels/channel-jobs.ts'
import { ChannelMemory } from './features/channels/channel-memory.ts'
import { registerChannels } from './features/channels/channels.routes.ts'
import { GuideMemory } from './features/channels/guide-memory.ts'
import { startListJobs } from './features/channels/list-jobs.ts'
import { registerLists } from './features/channels/lists.routes.ts'
import { ShowingMemory } from './features/channels/showing-memory.ts'
import { registerConfiguration } from './features/configuration/configuration.routes.ts'
import { Configurations } from './features/configuration/configuration.service.ts'
import { registerCountries } from './features/countries/countries.routes.ts'
import { Demonstration } from './features/demonstration/demonstration.service.ts'
import { registerDevices } from './features/devices/devices.routes.ts'
import { DocumentStore } from './features/documents/documents.service.ts'
import { ArticleWords } from './features/editorial/article-words.ts'
import { registerEditorial } from './features/editorial/editorial.routes.ts'
import { registerTexts } from './features/editorial/texts.routes.ts'
import { Texts } from './features/editorial/texts.service.ts'
import { rememberViewers } from './features/entitlements/viewers.ts'
import { registerFavourites } from './features/favourites/favourites.routes.ts'
import { rememberFavourites } from './features/favourites/kept.ts'
import { registerGuide } from './features/guide/guide.routes.ts'
import { startGuideJobs } from './features/guide/guide-jobs.ts'
import { Icons } from './features/images/icons.ts'
import { registerImages } from './features/images/images.routes.ts'
import { PictureCache } from './features/images/picture-cache.ts'
import { PICTURES_AT_ONCE, Pictures } from './features/images/pictures.service.ts'
import { startKeyJobs } from './features/keys/keys.jobs.ts'
import { loadTokenKeys } from './features/keys/keys.service.ts'
import { startLibraryJobs } from './features/library/library.jobs.ts'
import { progressByAsset } from './features/library/library.repository.ts'
import { registerLibrary } from './features/library/library.routes.ts'
import { Mail, startMailJobs } from './features/mail/mail.service.ts'
import { openPost } from './features/mail/postman.ts'
import { registerMessages } from './features/messages/messages.routes.ts'
import { OfferBook } from './features/offers/offer-book.ts'
import { operatorOf } from './features/operators/operators.service.ts'
import { openCheckout } from './features/orders/open-checkout.ts'
import { registerOperatedOrders } from './features/orders/operated-orders.routes.ts'
import { startOrderJobs } from './features/orders/order-jobs.ts'
import { registerOrders } from './features/orders/orders.routes.ts'
import { onPurchase, PurchaseMemory } from './features/orders/purchase-memory.ts'
import { startSubscriptionJobs } from './features/orders/renewal-jobs.ts'
import { settlePayment } from './features/orders/settle-order.ts'
import { registerSubscriptions } from './features/orders/subscriptions.routes.ts'
import { registerPairing } from './features/pairing/pairing.routes.ts'
import { grownUpRule } from './features/parental/grown-ups.ts'
import { registerParental } from './features/parental/parental.routes.ts'
import { registerDashboard } from './features/payments/dashboard.routes.ts'
import type { PaymentProvider } from './features/payments/payment-provider.ts'
import { registerPayments } from './features/payments/payments.routes.ts'
import { registerPlayback } from './features/playback/playback.routes.ts'
import { startPlayingJobs } from './features/playback/playing-jobs.ts'
import { rememberPositions } from './features/playback/positions.ts'
import { registerProfiles } from './features/profiles/profiles.routes.ts'
import { registerMenus } from './features/publication/menus.routes.ts'
import { Menus } from './features/publication/menus.ts'
import { registerPublication } from './features/publication/publication.routes.ts'
import { receiptFile } from './features/receipts/receipt-file.ts'
import { startReceiptJobs } from './features/receipts/receipt-jobs.ts'
import { registerReceipts } from './features/receipts/receipts.routes.ts'
import { findReceipt } from './features/receipts/receipts.service.ts'
import { registerReviewSummaries } from './features/review-summaries/review-summaries.routes.ts'
import { openSandbox } from './features/sandbox/open-sandbox.ts'
import { registerScores } from './features/scores/scores.routes.ts'
import { registerSearch } from './features/search/search.routes.ts'
import { SearchMemory } from './features/search/search-memory.ts'
import { registerShop } from './features/shop/shop.routes.ts'
import { subjectsOf } from './features/shop/shop.service.ts'
import { registerSignOn } from './features/sign-on/sign-on.routes.ts'
import { SignOn } from './features/sign-on/sign-on.service.ts'
import { openAppStore, openGooglePlay } from './features/store-purchases/open-stores.ts'
import { startStorePurchaseJobs } from './features/store-purchases/store-purchase-jobs.ts'
import { registerStorePurchases } from './features/store-purchases/store-purchases.routes.ts'
import { storefrontOfPage } from './features/storefronts/page-storefront.ts'
import { originOfStorefront, siteOriginOf } from './features/storefronts/site-origin.ts'
import { registerStorefronts } from './features/storefronts/storefronts.routes.ts'
import { Storefronts } from './features/storefronts/storefronts.service.ts'
import { reportStores } from './features/stores/stores.service.ts'
import { openStripe } from './features/stripe/open-stripe.ts'
import { startStripeJobs } from './features/stripe/stripe-jobs.ts'
import { openSubscriptionService } from './features/subscription-service/open-subscription-service.ts'
import { registerSubscriptionService } from './features/subscription-service/subscription-service.routes.ts'
import { startServiceJobs } from './features/subscription-service/subscription-service-jobs.ts'
import { registerVouchers } from './features/vouchers/vouchers.routes.ts'
import { registerWords } from './features/words/words.routes.ts'
import { Words } from './features/words/words.service.ts'
import { registerDocumentation } from './http/documentation.ts'
import { faultsTo } from './http/faults.ts'
import { registerHealth } from './http/health.ts'
import { operationsOf } from './http/operations.ts'
import { pages } from './http/pages.ts'
import { answerUnknownOperations, createHttp } from './http/server.ts'
import { Turns } from './http/turns.ts'
import { openImageStore } from './ingest/images.ts'
import { startJobQueue } from './jobs/queue.ts'
import { createLog } from './log.ts'
import { startFaultReports } from './telemetry/fault-reports.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { startTracing } from './telemetry/tracing.ts'

/** A running service. */
export interface Service {
  app: FastifyInstance
  context: Context
  /** Starts the background work: jobs, schedules and the demonstration library. */
  start(): void
  /** Stops accepting calls, ends running work and closes the database, within 5 seconds. */
  close(): Promise<void>
}

export interface ServiceOptions {
  settings: Settings
  clock?: Clock
  log?: FastifyBaseLogger
  /** A ready embedded database, for tests. */
  pglite?: PGlite
  /** Folder of the built web application. Without it, the service answers calls only. */
  pages?: string
  /** Returns the free bytes on the disk of a folder, for tests. */
  freeBytes?: (folder: string) => Promise<number>
  /** Validate answers against the contract, for tests. */
  checkAnswers?: boolean
}

/** With less free space than this, in bytes, the embedded database cannot write for long. */
const ROOM_BYTES = 32 * 1024 ** 2

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Opens the database and assembles the parts. It does not listen yet. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { settings, clock = wallClock, freeBytes = freeBytesOf } = options
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

  const connection = await openDatabase({ ...settings, ...(options.pglite && { pglite: options.pglite }) })
  const { db, changes } = connection
  // If answers are not cached, data in memory must not lag behind the database either.
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
  // They were loaded before the listeners were registered. Another process may have changed them in between.
  await Promise.all([keys.refresh(), storefronts.refresh(), documents.refresh()])
  const menus = new Menus(documents, log)
  const configurations = new Configurations(documents, log, (id) => storefronts.nameOf(id))
  const words = new Words(documents, configurations, (id) => storefronts.apiKeyOf(id), log)
  const metrics = createMetrics()
  const tracing = await startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT)
  const images = openImageStore(folders.images)
  const purchases = new PurchaseMemory(db, changes)
  const providers = new Map<string, PaymentProvider>()
  const context: Context = {
    settings,
    log,
    clock,
    connection,
    db,
    keys,
    endedSignIns,
    storefronts,
    documents,
    configurations,
    menus,
    texts: new Texts(db, documents, clock, log),
    words,
    jobs,
    offers,
    purchases,
    providers,
    images,
    metrics,
    viewers: rememberViewers(db, changes, configurations),
    catalogue: {
      memory: new CatalogueMemory(db, offers, changes, log, exact),
      channels: new ChannelMemory(db, changes),
      showings: new ShowingMemory(db, changes),
      guide: new GuideMemory(db, changes),
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
  const app = await createHttp({
    log,
    trustProxy: settings.TRUST_PROXY,
    isPublicOverHttps: settings.PUBLIC_URL?.startsWith('https:') ?? false,
    origins: [...settings.APP_ORIGINS, ...(settings.PUBLIC_URL ? [new URL(settings.PUBLIC_URL).origin] : [])],
    overloadDelayMs: settings.OVERLOAD_DELAY_MS,
    tracing,
    metrics,
    faultOf,
  })
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
  registerHealth(app, {
    metrics,
    ping: connection.ping,
    // With an external PostgreSQL, a full disk stops only imports.
    hasRoom: async () =>
      connection.kind === 'postgresql' || (await freeBytes(settings.DATA_DIR)) >= ROOM_BYTES,
  })
  await registerDocumentation(app, OPERATIONS)
  const mail = new Mail(jobs)
  await mail.open()
  const signOn = new SignOn(context)
  registerAccounts(app, on, context, signOn)
  registerSignOn(app, on, context, signOn)
  registerAccountCalls(app, on, context, mail)
  registerProfiles(on, context)
  registerParental(on, context)
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
  const pictures = new Pictures({ store: images, cache, turns: new Turns(PICTURES_AT_ONCE), log })
  registerImages(app, on, context, pictures, new Icons(folders.icons, log))
  const demonstration = new Demonstration(context, orderParts)
  registerLibrary(on, demonstration)
  registerChannels(on, context)
  registerLists(on, context)
  registerGuide(on, context)
  registerPlayback(app, on, context)
  registerPublication(app, onInside, context)
  registerMenus(on, menus)
  registerTexts(on, context.texts)
  registerScores(on, context)
  registerReviewSummaries(on, context)
  registerSearch(on, context)
  answerUnknownOperations(app)
  if (options.pages) {
    await app.register(pages, {
      dist: options.pages,
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

  return {
    app,
    context,
    start: () => {
      if (settings.DEMO) demonstration.start(background.signal)
      context.searchMemory.warm()
      Promise.all([
        startLibraryJobs(context, {
          onReady: async () => {
            await requestSchedules(context)
            await demonstration.buy()
          },
        }),
        startChannelJobs(context),
        startGuideJobs(context).then(async () => await startListJobs(context)),
        startKeyJobs(context),
        startSignInJobs(context),
        startPlayingJobs(context),
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
      ]).catch((error: unknown) => log.fatal({ err: error }, 'the background work could not start'))
    },
    close: async () => {
      background.abort(new Error('the service ends'))
      await app.close()
      await jobs.stop()
      await tracing.close()
      await connection.close()
    },
  }
}
