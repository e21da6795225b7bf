import { createHash } from 'node:crypto'
import { LAYOUT } from '@ondine/contract/constants'
import { imgdata } from '@ondine/contract/image-calls'
import { imageHeights, imageWidths, isImageHeight } from '@ondine/contract/images'
import type { InputOf } from '@ondine/contract/operation'
import { id as idSchema } from '@ondine/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import { isKnown } from '../../../http/is-known.ts'
import type { Call, On } from '../../../http/operations.ts'
import { avatarOfImage, drawAvatar } from '../../people/profiles/avatars.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { acceptedFormat } from './accepted-format.ts'
import type { PictureBox } from './encode-picture.ts'
import type { Icons } from './icons.ts'
import { objectImage } from './object-image.ts'
import type { Pictures } from './pictures.service.ts'

/** A picture addressed by its content never changes, so it need not be requested again. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** An object may get another picture, so browsers check again after this many seconds. */
const BY_OBJECT = 'max-age=60'
/** Headers that identify the viewer and the storefront of a call, for `Vary`. */
const BY_VIEWER = 'cookie, authorization, x-auth-token, x-profile-token, x-identity-key'

/** Policy for an icon that is opened as a page: no scripts, no requests, no forms. */
const ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const DIGEST = /^[0-9a-f]{32}$/

type ImagesContext = Pick<Context, 'db' | 'storefronts' | 'configurations' | 'catalogue' | 'viewers'>

/**
 * Registers the calls for pictures. They accept only configured heights, so that nobody can make the service
 * encode every possible size. `/images/{id}/{height}`: a picture by its content, cached forever, for pages.
 * `imgdata`: the picture of an object (V7-29).
 */
export function registerImages(
  app: FastifyInstance,
  on: On,
  context: ImagesContext,
  pictures: Pictures,
  icons: Icons,
): void {
  const { storefronts, configurations, viewers } = context
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    box: PictureBox,
    cacheControl: string,
  ): Promise<Buffer> {
    const picture = await pictures.get(id, box, acceptedFormat(request.headers.accept))
    if (!picture) throw new ServiceError('notFound')
    reply.header('cache-control', cacheControl)
    return answer(request, reply, picture.etag, picture)
  }

  app.get<{ Params: { id: string; height: string } }>('/images/:id/:height', async (request, reply) => {
    const { id } = request.params
    const height = Number(request.params.height)
    if (!DIGEST.test(id)) throw new ServiceError('notFound')
    // Storefronts share the image store, so the heights of all storefronts are allowed.
    const configured = storefronts.list().map((each) => configurations.of(each.id).catalogue.imageHeights)
    if (!configured.some((heights) => isImageHeight(height, heights)))
      throw unknownHeight('height', imageHeights(configured.flat()))
    reply.header('vary', 'accept')
    return await send(request, reply, id, { height }, FOR_EVER)
  })

  on(imgdata, async (wish, call) => {
    const { type, objectId, kind = 'default' } = wish
    const { request, reply } = call
    if (type === 'icon' && wish.format_h === undefined) {
      const svg = await icons.find(objectId)
      if (svg === undefined) throw notFoundBy('objectId')
      const body = Buffer.from(svg)
      const digest = createHash('sha256').update(body).digest('hex').slice(0, 32)
      reply.header('cache-control', `public, ${BY_OBJECT}`).header('content-security-policy', ICON_POLICY)
      return answer(request, reply, `"${digest}"`, { body, contentType: 'image/svg+xml' })
    }
    if (type === 'profile' || type === 'avatar') {
      const avatarId = await avatarOf(wish, call)
      const body = Buffer.from(drawAvatar(avatarId, avatarSize(wish)))
      const digest = createHash('sha256').update(body).digest('hex').slice(0, 32)
      reply
        .header('vary', BY_VIEWER)
        .header('cache-control', `${isOwn(wish) ? 'private' : 'public'}, ${BY_OBJECT}`)
        .header('content-security-policy', ICON_POLICY)
      return answer(request, reply, `"${digest}"`, { body, contentType: 'image/svg+xml' })
    }
    const box = boxOf(wish, configurations.of(call.storefront.id).catalogue.imageHeights)
    if (type === 'image') {
      if (!DIGEST.test(objectId)) throw notFoundBy('objectId')
      reply.header('vary', 'accept')
      return await send(request, reply, objectId, box, FOR_EVER)
    }
    if (type === 'icon')
      throw invalidFields([{ field: 'format_h', message: 'icons come as SVG, without a size' }])
    const wanted = idSchema.safeParse(objectId)
    if (!wanted.success)
      throw invalidFields([{ field: 'objectId', message: 'must be a positive whole number' }])
    const image = await objectImage(context, type, wanted.data, kind, {
      storefrontId: call.storefront.id,
      viewer: await viewers.of(call, call.now),
      language: call.language,
      now: call.now,
    })
    if (!image) throw notFoundBy('objectId')
    // A picture visible to one viewer may be hidden from another, such as a child.
    reply.header('vary', `accept, ${BY_VIEWER}`)
    const shared = call.account === null ? 'public' : 'private'
    return await send(request, reply, image.url.replace('/images/', ''), box, `${shared}, ${BY_OBJECT}`)
  })
}

