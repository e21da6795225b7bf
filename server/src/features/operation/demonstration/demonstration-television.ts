import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { CHANNELS_FOLDER } from '@ondine/demo/channels'
import { liveScene, type Scene, writeLiveChannel } from '@ondine/demo/live-channel'
import { LIVE_PICTURES, LIVE_TIME_ZONE } from '@ondine/demo/live-guide'
import type { Context } from '../../../context.ts'
import type { StoredImage } from '../../../ingest/images.ts'
import { makeLoop } from '../../../ingest/live/loop.ts'
import { insertImages } from '../../inventory/titles/images.service.ts'
import { putChannelsInPackage } from '../../rights/entitlements/packages.service.ts'
import { loopInto } from '../../streams/live-inputs/looped-input.service.ts'
import { putGuideSource, runGuideSource } from '../../television/guide-import/guide-sources.service.ts'
import { setBlockPictures } from '../../television/guide-import/programmes.service.ts'
import { importChannels } from '../../television/schedule/channel-import.service.ts'

/** Name of the live channel's guide source. */
const GUIDE_SOURCE = 'demonstration'
/** Interval between imports of the guide, in milliseconds. Each import covers some days. */
const GUIDE_MS = 6 * 3600_000
/** Pause before the loop is sent again after an error, in milliseconds. */
const FAULT_PAUSE_MS = 30_000

/**
 * The live channel of the demonstration. This process sends a loop of a demonstration film to the channel over
 * SRT, so the channel receives a real signal.
 */
export class DemonstrationTelevision {
  readonly #context: Context
  readonly #folder: string
  /** Path of the file with the loop. */
  readonly #loop: string
  #channelId: number | undefined
  /** Folder of the library's pictures; undefined until the pictures have been drawn. */
  #pictures: string | undefined
  /** Stored pictures by file. */
  readonly #stored = new Map<string, StoredImage>()
  #isSending = false

  constructor(context: Context) {
    this.#context = context
    this.#folder = join(context.folders.library, 'live')
    this.#loop = join(this.#folder, 'loop.mp4')
  }

  /** Creates the channel with its guide, and keeps the guide up to date. */
  async start(packageId: number, signal: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#context
    const { channels, guide } = await writeLiveChannel(this.#folder, clock.now())
    const { channelIds, faults } = await importChannels(this.#context, channels)
    for (const fault of faults) log.warn(fault, 'the live channel of the demonstration was left out')
    const [channelId] = channelIds
    if (channelId === undefined) return
    await putChannelsInPackage(db, packageId, channelIds)
    this.#channelId = channelId
    // If an earlier run has made the loop, use it.
    if (await exists(this.#loop)) this.#startSending(channelId, undefined, signal)
    await this.#importGuide(channelId, guide, signal)
    const again = setInterval(() => {
      writeLiveChannel(this.#folder, clock.now())
        .then(async (files) => await this.#importGuide(channelId, files.guide, signal))
        .catch((error: unknown) => {
          if (!signal.aborted)
            log.error({ err: error }, 'the guide of the live channel could not be imported')
        })
    }, GUIDE_MS).unref()
    signal.addEventListener('abort', () => clearInterval(again))
  }

  /**
   * Adds the library's existing pictures to the programmes of the live channel. Starts sending the loop if the
   * source film exists.
   */
  async useLibrary(library: string, signal: AbortSignal): Promise<void> {
    const channelId = this.#channelId
    if (channelId === undefined) return
    this.#pictures = join(library, CHANNELS_FOLDER)
    await this.#showPictures(channelId)
    const { DEMO_TITLES, DEMO_SECONDS } = this.#context.settings
    const scene = await liveScene(library, { only: DEMO_TITLES?.split(','), secondsPerFilm: DEMO_SECONDS })
    if (scene) this.#startSending(channelId, scene, signal)
  }

  /** Starts sending the loop. @param scene the scene for making the loop, if the loop does not exist yet */
  #startSending(channelId: number, scene: Scene | undefined, signal: AbortSignal): void {
    if (this.#isSending) return
    this.#isSending = true
    void this.#send(channelId, scene, signal)
  }

  async #send(channelId: number, scene: Scene | undefined, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (scene && !(await exists(this.#loop))) await makeLoop(scene, this.#loop, signal)
        await loopInto(this.#context, { channelId, file: this.#loop }, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        this.#context.log.error({ err: error }, 'the signal of the live channel could not be sent')
        await new Promise((resolve) => setTimeout(resolve, FAULT_PAUSE_MS).unref())
      }
    }
  }

  async #importGuide(channelId: number, location: string, signal: AbortSignal): Promise<void> {
    const source = await putGuideSource(this.#context, {
      name: GUIDE_SOURCE,
      location,
      timeZone: LIVE_TIME_ZONE,
      cron: null,
      language: 'fra',
      unratedLevel: 0,
      priority: 50,
      mapping: {},
    })
    await runGuideSource(this.#context, source, { signal, onProgress: () => {} })
    await this.#showPictures(channelId)
  }

  /**
   * Adds pictures to the programmes of the guide. Needed after each import, because imported programmes have no
   * pictures.
   */
  async #showPictures(channelId: number): Promise<void> {
    if (this.#pictures === undefined) return
    const { db, images } = this.#context
    for (const { file } of LIVE_PICTURES) {
      const path = join(this.#pictures, file)
      if (!this.#stored.has(file) && (await exists(path))) this.#stored.set(file, await images.store(path))
    }
    const shown = LIVE_PICTURES.flatMap(({ file, of }) => {
      const image = this.#stored.get(file)
      return image ? [{ titles: { ...of }, imageId: image.id }] : []
    })
    await db.transaction(async (tx) => {
      await insertImages(tx, [...this.#stored.values()])
      await setBlockPictures(tx, channelId, shown)
    })
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
