import type { PictureFormat } from './encode-picture.ts'

/** Smallest first; everything shows JPEG. */
const NAMED: readonly PictureFormat[] = ['avif', 'webp']

/**
 * The best format for whoever sends this `Accept` (RFC 9110, 12.5.1). AVIF and WebP only when they are named: older
 * programs say that they take anything, and mean what they know.
 */
export function acceptedFormat(accept: string | undefined): PictureFormat {
  const named = new Map(
    (accept ?? '').split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [type, quality === undefined || Number(quality) > 0] as const
    }),
  )
  return NAMED.find((format) => named.get(`image/${format}`) === true) ?? 'jpeg'
}