/** Returns whether a picture is for the account of its profile only. A named avatar is the same for everybody. */
function isOwn({ type, avatar }: InputOf<typeof imgdata>): boolean {
  return type === 'profile' && avatar === undefined
}

/** Returns the avatar that the address names, or the avatar of a profile of the calling account. */
async function avatarOf(
  { type, objectId, avatar }: InputOf<typeof imgdata>,
  call: Call,
): Promise<number | null> {
  if (type === 'avatar') {
    const named = avatarOfImage(objectId)
    if (named === undefined) throw notFoundBy('objectId')
    return named
  }
  const wanted = idSchema.safeParse(objectId)
  if (!wanted.success)
    throw invalidFields([{ field: 'objectId', message: 'must be a positive whole number' }])
  if (avatar !== undefined) return avatar
  // A profile of another account is reported as not found. If the caller is not signed in, every profile is
  // reported as not found.
  if (!call.account) throw notFoundBy('objectId')
  return (await requireProfile(call.db, call.account.id, wanted.data)).avatarId
}

/**
 * Returns the size of avatars, in pixels. @throws ServiceError `invalidInput` for any other requested size, because
 * avatars have only one size (A3-11)
 */
function avatarSize({
  format_w: width,
  format_h: height,
}: {
  format_w?: number | undefined
  format_h?: number | undefined
}): number {
  const size = LAYOUT.profileImageSize
  for (const [field, given] of [
    ['format_w', width],
    ['format_h', height],
  ] as const) {
    if (given !== undefined && given !== size) throw invalidFields([{ field, message: `must be ${size}` }])
  }
  return size
}

/**
 * Answers with the picture, or with 304 if the caller has it already. Every origin may read the picture, because a cache
 * may serve the same answer to the website and to a native app.
 */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  { body, contentType }: { body: Buffer; contentType: string },
): Buffer {
  reply.header('etag', etag).header('access-control-allow-origin', '*')
  if (isKnown(request.headers['if-none-match'], etag)) {
    reply.status(304)
    return NOTHING
  }
  reply.type(contentType)
  return body
}

const NOTHING = Buffer.alloc(0)

/** Returns the requested box. @throws ServiceError `invalidInput` if its height or width is not allowed */
function boxOf(
  { format_w: width, format_h: height }: { format_w?: number | undefined; format_h?: number | undefined },
  configured: readonly number[],
): PictureBox {
  if (height === undefined) throw invalidFields([{ field: 'format_h', message: 'is missing' }])
  if (!isImageHeight(height, configured)) throw unknownHeight('format_h', imageHeights(configured))
  const widths = imageWidths(height)
  if (width !== undefined && !widths.includes(width))
    throw invalidFields([{ field: 'format_w', message: `must be one of ${widths.join(', ')}` }])
  return { height, width }
}

function unknownHeight(field: string, heights: readonly number[]): ServiceError {
  return invalidFields([{ field, message: `must be one of ${heights.join(', ')}` }])
}
