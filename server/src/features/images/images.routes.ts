import { createReadStream } from 'node:fs'
import { LAYOUT } from '@ondine/contract/constants'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { ImageFormat } from '../../ingest/images.ts'

/** A picture is named by its content, so whoever has it need never ask again. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** `/images/{id}/{height}`: a picture at one of the configured heights (V3-50), in the best format that the browser takes. */
export function registerImages(
  app: FastifyInstance,
  { images, storefronts, configurations }: Pick<Context, 'images' | 'storefronts' | 'configurations'>,
): void {
  const usual = new Set<number>(LAYOUT.imageHeights)
  // A closed list, so that nobody makes the service draw a picture in every size there is.
  const isConfigured = (height: number) =>
    usual.has(height) ||
    storefronts.list().some(({ id }) => configurations.of(id).catalogue.imageHeights.includes(height))
  app.get<{ Params: { id: string; height: string } }>('/images/:id/:height', async (request, reply) => {
    const { id } = request.params
    const height = Number(request.params.height)
    if (!/^[0-9a-f]{32}$/.test(id) || !isConfigured(height)) throw new ServiceError('notFound')
    const file = await images.scaled(id, height, bestFormat(request.headers.accept))
    if (!file) throw new ServiceError('notFound')
    return reply
      .header('cache-control', FOR_EVER)
      .header('vary', 'accept')
      .type(file.contentType)
      .send(createReadStream(file.path))
  })
}

/** AVIF is left to those who cannot take WebP: it is smaller, but takes a hundred times as long to make. */
function bestFormat(accept: string | undefined): ImageFormat {
  if (accept === undefined) return 'jpeg'
  if (accept.includes('image/webp')) return 'webp'
  return accept.includes('image/avif') ? 'avif' : 'jpeg'
}
