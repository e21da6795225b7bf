import * as z from 'zod'
import type { Publication } from './publication.ts'

const title = z.string().trim().min(1).max(120)
// The target of an entry: a path, a link form such as `page/contact`, or an address. Addresses that a browser could
// execute, such as `javascript:`, are rejected.
const reference = z
  .string()
  .trim()
  .max(500)
  .regex(
    /^(?!\s*(?:javascript|data|vbscript|blob|file):)[^\p{Cc}<>"]*$/iu,
    'must be a path, a link form or an address',
  )
const image = z
  .string()
  .max(2000)
  .regex(
    /^$|^[a-z0-9][a-z0-9-]{0,60}$|^\/(?!\/)[^\s"'<>]*$|^https:\/\/[^\s"'<>]+$/,
    'must be a path, an https address or the name of an icon',
  )

const link = z.strictObject({
  id: z.string().max(100).default(''),
  title,
  reference,
  image: image.default(''),
})

const entry = z.strictObject({
  title,
  reference: reference.default(''),
  image: image.default(''),
  content: z.array(link).max(60).default([]),
})

/** The menus of one language, as an operator may publish them. */
export const menus: z.ZodType<Publication> = z.strictObject({
  header: z.array(entry).max(30).default([]),
  footer: z.array(entry).max(12).default([]),
})
