import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isErrno } from '../../../is-errno.ts'
import { joinInside } from '../../../paths.ts'
import { SvgError, safeSvg } from './safe-svg.ts'

/** Icons included in Ondine. */
const OWN = fileURLToPath(new URL('icons', import.meta.url))

const NAME = /^[a-z0-9][a-z0-9-]{0,60}$/
const MOST_REMEMBERED = 500

interface Icon {
  path: string
  modifiedAt: number
  svg: string
}

/**
 * Icons by name. Icons of the operator, `DATA_DIR/icons/<name>.svg`, have precedence over Ondine's icons.
 * All are sanitised before they are served.
 */
export class Icons {
  readonly #folders: readonly string[]
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #known = new LRUCache<string, Icon>({ max: MOST_REMEMBERED })

  constructor(folder: string, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#folders = [folder, OWN]
    this.#log = log
  }

  /** Returns the icon called `name` as SVG; undefined if there is no such file, or if the file is no usable icon. */
  async find(name: string): Promise<string | undefined> {
    if (!NAME.test(name)) return undefined
    for (const folder of this.#folders) {
      const icon = await this.#read(name, joinInside(folder, `${name}.svg`))
      if (icon !== undefined) return icon
    }
    return undefined
  }

  async #read(name: string, path: string): Promise<string | undefined> {
    try {
      const modifiedAt = (await stat(path)).mtimeMs
      const known = this.#known.get(name)
      if (known?.path === path && known.modifiedAt === modifiedAt) return known.svg
      const svg = safeSvg(await readFile(path, 'utf8'))
      this.#known.set(name, { path, modifiedAt, svg })
      return svg
    } catch (error) {
      if (error instanceof SvgError) {
        this.#log.warn({ path, reason: error.message }, 'an icon cannot be shown')
        return undefined
      }
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  }
}
