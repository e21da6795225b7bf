import { LAYOUT } from './constants.ts'
import type { Language } from './languages.ts'

/**
 * Types of objects with pictures (V7-29). `image` is a picture by its own id, `avatar` and `icon` are pictures by name.
 */
export const IMAGE_TYPES = [
  'asset',
  'category',
  'channel',
  'programme',
  'editorial',
  'profile',
  'avatar',
  'image',
  'icon',
] as const
type ImageType = (typeof IMAGE_TYPES)[number]

/** Kinds of pictures of an object (V3-06). */
export const IMAGE_KINDS = ['default', 'background', 'poster', 'logo'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

/** Aspect ratios to which pictures may be cropped: 16:9 for films and programmes, 4:3, square, and 2:3 for posters. */
const RATIOS = [16 / 9, 4 / 3, 1, 2 / 3] as const

/** Returns the allowed widths for a height, in px. */
export function imageWidths(height: number): number[] {
  return RATIOS.map((ratio) => Math.round(height * ratio))
}

/**
 * Returns the available heights of pictures, in px, the smallest first. They are the configured heights (V3-50) and the
 * height of profile pictures (A3-11).
 */
export function imageHeights(configured: readonly number[]): number[] {
  return [...new Set([LAYOUT.profileImageSize, ...configured])].toSorted((one, other) => one - other)
}

/** Returns whether a height, in px, is available. See {@link imageHeights}. */
export function isImageHeight(height: number, configured: readonly number[]): boolean {
  return height === LAYOUT.profileImageSize || configured.includes(height)
}

/**
 * Returns the best of the configured heights for a picture of about `wanted` px: the smallest that is at least as high,
 * or else the highest.
 */
export function fittingHeight(wanted: number, configured: readonly number[]): number {
  const enough = configured.filter((height) => height >= wanted)
  return enough.length > 0 ? Math.min(...enough) : Math.max(...configured)
}

/** Path of the image proxy. See `imgdata`. */
export const IMAGE_PROXY = '/proxy/imgdata'

/** A picture to request. */
export interface ImageWish {
  type: ImageType
  /** Id of the object. A URL is allowed too, and is returned unchanged. */
  objectId: string | number
  kind?: ImageKind
  /** Height of the picture, in px. Without a height, an icon is sent as SVG. */
  height?: number
  width?: number
}

/**
 * Returns the address of a picture at the image proxy. If the id is an address, returns the id unchanged (V7-29).
 *
 * @example
 * imageAddress({ type: 'channel', objectId: 12, height: 240 }, 'fra')
 * // '/proxy/imgdata?type=channel&objectId=12&format_h=240&languageId=fra'
 */
export function imageAddress(
  { type, objectId, kind, height, width }: ImageWish,
  languageId: Language,
): string {
  const id = String(objectId)
  if (isAddress(id)) return id
  const fields = {
    type,
    objectId: id,
    ...(kind && { kind }),
    ...(width !== undefined && { format_w: String(width) }),
    ...(height === undefined ? { format: 'svg' } : { format_h: String(height) }),
    languageId,
  }
  return `${IMAGE_PROXY}?${new URLSearchParams(fields).toString()}`
}

function isAddress(id: string): boolean {
  return /^(?:https?:|data:image\/)|^\//i.test(id)
}
