import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listContent } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { imageAddress } from '@ondine/contract/images'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { assetCategories, categories, images } from '../../inventory/titles/titles.table.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { editorial } from '../editorial/editorial.table.ts'

const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

describe.each(MAIN_DB)('pictures on %s', (kind) => {
  let service: TestService
  let ids: { film: number; strong: number; bare: number; category: number; channel: number }
  let pictures: Record<'background' | 'poster' | 'logo', string>
  let child: Tokens

  beforeAll(async () => {
    service = await startTestService(kind)
    const { db, images: store } = service.context
    const build = buildersOf(service.context)
    const picture = async (name: string, width: number, height: number) => {
      const path = join(service.context.settings.DATA_DIR, `${name}.png`)
      const background = { poster: '#802020', background: '#208020', logo: '#202080' }[name] ?? '#000'
      await sharp({ create: { width, height, channels: 3, background } }).toFile(path)
      const stored = await store.store(path)
      await db.insert(images).values(stored)
      return stored.id
    }
    pictures = {
      background: await picture('background', 1600, 900),
      poster: await picture('poster', 800, 1200),
      logo: await picture('logo', 600, 200),
    }
    const art = {
      backgroundImage: pictures.background,
      posterImage: pictures.poster,
      logoImage: pictures.logo,
    }
    const film = await build.asset('La Houle', art)
    const strong = await build.asset('Front froid', { ...art, moralityLevel: 5 })
    const bare = await build.asset('Sans image')
    const [category] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'mers', names: { fra: 'Mers' }, ...art })
      .returning()
    await db.insert(assetCategories).values({ categoryId: category!.id, assetId: film.id })
    const channel = await build.channel(
      'Rive',
      { kind: 'sequence', titles: ['La Houle'] },
      { logoImage: pictures.logo },
    )
    child = (await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })).tokens
    ids = {
      film: film.id,
      strong: strong.id,
      bare: bare.id,
      category: category!.id,
      channel: channel.id,
    }
  })
  afterAll(async () => await service.remove())

  async function get(url: string, headers: Record<string, string> = {}) {
    return await service.app.inject({ url, headers: { accept: CHROMIUM, ...headers } })
  }

  async function imgdata(fields: Record<string, string | number>, headers: Record<string, string> = {}) {
    const query = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return await get(`/proxy/imgdata?${query.toString()}`, headers)
  }

  /** Returns the id of a programme that shows the film. */
  async function programme(): Promise<number> {
    const startsAt = Date.now()
    const [row] = await service.context.db
      .insert(programmes)
      .values({
        channelId: ids.channel,
        universalId: 'evening',
        startsAt,
        endsAt: startsAt + 3_600_000,
        titles: { fra: 'La Houle' },
        genres: [],
        moralityLevel: 0,
        assetId: ids.film,
      })
      .returning({ id: programmes.id })
    return row!.id
  }

  async function article(values: {
    slug: string
    imageId?: string
    draft?: boolean
    moralityLevel?: number
  }): Promise<number> {
    const [row] = await service.context.db
      .insert(editorial)
      .values({
        storefrontId: service.context.storefronts.list()[0]!.id,
        language: 'fra',
        type: 'articles',
        title: 'Un article',
        description: '',
        author: '',
        keywords: [],
        topics: [],
        moralityLevel: 0,
        writtenAt: 0,
        updatedAt: 0,
        draft: false,
        imageAlt: '',
        imageCredit: '',
        readingMinutes: 1,
        metadata: {},
        related: [],
        content: [],
        library: '/texts',
        source: values.slug,
        fingerprint: '',
        ...values,
      })
      .returning({ id: editorial.id })
    return row!.id
  }

  it('V7-29 imgdata returns a picture by type, object and size', async () => {
    const answer = await imgdata({ type: 'asset', objectId: ids.film, format_h: 240, languageId: 'fra' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/avif')
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 427, height: 240 })
    const cut = await imgdata({ type: 'asset', objectId: ids.film, format_h: 150, format_w: 150 })
    expect(await sharp(cut.rawPayload).metadata()).toMatchObject({ width: 150, height: 150 })
  })

  it('V3-06 a category has a default, a background, a poster and a logo', async () => {
    const shapes: Record<string, number | undefined> = {}
    for (const kindOfImage of ['default', 'background', 'poster', 'logo']) {
      const answer = await imgdata({
        type: 'category',
        objectId: ids.category,
        kind: kindOfImage,
        format_h: 150,
      })
      shapes[kindOfImage] = (await sharp(answer.rawPayload).metadata()).width
    }
    expect(shapes).toEqual({ default: 267, background: 267, poster: 100, logo: 450 })
    const { result } = await service.call(listContent, { id: ids.category, includeRoot: true })
    const payload = result[0]?.type === 'category' ? result[0].payload : undefined
    expect(Object.keys(payload?.images ?? {}).sort()).toEqual([
      'background',
      'default',
      'logo',
      'portrait',
      'poster',
    ])
  })

  it('V3-06 returns a channel’s picture from the image proxy by the channel’s id', async () => {
    const { result } = await service.call(listChannels, {})
    const address = imageAddress({ type: 'channel', objectId: result[0]!.id, height: 240 }, 'fra')
    const answer = await get(address)
    expect(answer.statusCode).toBe(200)
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 600, height: 200 })
  })

  it('V7-29 a programme has the picture of its title, and an article its own', async () => {
    for (const [type, objectId] of [
      ['programme', await programme()],
      ['editorial', await article({ slug: 'un', imageId: pictures.background })],
    ] as const) {
      for (const kindOfImage of ['default', 'background'] as const) {
        const answer = await get(imageAddress({ type, objectId, kind: kindOfImage, height: 240 }, 'fra'))
        expect([type, answer.statusCode]).toEqual([type, 200])
        expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 427, height: 240 })
      }
      expect((await imgdata({ type, objectId, kind: 'poster', format_h: 240 })).statusCode).toBe(404)
      expect((await imgdata({ type, objectId: 999_999, format_h: 240 })).statusCode).toBe(404)
      expect((await imgdata({ type, objectId: 'un', format_h: 240 })).statusCode).toBe(400)
      expect((await imgdata({ type, objectId, format_h: 241 })).statusCode).toBe(400)
    }
  })

  it('a hidden article has no picture for the reader', async () => {
    const art = { imageId: pictures.background }
    const wish = { type: 'editorial', format_h: 240 }
    const [draft, strong, bare] = [
      await article({ ...art, slug: 'draft', draft: true }),
      await article({ ...art, slug: 'strong', moralityLevel: 5 }),
      await article({ slug: 'bare' }),
    ]
    expect((await imgdata({ ...wish, objectId: draft })).statusCode).toBe(404)
    expect((await imgdata({ ...wish, objectId: bare })).statusCode).toBe(404)
    expect((await imgdata({ ...wish, objectId: strong })).statusCode).toBe(200)
    expect((await imgdata({ ...wish, objectId: strong }, child)).statusCode).toBe(404)
  })

  it('V7-29 pictures that have an address need no call to the proxy', async () => {
    for (const objectId of ['https://elsewhere.test/a.png', '/images/abc/240', 'data:image/png;base64,AA'])
      expect(imageAddress({ type: 'channel', objectId, height: 240 }, 'fra')).toBe(objectId)
    expect(imageAddress({ type: 'asset', objectId: 7, kind: 'poster', height: 360, width: 240 }, 'eng')).toBe(
      '/proxy/imgdata?type=asset&objectId=7&kind=poster&format_w=240&format_h=360&languageId=eng',
    )
    // Answers contain the address, size and colour of pictures, so that pages know them before the pictures
    // load.
    const { result } = await service.call(listChannels, {})
    expect(result[0]?.logoImage).toEqual({
      url: `/images/${pictures.logo}`,
      width: 600,
      height: 200,
      color: '#202080',
    })
    expect((await get(`${result[0]!.logoImage!.url}/240`)).statusCode).toBe(200)
  })

  it.each([
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,*/*', 'image/webp'],
    ['*/*', 'image/jpeg'],
  ])('returns the best format for %s', async (accept, contentType) => {
    for (const url of [
      `/images/${pictures.background}/360`,
      `/proxy/imgdata?type=image&objectId=${pictures.background}&format_h=360`,
    ]) {
      const answer = await get(url, { accept })
      expect(answer.headers).toMatchObject({
        'content-type': contentType,
        vary: 'accept',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('is not sent again to a client that has it', async () => {
    const url = `/images/${pictures.background}/360`
    const first = await get(url)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await get(url, { 'if-none-match': `"other", ${etag}` })
    expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, etag])
    expect(again.headers['cache-control']).toContain('immutable')
    expect((await get(url, { accept: '*/*', 'if-none-match': etag })).statusCode).toBe(200)
  })

  it('addressed by its object is cached for a moment only, and not by shared caches if it is not public', async () => {
    const wish = { type: 'asset', objectId: ids.film, format_h: 240 }
    expect((await imgdata(wish)).headers['cache-control']).toBe('public, max-age=60')
    const own = await imgdata(wish, child)
    expect(own.headers['cache-control']).toBe('private, max-age=60')
    const identifying = 'cookie, authorization, x-auth-token, x-profile-token, x-identity-key'
    expect(own.headers.vary).toBe(`accept, ${identifying}`)
  })

  it('of a title above its level is not found by a child', async () => {
    const wish = { type: 'asset', objectId: ids.strong, format_h: 240 }
    expect((await imgdata(wish)).statusCode).toBe(200)
    expect((await imgdata(wish, child)).statusCode).toBe(404)
    expect((await imgdata({ ...wish, objectId: ids.film }, child)).statusCode).toBe(200)
  })

  it('is not found if it does not exist', async () => {
    for (const fields of [
      { type: 'asset', objectId: ids.bare, format_h: 240 },
      { type: 'asset', objectId: 999_999, format_h: 240 },
      { type: 'category', objectId: 999_999, format_h: 240 },
      { type: 'channel', objectId: 999_999, format_h: 240 },
      { type: 'channel', objectId: ids.channel, kind: 'poster', format_h: 240 },
      { type: 'image', objectId: '0'.repeat(32), format_h: 240 },
      { type: 'image', objectId: '../../../etc/passwd', format_h: 240 },
      { type: 'icon', objectId: 'nothing' },
      { type: 'icon', objectId: '../icons/home' },
    ]) {
      const answer = await imgdata(fields)
      expect([fields, answer.statusCode]).toEqual([fields, 404])
    }
    for (const url of [
      `/images/${'0'.repeat(32)}/240`,
      '/images/nothing/240',
      '/images/..%2f..%2fpasswd/240',
    ])
      expect((await get(url)).statusCode).toBe(404)
  })

  it.each<[string, Record<string, string | number>, string, string]>([
    ['no size', {}, 'format_h', 'is missing'],
    ['another height', { format_h: 241 }, 'format_h', 'must be one of 150, 240, 360, 480, 720, 1080'],
    ['a huge one', { format_h: 99_999_999 }, 'format_h', 'must be from 1 to 10000'],
    ['a negative one', { format_h: -240 }, 'format_h', 'must be from 1 to 10000'],
    ['no number', { format_h: '240px' }, 'format_h', 'must be a whole number'],
    ['another width', { format_h: 240, format_w: 241 }, 'format_w', 'must be one of 427, 320, 240, 160'],
    ['an unknown type', { type: 'planet', format_h: 240 }, 'type', ''],
    ['an unknown kind', { kind: 'planet', format_h: 240 }, 'kind', ''],
    ['an id that is none', { objectId: '1e3', format_h: 240 }, 'objectId', 'must be a positive whole number'],
    ['no id', { objectId: '', format_h: 240 }, 'objectId', 'must not be empty'],
    ['an endless id', { objectId: '1'.repeat(10_000), format_h: 240 }, 'objectId', ''],
    ['an unknown language', { format_h: 240, languageId: 'xx' }, 'languageId', ''],
  ])('refuses %s and names the field', async (_, fields, field, message) => {
    const before = await cached()
    const answer = await imgdata({ type: 'asset', objectId: ids.film, ...fields })
    expect(answer.statusCode).toBe(400)
    const { error } = answer.json<{ error: { details: { fields: { field: string; message: string }[] } } }>()
    expect(error.details.fields).toEqual([{ field, message: expect.stringContaining(message) }])
    expect(await cached()).toEqual(before)
  })

  it('V3-50 is available in the configured heights only', async () => {
    const { configurations, storefronts } = service.context
    const storefront = storefronts.first().id
    const refused = await get(`/images/${pictures.poster}/444`)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      {
        error: {
          details: {
            fields: [{ field: 'height', message: 'must be one of 150, 240, 360, 480, 720, 1080' }],
          },
        },
      },
    ])
    const { revision } = configurations.stored(storefront)
    await configurations.change(
      storefront,
      revision,
      [{ path: 'catalogue.imageHeights', value: [240, 444] }],
      { author: 'test', reason: '' },
    )
    expect((await get(`/images/${pictures.poster}/444`)).statusCode).toBe(200)
    expect((await get(`/images/${pictures.poster}/1080`)).statusCode).toBe(400)
    const answer = await imgdata({ type: 'asset', objectId: ids.film, format_h: 1080 })
    expect(answer.json()).toMatchObject({
      error: { details: { fields: [{ field: 'format_h', message: 'must be one of 150, 240, 444' }] } },
    })
  })

  it('V7-29 an icon is sanitised SVG, and an operator’s icon has precedence', async () => {
    const own = await imgdata({ type: 'icon', objectId: 'home', format: 'svg' })
    expect(own.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
    })
    const folder = service.context.folders.icons
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'home.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><script>alert(1)</script><path d="M1 1h7"/></svg>',
    )
    const theirs = await get(imageAddress({ type: 'icon', objectId: 'home' }, 'fra'))
    expect(theirs.body).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7"></path></svg>',
    )
    expect(theirs.headers.etag).not.toBe(own.headers.etag)
    await writeFile(join(folder, 'broken.svg'), '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')
    expect((await imgdata({ type: 'icon', objectId: 'broken' })).statusCode).toBe(404)
    expect((await imgdata({ type: 'icon', objectId: 'home', format_h: 240 })).statusCode).toBe(400)
  })

  async function cached(): Promise<string[]> {
    return (await readdir(service.context.folders.pictures, { recursive: true })).sort()
  }
})
