import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import { EMPTY_TEXT } from '@ondine/media/span-segments'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import { joinInside } from '../../paths.ts'

/** The only names that the media store has (`TrackSet`); whatever else is asked for is not there. */
const TRACK_SET = /^[0-9a-f]{32}$/
const RENDITION = /^[a-z0-9-]{1,64}$/
const FILE = /^(?:init\.mp4|[1-9]\d{0,6}\.(?:m4s|vtt|jpg))$/

const TYPES = {
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
}

const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Segments, as files. They are ciphertext and never change, so anyone may have and keep them (design: the licence is the
 * gate). Large installations put a web server with `sendfile` in front; its rules are these.
 */
export function registerMedia(app: FastifyInstance, { folders }: Context): void {
  const root = realpathSync(folders.media)
  app.register(serveMedia, { prefix: '/media' })

  async function serveMedia(scope: FastifyInstance): Promise<void> {
    await scope.register(fastifyStatic, { root: folders.media, serve: false })
    scope.get<{ Params: Record<'trackSet' | 'rendition' | 'file', string> }>(
      '/:trackSet/:rendition/:file',
      async ({ params: { trackSet, rendition, file } }, reply) => {
        if (!TRACK_SET.test(trackSet) || !RENDITION.test(rendition) || !FILE.test(file)) {
          throw new ServiceError('notFound')
        }
        const path = await findFile(trackSet, rendition, file)
        open(reply)
        reply.type(typeOf(file))
        return await reply.sendFile(path, root, {
          maxAge: '365d',
          immutable: true,
          contentType: false,
        })
      },
    )
    // What a text slot shows where a programme has no such text.
    scope.get(`/${EMPTY_TEXT}`, async (_request, reply) => {
      open(reply)
      return reply.type(TYPES.vtt).header('cache-control', FOREVER).send('WEBVTT\n\n')
    })
    scope.setNotFoundHandler(() => {
      throw new ServiceError('notFound')
    })
    scope.setErrorHandler<FastifyError>(async (error, _request, reply) => {
      if (error.statusCode !== 416) throw error
      return reply.status(416).send()
    })
  }

  /** The path below the store of a file that is really there: nothing that a link leads to. */
  async function findFile(...names: string[]): Promise<string> {
    const path = joinInside(root, ...names)
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new ServiceError('notFound')
      throw error
    })
    if (real !== path) throw new ServiceError('notFound')
    return relative(root, path)
  }
}

function typeOf(file: string): string {
  // `FILE` lets no other endings through.
  return TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES]
}

/** Lets players of other origins read it. */
function open(reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'content-length, content-range, date',
    'cross-origin-resource-policy': 'cross-origin',
  })
}
