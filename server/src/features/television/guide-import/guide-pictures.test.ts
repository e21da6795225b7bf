import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg, epgEvent, listChannels } from '@ondine/contract/channels'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { images } from '../../inventory/titles/titles.table.ts'
import { programmes } from './guide.table.ts'
import { fetchGuidePictures } from './guide-pictures.ts'
import { sweepPictures } from './sweep-pictures.ts'

const NOW = NOON / 1000

describe.each(MAIN_DB)('pictures in a guide, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let elsewhere: Server
  let base: string
  let asked: string[] = []
  /** Pattern of requests that the host does not answer. */
  let unanswered: RegExp | undefined
  let idChannel: number
  const pictures = new Map<string, Buffer>()

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '')
      const picture = pictures.get(request.url ?? '')
      if (unanswered?.test(request.url ?? '')) request.socket.destroy()
      else if (picture === undefined) response.writeHead(404).end()
      else response.end(picture)
    })
    base = await listenLocally(elsewhere)
    for (const [name, background] of [
      ['/moon.png', '#c04020'],
      ['/sun.png', '#20c040'],
      ['/late.png', '#2040c0'],
    ] as const) {
      const picture = sharp({ create: { width: 640, height: 360, channels: 3, background } })
      pictures.set(name, await picture.png().toBuffer())
    }
    pictures.set('/again.png', pictures.get('/moon.png') ?? Buffer.alloc(0))
    pictures.set('/broken.png', Buffer.from('no picture'))
    pictures.set('/large.png', Buffer.alloc(9_000_000))
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'], GUIDE_PICTURES: 4 })
    folder = await mkdtemp(join(tmpdir(), 'ondine-guide-pictures-'))
    const list = join(folder, 'list.m3u')
    await writeFile(list, '#EXTM3U\n#EXTINF:-1 tvg-id="un",Un\nhttp://stream.example/un.m3u8\n')
    await runCommand(service, 'channels import', [list])
    idChannel = (await service.call(listChannels, {})).result[0]?.idChannel ?? 0
  })
  afterAll(async () => {
    await closeServer(elsewhere)
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    service.clock.set(NOON)
    asked = []
  })

  /**
   * Imports a guide with one programme per hour, starting now. Each name is the picture of a programme, or null
   * for none.
   */
  async function announce(...names: (string | null)[]): Promise<void> {
    const path = join(folder, 'guide.xml')
    const icon = (name: string) => `<icon src="${name.startsWith('http') ? name : base + name}"/>`
    const body = names.map((name, hour) =>
      show(
        'un',
        hour,
        hour + 1,
        `<title>P${hour}</title>${name === null ? '' : icon(name)}<rating><value>TP</value></rating>`,
      ),
    )
    await service.context.db.delete(programmes)
    await writeFile(path, guideOf(body.join('\n')))
    await runCommand(service, 'guide import', [path], { name: 'guide' })
  }
  const fetchThem = async () => await fetchGuidePictures(service.context, new AbortController().signal)
  const guide = async () =>
    (await service.call(epg, { start: NOW, offset: 0, hours: 72 })).result[`chan_${idChannel}`] ?? []
  /** Returns the dominant colour of each programme's picture. */
  const coloursOf = async () =>
    (await guide()).map(({ image }) => {
      const parts = [1, 3, 5].map((at) => Number.parseInt(image?.color.slice(at, at + 2) ?? '0', 16))
      return image === null ? null : ['red', 'green', 'blue'][parts.indexOf(Math.max(...parts))]
    })
  const homeOf = (id: string) => join(service.context.folders.images, id.slice(0, 2), id)
  /** Sets the file time of a stored picture far into the past. */
  const age = async (id: string) => await utimes(homeOf(id), 1_000_000, 1_000_000)
  const imgdata = async (objectId: number) =>
    await service.app.inject({
      url: `/proxy/imgdata?type=programme&objectId=${objectId}&format_h=240`,
      headers: { accept: 'image/jpeg' },
    })

  it('V3-24 V7-29 a programme has its picture with size and colour in the guide, in its own call and from the image proxy', async () => {
    await announce('/moon.png', null, '/sun.png', '/again.png')
    expect(await coloursOf()).toEqual([null, null, null, null])
    expect(await fetchThem()).toEqual({ fetched: 3, missing: 0, forgotten: 0 })
    const [moon, none, sun, again] = await guide()
    expect(moon?.image).toMatchObject({ width: 640, height: 360, url: expect.stringMatching(/^\/images\//) })
    expect(moon?.direct_metadata.AD_IMAGEID).toBe(moon?.image?.url)
    expect([none?.image, sun?.image?.height]).toEqual([null, 360])
    expect(again?.image).toEqual(moon?.image)
    const { result } = await service.call(epgEvent, { idChannel: 0, idEvent: moon?.id ?? 0 })
    expect(result.current.image).toEqual(moon?.image)
    const answer = await imgdata(moon?.id ?? 0)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await imgdata(none?.id ?? 0)).statusCode).toBe(404)
    // The address of a picture contains a digest of its content. It can be cached forever, and needs no
    // authorisation.
    const byContent = await service.app.inject({ url: `${moon?.image?.url}/240` })
    expect(byContent.statusCode).toBe(200)
  })

  it('hides from a child the pictures of programmes that it may not see', async () => {
    await announce('/moon.png')
    await service.context.db.update(programmes).set({ moralityLevel: 5 })
    await fetchThem()
    const [programme] = await guide()
    const child = await buildersOf(service.context).actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const answer = await service.app.inject({
      url: `/proxy/imgdata?type=programme&objectId=${programme?.id}&format_h=240`,
      headers: { ...child.tokens },
    })
    expect(answer.statusCode).toBe(404)
  })

  it('does not fetch a known picture again, and retries a failed one after a day', async () => {
    await announce('/moon.png', '/missing.png', '/broken.png', '/large.png')
    await fetchThem()
    expect(await coloursOf()).toEqual(['red', null, null, null])
    asked = []
    expect(await fetchThem()).toEqual({ fetched: 0, missing: 0, forgotten: 0 })
    expect(asked).toEqual([])
    service.clock.advance(24 * 3600_000)
    await announce(...Array.from({ length: 24 }, () => null), '/moon.png', '/missing.png')
    expect(await fetchThem()).toMatchObject({ fetched: 0, missing: 1 })
    expect(asked).toEqual(['/missing.png'])
  })

  it('fetches nothing from a private network', async () => {
    const inside = createServer((request, response) => {
      asked.push(`inside ${request.url}`)
      response.end(pictures.get('/moon.png'))
    })
    // Addresses of the loopback network are rejected too, unless the operator allows them.
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve))
    const { port } = inside.address() as AddressInfo
    try {
      await announce(`http://127.0.0.2:${port}/x.png`, `http://[::ffff:127.0.0.2]:${port}/x.png`, '/sun.png')
      expect(await fetchThem()).toMatchObject({ fetched: 1, missing: 2 })
      expect(await coloursOf()).toEqual([null, null, 'green'])
      expect(asked).toEqual(['/sun.png'])
      // Show that only the outbound check prevents the request: the server itself answers.
      expect((await fetch(`http://127.0.0.2:${port}/x.png`)).ok).toBe(true)
    } finally {
      await closeServer(inside)
    }
  })

  it('fetches no picture for a hidden channel', async () => {
    const hide = async (hidden: boolean) =>
      await service.context.db.update(channels).set({ enabled: !hidden })
    await announce('/hidden.png')
    await hide(true)
    expect(await fetchThem()).toMatchObject({ fetched: 0, missing: 0 })
    expect(asked).toEqual([])
    await hide(false)
    expect(await fetchThem()).toMatchObject({ fetched: 0, missing: 1 })
    expect(asked).toEqual(['/hidden.png'])
  })

  it('stops after a few timeouts of a host in a row, and fetches the skipped pictures in the next round', async () => {
    const { settings } = service.context
    const roomy = { ...service.context, settings: { ...settings, GUIDE_PICTURES: 20 } }
    const fetchAll = async () => await fetchGuidePictures(roomy, new AbortController().signal)
    const names = Array.from({ length: 14 }, (_, hour) => `/silent-${hour}.png`)
    for (const name of names) pictures.set(name, pictures.get('/moon.png') ?? Buffer.alloc(0))
    await announce(...names)
    unanswered = /silent/
    expect(await fetchAll()).toMatchObject({ fetched: 0, missing: names.length })
    const tried = new Set(asked).size
    expect(tried).toBeLessThan(names.length)
    unanswered = undefined
    expect(await fetchAll()).toMatchObject({ fetched: names.length - tried, missing: 0 })
  })

  it('fetches pictures of the next two days, keeps no more than the operator allows, and deletes unused ones', async () => {
    await announce('/moon.png', '/sun.png')
    await fetchThem()
    const [moon, sun] = await guide()
    const idOf = (programme: typeof moon) => programme?.image?.url.replace('/images/', '') ?? ''
    const gone = idOf(moon)
    await age(gone)
    await announce(null, '/sun.png', ...Array.from({ length: 50 }, () => null), '/late.png')
    const { forgotten } = await fetchThem()
    expect(forgotten).toBeGreaterThan(0)
    expect(asked).not.toContain('/late.png')
    expect((await coloursOf()).filter((colour) => colour !== null)).toEqual(['green'])
    expect(await service.context.images.original(gone)).toBeDefined()
    expect(await sweepPictures(service.context)).toBe(1)
    expect(await service.context.images.original(gone)).toBeUndefined()
    // The guide refers to five pictures, but only four may be stored. The pictures of the earliest programmes have
    // precedence.
    await announce('/sun.png', '/moon.png', '/again.png', '/late.png', '/other.png')
    asked = []
    await fetchThem()
    expect(asked.toSorted()).toEqual(['/again.png', '/late.png', '/moon.png'])
    // A recently stored picture is kept, because an import of titles may be about to refer to it.
    await announce(null)
    expect((await fetchThem()).forgotten).toBeGreaterThan(0)
    expect(await service.context.images.original(idOf(sun))).toBeDefined()
  })

  it('removes pictures that lost their row, quarantines those that never had one, and keeps those that are named or new', async () => {
    const { images: store, folders, db } = service.context
    const keep = async (background: string) => {
      const path = join(folder, 'kept.png')
      await sharp({ create: { width: 64, height: 36, channels: 3, background } })
        .png()
        .toFile(path)
      return await store.store(path)
    }
    await announce('/sun.png')
    await fetchThem()
    const ofGuide = (await guide())[0]?.image?.url.replace('/images/', '') ?? ''
    const ofCatalogue = await keep('#102030')
    await db.insert(images).values(ofCatalogue)
    const forgotten = await keep('#302010')
    await db.insert(images).values(forgotten)
    const unknown = await keep('#301030')
    const young = await keep('#203010')
    const broken = 'ab'.repeat(16)
    await mkdir(homeOf(broken), { recursive: true })
    await writeFile(join(homeOf(broken), 'original.webp.1'), 'half of it')
    for (const id of [ofGuide, ofCatalogue.id, forgotten.id, unknown.id, broken]) await age(id)
    await db.delete(images).where(eq(images.id, forgotten.id))
    expect(await sweepPictures(service.context)).toBe(1)
    const there = async (id: string) => (await store.original(id)) !== undefined
    const all = [ofGuide, ofCatalogue.id, forgotten.id, unknown.id, young.id]
    expect(await Promise.all(all.map(there))).toEqual([true, true, false, false, true])
    const held = async () => (await readdir(join(folders.images, '.quarantine'))).toSorted()
    expect(await held()).toEqual([broken, unknown.id].toSorted())
    // A new row that refers to the picture restores the picture from quarantine.
    await db.insert(images).values(unknown)
    expect(await sweepPictures(service.context)).toBe(0)
    expect(await there(unknown.id)).toBe(true)
    expect(await held()).toEqual([broken])
    // This picture is stored again after its last reference was removed. It may be in use, so it is not deleted.
    await db.delete(images).where(eq(images.id, unknown.id))
    await keep('#301030')
    await sweepPictures(service.context, Date.now() + 2 * 3600_000)
    expect(await held()).toEqual([broken, unknown.id, young.id].toSorted())
  })
})
