import { realpathSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import { EMPTY_TEXT } from '@ondine/media/span-segments'
import type { FastifyError, FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { answerPreflights, CROSS_ORIGIN, openToPlayers } from '../../../http/cross-origin.ts'
import { ServiceError } from '../../../http/errors.ts'
import { joinInside } from '../../../paths.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { EMPTY_WEBVTT, textSegment } from './text-segments.ts'

/** Names that the media store can contain (`TrackSet`). A request for any other name is answered as not found. */
const TRACK_SET = /^[0-9a-f]{32}$/
const RENDITION = /^[a-z0-9-]{1,64}$/
const FILE = /^(?:init\.mp4|[1-9]\d{0,6}\.(?:m4s|vtt|jpg))$/

const TYPES = {
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
}

/** Subtitles in fragmented MP4. */
const TEXT_TYPE = 'application/mp4'

/** `Range` headers that are answered or refused; others are ignored (RFC 9110, 14.2). */
const BYTE_RANGES = /^bytes=\s*(?:\d+-\d*|-\d+)(?:\s*,\s*(?:\d+-\d*|-\d+))*\s*$/i

const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Registers the routes of segments, which are served as files. Segments are encrypted and never change, so anyone
 * may fetch and cache them (only a licence makes them playable). Large installations can serve them by a web server
 * with `sendfile`, which must apply the same rules.
 */
export function registerMedia(app: FastifyInstance, { folders }: Context, trackSets: TrackSetStore): void {
  const root = realpathSync(folders.media)
  app.register(serveMedia, { prefix: '/media' })

  async function serveMedia(scope: FastifyInstance): Promise<void> {
    await scope.register(fastifyStatic, { root: folders.media, serve: false })
    openToPlayers(scope, CROSS_ORIGIN)
    answerPreflights(scope, ['/:trackSet/:rendition/:file', `/${EMPTY_TEXT}`], 'GET, HEAD')
    scope.get<{ Params: Record<'trackSet' | 'rendition' | 'file', string> }>(
      '/:trackSet/:rendition/:file',
      async ({ params: { trackSet, rendition, file }, raw: { headers } }, reply) => {
        if (!TRACK_SET.test(trackSet) || !RENDITION.test(rendition) || !FILE.test(file)) {
          throw new ServiceError('notFound')
        }
        const path = await findFile(trackSet, rendition, file)
        if (path === undefined) {
          const text = await textSegment(trackSets, trackSet, rendition, file, async (number) => {
            const source = await findFile(trackSet, rendition, `${number}.vtt`)
            return source === undefined ? undefined : await readFile(joinInside(root, source), 'utf8')
          })
          if (!text) throw new ServiceError('notFound')
          return await reply.type(TEXT_TYPE).header('cache-control', FOREVER).send(text)
        }
        if (headers.range !== undefined && !BYTE_RANGES.test(headers.range)) delete headers.range
        reply.type(typeOf(file))
        return await reply.sendFile(path, root, {
          maxAge: '365d',
          immutable: true,
          contentType: false,
        })
      },
    )
    // The subtitles of a channel in a language play this file during a programme that has no subtitles in that
    // language.
    scope.get(`/${EMPTY_TEXT}`, async (_request, reply) =>
      reply.type(TYPES.vtt).header('cache-control', FOREVER).send(EMPTY_WEBVTT),
    )
    scope.setErrorHandler<FastifyError & { headers?: Record<string, string> }>(
      async (error, _request, reply) => {
        if (error.statusCode !== 416) throw error
        return reply
          .status(416)
          .headers(error.headers ?? {})
          .send()
      },
    )
  }

  /**
   * Returns the path of a file in the store. Undefined if there is no such file, or if its path contains a symbolic
   * link.
   */
  async function findFile(...names: string[]): Promise<string | undefined> {
    const path = joinInside(root, ...names)
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw error
    })
    return real === path ? relative(root, path) : undefined
  }
}

function typeOf(file: string): string {
  // `FILE` accepts no other extensions.
  return TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES]
}
