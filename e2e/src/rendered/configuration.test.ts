import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { describe, expect, it } from 'vitest'
import type { Effect, Seen } from '../configuration/effect.ts'
import { SEEN_BY } from '../configuration/elsewhere.ts'
import { flippedStorefront } from '../configuration/flipped-storefront.ts'
import { LOOK_EFFECTS } from '../configuration/look-effects.ts'
import { PEOPLE_EFFECTS } from '../configuration/people-effects.ts'
import { SCREEN_EFFECTS } from '../configuration/screen-effects.ts'

const EFFECTS = [...LOOK_EFFECTS, ...SCREEN_EFFECTS, ...PEOPLE_EFFECTS]
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

describe('the configuration', () => {
  const storefront = flippedStorefront()

  async function look({
    at = '/',
    signedIn: asViewer,
    fields,
  }: Pick<Effect, 'at' | 'signedIn' | 'fields'>): Promise<Seen> {
    const { origin, apiKey, pages, signedIn } = storefront()
    const cookie = [`storefront=${apiKey}`, ...(asViewer ? [signedIn] : [])].join('; ')
    const response = await fetch(origin + (pages[at] ?? at), {
      headers: { cookie, 'accept-language': 'en', ...(fields ? { 'x-identity-key': apiKey } : {}) },
      redirect: 'manual',
      ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
    })
    return {
      status: response.status,
      location: response.headers.get('location'),
      html: await response.text(),
      policy: `${response.headers.get('content-security-policy')};`,
      cookies: response.headers.getSetCookie(),
    }
  }

  it('has no field without a known effect', async () => {
    const flipped = EFFECTS.map(({ path }) => path)
    const known = [...flipped, ...Object.keys(SEEN_BY)]
    const holds = (whole: string, path: string) => `${path}.`.startsWith(`${whole}.`)
    const fields = leaves(DEFAULT_CONFIGURATION)
    expect(fields.filter((path) => !known.some((whole) => holds(whole, path)))).toEqual([])
    expect(known.filter((whole) => !fields.some((path) => holds(whole, path) || holds(path, whole)))).toEqual(
      [],
    )
    expect(flipped.filter((path) => path in SEEN_BY)).toEqual([])
    // Each listed test file must contain the name of its field.
    const silent: string[] = []
    for (const [path, file] of Object.entries(SEEN_BY)) {
      const test = await readFile(join(ROOT, file), 'utf8')
      if (!test.includes(path.split('.').at(-1) ?? path)) silent.push(`${path} in ${file}`)
    }
    expect(silent).toEqual([])
  })

  it.each(EFFECTS.map((effect) => [effect.clause ?? 'V1-01', effect.path, effect] as const))(
    '%s %s changes the next page',
    async (_clause, path, effect) => {
      if (effect.besides) await storefront().operator.set(effect.besides)
      const before = await look(effect)
      expect(effect.shows(before)).toBe(false)
      await storefront().operator.set({ [path]: effect.value })
      const after = await look(effect)
      expect(effect.shows(after)).toBe(true)
      // An error page would lack the content too, so the status must not be an error.
      expect([404, 500]).not.toContain(after.status)
    },
  )

  it('V2.1-14 without a legal notice its page says that there is none, and no menu leads there', async () => {
    const { status, html } = await look({ at: '/legal' })
    expect(status).toBe(404)
    expect(html).toContain('Ce service n’a pas encore publié ses mentions légales.')
    expect(html).not.toContain('href="/legal"')
  })

  it('V3-50 pictures are available at the configured heights, and at no others', async () => {
    const [picture = ''] = /\/images\/[\da-f]{32}/.exec((await look({ at: 'film' })).html) ?? []
    const status = async () => (await fetch(`${storefront().origin}${picture}/444`)).status
    expect(await status()).toBe(400)
    await storefront().operator.set({ 'catalogue.imageHeights': [240, 444] })
    expect(await status()).toBe(200)
    expect((await fetch(`${storefront().origin}${picture}/445`)).status).toBe(400)
  })

  it('V3-01 the policy allows the pictures of other sites that the menus of any language name', async () => {
    const { operator } = storefront()
    const pictures = async () => / img-src ([^;]*);/.exec((await look({})).policy)?.[1]
    expect(await pictures()).toBe("'self' data: blob:")
    const entry = { title: 'Aide', reference: 'page/help', content: [] }
    const link = { id: '1', title: 'Port', reference: '/live', image: 'https://two.example/port.png' }
    await operator.publish({
      fra: {
        header: [
          { ...entry, image: 'https://one.example/help.svg' },
          { ...entry, image: 'help' },
        ],
      },
      eng: { footer: [{ ...entry, image: 'https://one.example/foot.svg', content: [link] }] },
    })
    expect(await pictures()).toBe("'self' data: blob: https://one.example https://two.example")
    await operator.publish({})
    expect(await pictures()).toBe("'self' data: blob:")
  })

  it('V7-31 the page was made from the data of the file', async () => {
    await storefront().operator.set({ 'brand.name': 'Lumière' })
    const { origin, apiKey } = storefront()
    const file = await fetch(`${origin}/configuration/${apiKey}/data/configuration.json`)
    expect(((await file.json()) as Configuration).brand.name).toBe('Lumière')
    expect((await look({})).html).toContain('Lumière')
  })
})

/** Returns the paths of all fields. A list, or an empty object, is one field. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  const entries = Object.entries(value)
  if (entries.length === 0) return [path]
  return entries.flatMap(([name, child]) => leaves(child, path === '' ? name : `${path}.${name}`))
}
