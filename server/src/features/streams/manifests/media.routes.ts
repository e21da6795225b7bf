import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import { EMPTY_TEXT } from '@ondine/media/span-segments'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { answerPreflights, CROSS_ORIGIN, openToPlayers } from '../../../http/cross-origin.ts'
import { ServiceError } from '../../../http/errors.ts'
import { findFile } from '../../../segments/folder-segments.ts'
import {
  type FetchFile,
  type FileAnswer,
  type SegmentFile,
  StoreError,
} from '../../../segments/segment-store.ts'
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

/** `Retry-After` in seconds, for a segment that the store failed to deliver. */
const RETRY_SECONDS = 5

/**
 * Begins to send a file. Returns false if the file does not exist. It cannot return the reply, because a promise of
 * a reply has no value: it is settled when the answer has been sent.
 */
type SendFile = (file: SegmentFile, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/**
 * Registers the routes of segments. Segments are encrypted and never change. Anyone may fetch and cache them,
 * because only a licence makes them playable. In large installations, a web server can send them with `sendfile`.
 * It must apply the same rules.
 */
export function registerMedia(app: FastifyInstance, { segments }: Context, trackSets: TrackSetStore): void {
  const { serving } = segments
  app.register(serveMedia, { prefix: '/media' })

  async function serveMedia(scope: FastifyInstance): Promise<void> {
    if ('folder' in serving) await scope.register(fastifyStatic, { root: serving.folder, serve: false })
    const send = 'folder' in serving ? sendFrom(serving.folder) : passOn(serving.fetch)
    openToPlayers(scope, CROSS_ORIGIN)
    answerPreflights(scope, ['/:trackSet/:rendition/:file', `/${EMPTY_TEXT}`], 'GET, HEAD')
    scope.get<{ Params: Record<'trackSet' | 'rendition' | 'file', string> }>(
      '/:trackSet/:rendition/:file',
      async (request, reply) => {
        const { trackSet, rendition, file } = request.params
        if (!TRACK_SET.test(trackSet) || !RENDITION.test(rendition) || !FILE.test(file)) {
          throw new ServiceError('notFound')
        }
        const { headers } = request.raw
        if (headers.range !== undefined && !BYTE_RANGES.test(headers.range)) delete headers.range
        if (await send({ trackSet, rendition, name: file }, request, reply)) return await reply
        const text = await textSegment(
          trackSets,
          trackSet,
          rendition,
          file,
          async (number) => await segments.readText({ trackSet, rendition, name: `${number}.vtt` }),
        )
        if (!text) throw new ServiceError('notFound')
        return await reply.type(TEXT_TYPE).header('cache-control', FOREVER).send(text)
      },
    )
    // Empty subtitles. Players get this file during programmes of a channel that lack subtitles in the chosen
    // language.
    scope.get(`/${EMPTY_TEXT}`, async (_request, reply) =>
      reply.type(TYPES.vtt).header('cache-control', FOREVER).send(EMPTY_WEBVTT),
    )
    scope.setErrorHandler<FastifyError & { headers?: Record<string, string> }>(
      async (error, _request, reply) => {
        if (error instanceof StoreError)
          throw new ServiceError(
            'temporarilyUnavailable',
            { retryAfterSeconds: RETRY_SECONDS },
            { cause: error },
          )
        if (error.statusCode !== 416) throw error
        return reply
          .status(416)
          .headers(error.headers ?? {})
          .send()
      },
    )
  }
}

/** Sends files from a folder. */
function sendFrom(folder: string): SendFile {
  const root = realpathSync(folder)
  return async (file, _request, reply) => {
    const path = await findFile(root, file)
    if (path === undefined) return false
    reply
      .type(typeOf(file.name))
      .sendFile(relative(root, path), root, { maxAge: '365d', immutable: true, contentType: false })
    return true
  }
}

/** Forwards the answer of the object store. The transfer ends when the viewer disconnects. */
function passOn(fetch: FetchFile): SendFile {
  return async (file, request, reply) => {
    const leaving = new AbortController()
    reply.raw.once('close', () => leaving.abort(new Error('the viewer left')))
    const { range, 'if-none-match': ifNoneMatch } = request.headers
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
    let answer: FileAnswer | undefined
    try {
      answer = await fetch(file, { method, range, ifNoneMatch, signal: leaving.signal })
    } catch (error) {
      if (!leaving.signal.aborted) throw error
      reply.send()
      return true
    }
    if (!answer) return false
    const { status, headers, body } = answer
    reply.status(status).headers(headers)
    if (status === 416) reply.send()
    else
      reply
        .type(typeOf(file.name))
        .header('cache-control', FOREVER)
        .send(body ?? undefined)
    return true
  }
}

function typeOf(file: string): string {
  // `FILE` accepts no other extensions.
  return TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES]
}
