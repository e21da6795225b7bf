import { buffer } from 'node:stream/consumers'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import {
  APP_ICON_MARGIN,
  APP_ICON_SIZE,
  type AppLook,
  appIcon,
  iconGround,
  pictureAt,
} from '../../../http/app-manifest.ts'
import { decodePicture, IMAGE_LIMITS } from '../../../ingest/images.ts'
import { openSharp } from '../../../ingest/sharp.ts'
import { openSource } from '../../../outbound/open-source.ts'

/** Maximum number of drawn icons in memory, some kilobytes each. */
const MOST_ICONS = 50

/** How long a drawn icon is used, in milliseconds. The picture at its address may change. */
const KEPT_MS = 3_600_000

/** How long the wave is used in place of a picture that could not be fetched, in milliseconds. */
const RETRY_MS = 60_000

const FETCH_MS = 10_000

/** Draws the icons of storefronts as PNG, for home screens. Fetches pictures at an address through the outbound check. */
export class AppIcons {
  readonly #settings: Pick<Context['settings'], 'OUTBOUND_ALLOW'>
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #drawn = new LRUCache<string, Buffer, AppLook>({
    max: MOST_ICONS,
    ttl: KEPT_MS,
    fetchMethod: async (_key, _old, { context, options }) => {
      const address = pictureAt(context.brand)
      if (address !== undefined) {
        try {
          return await drawn(context, await this.#fetch(address))
        } catch (error) {
          this.#log.warn(
            { err: error, address },
            'the icon for home screens cannot be drawn from this picture',
          )
          options.ttl = RETRY_MS
        }
      }
      return await drawn(context)
    },
  })

  constructor({ settings, log }: Pick<Context, 'settings' | 'log'>) {
    this.#settings = settings
    this.#log = log
  }

  /** Returns the icon of a storefront. Undefined if it is a path of the site, where it has its own file. */
  async png(look: AppLook): Promise<Buffer | undefined> {
    const key = pictureAt(look.brand) ?? appIcon(look)
    return key === undefined
      ? undefined
      : await this.#drawn.forceFetch(`${look.colors.surface0} ${key}`, { context: look })
  }

  async #fetch(address: string): Promise<Buffer> {
    const { bytes } = await openSource(
      address,
      {
        maxBytes: IMAGE_LIMITS.vectorBytes,
        maxUnpackedBytes: IMAGE_LIMITS.vectorBytes,
        maxMilliseconds: FETCH_MS,
        allow: this.#settings.OUTBOUND_ALLOW,
      },
      AbortSignal.timeout(FETCH_MS),
    )
    return await buffer(bytes)
  }
}

/** Draws the fetched picture, or else the embedded one or the wave, on the background of the site. */
async function drawn(look: AppLook, fetched?: Buffer): Promise<Buffer> {
  const sharp = await openSharp()
  if (fetched === undefined)
    return await sharp(Buffer.from(appIcon(look) ?? iconGround(look)))
      .png()
      .toBuffer()
  const side = APP_ICON_SIZE - 2 * APP_ICON_MARGIN
  const picture = await decodePicture(fetched)
  const input = await picture.autoOrient().resize(side, side, { fit: 'inside' }).png().toBuffer()
  return await sharp(Buffer.from(iconGround(look, '')))
    .composite([{ input }])
    .png()
    .toBuffer()
}
