import { LAYOUT } from './constants.ts'
import type { Image } from './entities.ts'
import type { Language } from './languages.ts'

/** Of which kind of thing a picture is asked for (V7-29). `image` is a picture by its own id, `avatar` and `icon` one by its name. */
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
export type ImageType = (typeof IMAGE_TYPES)[number]

/** Which of the pictures of a thing (V3-06). */
export const IMAGE_KINDS = ['default', 'background', 'poster', 'logo'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

/** Widths for a height that pictures may be cut to: of films and programmes, of posters, of squares. */
const RATIOS = [16 / 9, 4 / 3, 1, 2 / 3] as const

/** The widths that go with a height, in px. */
export function imageWidths(height: number): number[] {
  return RATIOS.map((ratio) => Math.round(height * ratio))
}

/**
 * The heights that pictures can be had in, in px: those that are configured (V3-50), and that of profiles (A3-11), the
 * smallest first.
 */
export function imageHeights(configured: readonly number[]): number[] {
  return [...new Set([LAYOUT.profileImageSize, ...configured])].toSorted((one, other) => one - other)
}

/** Whether pictures can be had at a height, in px; see {@link imageHeights}. */
export function isImageHeight(height: number, configured: readonly number[]): boolean {
  return height === LAYOUT.profileImageSize || configured.includes(height)
}

/** Where the image proxy is; see `imgdata`. */
export const IMAGE_PROXY = '/proxy/imgdata'

/** What of a thing a picture is wanted of. */
export interface ImageWish {
  type: ImageType
  /** Its id; what is an address already is taken as it is. */
  objectId: string | number
  kind?: ImageKind
  /** In px; an icon without one comes as SVG. */
  height?: number
  width?: number
}

/**
 * Where a picture is to be had: the image proxy, or the id itself if that is an address already (V7-29).
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

/** The picture of an entity at a height, in px: one that the configuration names. */
export function scaledAddress({ url }: Pick<Image, 'url'>, height: number): string {
  return `${url}/${height}`
}

function isAddress(id: string): boolean {
  return /^(?:https?:|data:image\/)|^\//i.test(id)
}
