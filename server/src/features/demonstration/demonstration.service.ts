import { join } from 'node:path'
import type { ImportItem } from '@ondine/contract/imports'
import type { LibraryProgress } from '@ondine/demo/make-library'
import type { Title } from '@ondine/demo/title'
import type { Context } from '../../context.ts'
import { requestSchedules } from '../channels/channel-jobs.ts'
import { importChannels } from '../channels/import-channels.ts'
import { putChannelInPackage } from '../entitlements/packages.service.ts'
import { queueImports } from '../library/library.jobs.ts'
import { takeLibrary } from '../library/library.service.ts'
import {
  DEMONSTRATION_ACCOUNTS,
  DEMONSTRATION_PASSWORD,
  type DemonstrationPackage,
  ensureDemonstrationAccounts,
} from './demonstration-accounts.ts'
import { ensureDemonstrationStorefronts } from './demonstration-storefronts.ts'
import { takeDemonstrationTexts } from './demonstration-texts.ts'
import { showProgress } from './show-progress.ts'

/** The demonstration: its accounts, and its library, which is made and taken in film by film. */
export class Demonstration {
  readonly #context: Context
  #titles: readonly Title[] = []
  #making: LibraryProgress | undefined
  /** Ids of the titles that stand in the catalogue. */
  readonly #taken = new Set<string>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Begins, in the background. What is there is not made again; what was interrupted goes on. */
  start(signal: AbortSignal): void {
    console.log('\nAccounts of the demonstration:')
    for (const { email, is } of DEMONSTRATION_ACCOUNTS) {
      console.log(`  ${email.padEnd(24)} ${DEMONSTRATION_PASSWORD}   ${is}`)
    }
    console.log('\nA second storefront with the same films: add ?storefront=nocturne to the address.\n')
    this.#run(signal).catch((error: unknown) => {
      if (!signal.aborted)
        this.#context.log.error({ err: error }, 'the demonstration library could not be made')
    })
    showProgress(this.#context, this.coming, signal)
  }

  /** What has still to be made before it can be taken in. */
  readonly coming = (): ImportItem[] => {
    const { title: current = '', percent = 0 } = this.#making ?? {}
    return this.#titles
      .filter(({ id }) => !this.#taken.has(id))
      .flatMap(({ title, kind, ...rest }, index) => {
        const isCurrent = title === current
        const files: ImportItem['kind'][] =
          kind === 'series' && 'episodes' in rest
            ? [...rest.episodes.map(() => 'episode' as const), 'trailer']
            : ['film', 'trailer']
        return files.map((file, place) => ({
          id: -1000 * (index + 1) - place - 1,
          title,
          kind: file,
          state: isCurrent ? ('making' as const) : ('waiting' as const),
          // Of a file's way, making it is the smaller half; its import begins at 0 again.
          percent: isCurrent ? percent : 0,
          secondsLeft: null,
          reason: null,
        }))
      })
  }

  /** Seconds until all titles are made; null while that is not known. */
  readonly secondsLeft = (): number | null => {
    const seconds = this.#making?.secondsLeft ?? null
    return seconds === null ? null : Math.round(seconds)
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { settings, folders } = this.#context
    const storefronts = await ensureDemonstrationStorefronts(this.#context)
    takeDemonstrationTexts(this.#context, storefronts, signal).catch((error: unknown) => {
      if (!signal.aborted)
        this.#context.log.error({ err: error }, 'the texts of the demonstration could not be taken in')
    })
    const packages = await ensureDemonstrationAccounts(this.#context, storefronts)
    const [{ makeLibrary }, { CATALOGUE }] = await Promise.all([
      import('@ondine/demo/make-library'),
      import('@ondine/demo/catalogue'),
    ])
    const only = settings.DEMO_TITLES?.split(',')
    const folder = join(folders.library, 'demonstration')

    // What was made before is taken in at once; afterwards each title as soon as it is complete.
    let known = -1
    let taking = Promise.resolve()
    const takeAfter = async (before: Promise<void>, ids: readonly string[]) => {
      // One that failed is in the log, and does not keep the next one away.
      await Promise.allSettled([before])
      await this.#take(folder, packages, signal)
      for (const id of ids) this.#taken.add(id)
    }
    const takeWhatIsReady = (ready: readonly string[]) => {
      if (ready.length === known) return
      known = ready.length
      taking = takeAfter(taking, [...ready])
      taking.catch((error: unknown) => {
        if (!signal.aborted)
          this.#context.log.error({ err: error }, 'the demonstration library could not be taken in')
      })
    }
    const { made, kept } = await makeLibrary({
      folder,
      signal,
      ...(only ? { only } : {}),
      ...(settings.DEMO_SECONDS ? { secondsPerFilm: settings.DEMO_SECONDS } : {}),
      onKept: (ids) => {
        // A run before took them in: only what it had not made is still to come.
        for (const id of ids) this.#taken.add(id)
        this.#titles = CATALOGUE.filter(({ id }) => only?.includes(id) ?? true)
      },
      onProgress: (progress) => {
        this.#making = progress
        takeWhatIsReady(progress.ready)
      },
    })
    takeWhatIsReady([...made, ...kept])
    await taking
  }

  async #take(
    folder: string,
    packages: Record<DemonstrationPackage, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const { db } = this.#context
    const { problems } = await takeLibrary(this.#context, folder, { signal, packages })
    for (const problem of problems)
      this.#context.log.warn(problem, 'a file of the demonstration library was left out')
    await queueImports(this.#context)
    const { channelIds } = await importChannels(this.#context, join(folder, 'Channels', 'channels.json'))
    for (const channelId of channelIds) await putChannelInPackage(db, packages.channels, channelId)
    await requestSchedules(this.#context)
  }
}
