import * as z from 'zod'
import { IMAGE_KINDS, IMAGE_PROXY, IMAGE_TYPES } from './images.ts'
import { operation } from './operation.ts'
import { integer, text } from './wire.ts'

/** The image proxy: returns a picture of an object by its type and id. `Accept` decides the format. */
export const imgdata = operation({
  method: 'GET',
  path: IMAGE_PROXY,
  as: 'visitor',
  summary:
    'A picture as AVIF, WebP or JPEG, at one of the configured heights; an icon also as SVG. Cut to a width if one is given.',
  input: z.object({
    type: z.enum(IMAGE_TYPES),
    objectId: text(200).min(1, 'must not be empty'),
    kind: z.enum(IMAGE_KINDS).optional(),
    format_w: integer(1, 10_000).optional(),
    format_h: integer(1, 10_000).optional(),
    format: z.literal('svg').optional(),
    /**
     * Avatar of a profile's picture, 0 for the default (A3-11). Pages name the avatar, because the request of an `<img>`
     * has no API key, and in native apps no tokens either. Without both, the service does not know the profile.
     */
    avatar: integer(0, 2_147_483_647).optional(),
  }),
  output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  errors: ['invalidInput', 'notFound', 'temporarilyUnavailable'],
  answer: 'file',
})
