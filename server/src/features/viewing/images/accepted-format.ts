import type { PictureFormat } from './encode-picture.ts'

/**
 * Formats that are sent only if the `Accept` header names them, the format with the smallest files first. Other
 * clients get JPEG, which works everywhere.
 */
const NAMED: readonly PictureFormat[] = ['avif', 'webp']

/**
 * Returns the best format for an `Accept` header (RFC 9110, 12.5.1). AVIF and WebP must be named explicitly:
 * older programs accept any type, although they know only older formats.
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
