import { join } from 'node:path'
import type { ImportItem } from '@ondine/contract/library'
import { eventAt, writeEvent } from '@ondine/demo/event'
import { filmKey } from '@ondine/demo/film-order'
import type { LibraryProgress } from '@ondine/demo/make-library'
import type { Title } from '@ondine/demo/title'
import type { Context } from '../../../context.ts'
import { queueImports } from '../../content/library/import-queue.service.ts'
import { takeLibrary } from '../../content/library/library.service.ts'
import { putChannelsInPackage } from '../../rights/entitlements/packages.service.ts'
import type { StorefrontRow } from '../../settings/storefronts/storefronts.service.ts'
import { importChannels } from '../../television/schedule/channel-import.service.ts'
import { requestSchedules } from '../../television/schedule/schedule.service.ts'
import { prepareAds } from '../../viewing/ads/ads.service.ts'
import type { RecordingParts } from '../../viewing/recordings/recordings.service.ts'
import {
  DEMONSTRATION_ACCOUNTS,
  DEMONSTRATION_PARENTAL_CODE,
  DEMONSTRATION_PASSWORD,
  type DemonstrationPackage,
  ensureDemonstrationAccounts,
} from './demonstration-accounts.ts'
import { sellDemonstration } from './demonstration-offers.ts'
import { promoteDemonstration } from './demonstration-promotion.ts'
import { DemonstrationPurchases, type PurchaseParts } from './demonstration-purchases.ts'
import { DemonstrationRecordings } from './demonstration-recordings.ts'
import { DEMONSTRATION_FOLDER, ensureDemonstrationStorefronts } from './demonstration-storefronts.ts'
import { DemonstrationTelevision } from './demonstration-television.ts'
import { takeDemonstrationTexts } from './demonstration-texts.ts'
import { showProgress } from './show-progress.ts'

/** The demonstration: accounts, and a library that is generated and imported film by film. */
export class Demonstration {
  readonly #context: Context
  readonly #purchases: DemonstrationPurchases
  readonly #recordings: DemonstrationRecordings
  /** The live channel; undefined if the demonstration has none. */
  readonly #television: DemonstrationTelevision | undefined
  #storefronts: readonly StorefrontRow[] = []
  #titles: readonly Title[] = []
  #making: LibraryProgress | undefined
  /** Ids of titles whose films are all imported, and keys of the imported films of other titles. */
  readonly #taken = new Set<string>()

  constructor(context: Context, parts: PurchaseParts, recordingParts: RecordingParts) {
    this.#context = context
    this.#purchases = new DemonstrationPurchases(context, parts)
    this.#recordings = new DemonstrationRecordings(context, recordingParts)
    this.#television = context.settings.DEMO_LIVE ? new DemonstrationTelevision(context) : undefined
  }

  /**
   * Starts the demonstration in the background. Existing media is not generated again. Interrupted work continues.
   */
  start(signal: AbortSignal): void {
    console.log('\nAccounts of the demonstration:')
    for (const { email, is } of DEMONSTRATION_ACCOUNTS) {
      console.log(`  ${email.padEnd(24)} ${DEMONSTRATION_PASSWORD}   ${is}`)
    }
    console.log(`\nParental code of each account: ${DEMONSTRATION_PARENTAL_CODE}`)
    console.log('\nA second storefront with the same films: add ?storefront=nocturne to the address.\n')
    this.#run(signal).catch((error: unknown) => {
      if (!signal.aborted)
        this.#context.log.error({ err: error }, 'the demonstration library could not be generated')
    })
    showProgress(this.#context, this.coming, signal)
  }

  /** Returns the films, episodes and trailers that are not generated yet, in the form of imports. */
  readonly coming = (): ImportItem[] => {
    const { title: current = '', percent = 0 } = this.#making ?? {}
    return this.#titles
      .filter(({ id }) => !this.#taken.has(id))
      .flatMap(({ title, kind, ...rest }, index) => {
        const isCurrent = title === current
        const files: { kind: ImportItem['kind']; episode?: number }[] =
          kind === 'series' && 'episodes' in rest
            ? [
                ...rest.episodes.map((_, episode) => ({ kind: 'episode' as const, episode })),
                { kind: 'trailer' },
              ]
            : [{ kind: 'film' }, { kind: 'trailer' }]
        const open = files.filter((file) => !this.#taken.has(filmKey({ titleId: rest.id, ...file })))
        return open.map(({ kind: file }, place) => ({
          id: -1000 * (index + 1) - place - 1,
          title,
          kind: file,
          state: isCurrent ? ('making' as const) : ('waiting' as const),
          // This percentage covers the generation only. The import takes longer, and its percentage starts at 0
          // again.
          percent: isCurrent ? percent : 0,
          secondsLeft: null,
          reason: null,
        }))
      })
  }

  /** Returns the seconds until all titles are generated; null while unknown. */
  readonly secondsLeft = (): number | null => {
    const seconds = this.#making?.secondsLeft ?? null
    return seconds === null ? null : Math.round(seconds)
  }

  /**
   * Makes the purchases that wait for titles. Called when a title becomes playable. Does nothing without a
   * demonstration.
   */
  readonly buy = async (): Promise<void> => await this.#purchases.buy(this.#storefronts)

  async #run(signal: AbortSignal): Promise<void> {
    const { settings, folders } = this.#context
    const storefronts = await ensureDemonstrationStorefronts(this.#context)
    takeDemonstrationTexts(this.#context, storefronts, signal).catch((error: unknown) => {
      if (!signal.aborted)
        this.#context.log.error({ err: error }, 'the texts of the demonstration could not be imported')
    })
    const packages = await ensureDemonstrationAccounts(this.#context, storefronts)
    await sellDemonstration(this.#context)
    await promoteDemonstration(this.#context)
    this.#storefronts = storefronts
    // Not awaited, because the library does not depend on the purchases.
    const buying = this.buy()
    await this.#startTelevision(packages.channels, signal)
    const [{ makeLibrary }, { CATALOGUE }] = await Promise.all([
      import('@ondine/demo/make-library'),
      import('@ondine/demo/catalogue'),
    ])
    const only = settings.DEMO_TITLES?.split(',')
    const folder = join(folders.library, DEMONSTRATION_FOLDER)

    // The order of imports: films from earlier runs, then all titles with their artwork, then each film as soon as
    // it is complete.
    let known = -1
    let running: Promise<void> | undefined
    let latest: readonly string[] = []
    const take = async () => {
      for (let last: number | undefined; last !== known && !signal.aborted; ) {
        last = known
        const ids = latest
        await this.#take(folder, packages, signal)
        for (const id of ids) this.#taken.add(id)
      }
    }
    // Films that become ready during an import are imported in the next round.
    const takeWhatIsReady = (step: number, ready: readonly string[]) => {
      if (step === known) return
      known = step
      latest = ready
      running ??= take()
        .catch((error: unknown) => {
          // Only log the failure, so that the next film is imported anyway.
          if (!signal.aborted)
            this.#context.log.error({ err: error }, 'the demonstration library could not be imported')
        })
        .finally(() => {
          running = undefined
        })
    }
    const { made, kept } = await makeLibrary({
      folder,
      signal,
      ...(only ? { only } : {}),
      ...(settings.DEMO_SECONDS ? { secondsPerFilm: settings.DEMO_SECONDS } : {}),
      spotsAt: DEMONSTRATION_FOLDER,
      onSpots: () => this.#prepareAds(storefronts),
      onKept: (ids) => {
        // An earlier run generated and imported these titles, so they are not in the list of coming films.
        for (const id of ids) this.#taken.add(id)
        this.#titles = CATALOGUE.filter(({ id }) => only?.includes(id) ?? true)
      },
      onProgress: (progress) => {
        this.#making = progress
        takeWhatIsReady(progress.step, [...progress.ready, ...progress.films])
      },
    })
    takeWhatIsReady(Number.POSITIVE_INFINITY, [...made, ...kept])
    await running
    await buying
  }

  /** Prepares the advertisements, so that the first film can show them. */
  #prepareAds(storefronts: readonly StorefrontRow[]): void {
    const { clock, log } = this.#context
    for (const { id } of storefronts)
      prepareAds(this.#context, id, clock.now()).catch((error: unknown) =>
        log.error({ err: error }, 'the advertisements of the demonstration could not be prepared'),
      )
  }

  /** Starts the live channel and makes the recordings. A failure does not stop the import of the library. */
  async #startTelevision(packageId: number, signal: AbortSignal): Promise<void> {
    if (!this.#television) return
    try {
      await this.#television.start(packageId, signal)
      this.#recordings.start(this.#storefronts, signal)
    } catch (error) {
      if (!signal.aborted)
        this.#context.log.error({ err: error }, 'the live channel of the demonstration could not be started')
    }
  }

  async #take(
    folder: string,
    packages: Record<DemonstrationPackage, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const { db, clock } = this.#context
    await writeEvent(folder, eventAt(clock.now()))
    const { problems } = await takeLibrary(this.#context, folder, {
      signal,
      packages,
      announcesEmpty: true,
    })
    for (const problem of problems)
      this.#context.log.warn(problem, 'a file of the demonstration library was left out')
    await sellDemonstration(this.#context)
    await queueImports(this.#context)
    const { channelIds } = await importChannels(this.#context, join(folder, 'Channels', 'channels.json'))
    await putChannelsInPackage(db, packages.channels, channelIds)
    await requestSchedules(this.#context)
    await this.#television?.useLibrary(folder, signal)
  }
}
