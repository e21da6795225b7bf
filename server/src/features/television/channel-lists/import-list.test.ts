import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listChannels } from '@ondine/contract/channels'
import { search } from '@ondine/contract/search'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { pinMedia } from '../../../../test/pinned-media.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#0f3556"/></svg>'

describe.each(MAIN_DB)('importing a list of channels, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let elsewhere: Server
  let base: string
  let asked: string[] = []
  /** Whether the server drops connections without a response. */
  let silent = false
  let actor: Actor

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (silent) request.destroy()
      else if (request.url === '/logo.svg') response.end(LOGO)
      else if (request.url === '/moved') response.writeHead(302, { location: '/box/relative.m3u' }).end()
      else if (request.url === '/box/relative.m3u')
        response.end('#EXTM3U\n#EXTINF:-1,Beside\nlive/beside.m3u8\n')
      else if (request.url === '/list.m3u.gz')
        response.end(gzipSync('#EXTM3U\n#EXTINF:-1,Packed\nhttp://stream.example/packed.m3u8\n'))
      else response.writeHead(404).end()
    })
    base = await listenLocally(elsewhere)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    actor = await buildersOf(service.context).actor()
    folder = await mkdtemp(join(tmpdir(), 'ondine-lists-'))
  })
  afterAll(async () => {
    await closeServer(elsewhere)
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function take(
    text: string | Buffer,
    options: Record<string, string | boolean> = {},
  ): Promise<string> {
    const path = join(folder, 'box.m3u')
    await writeFile(path, text)
    return await runCommand(service, 'channels import', [path], options)
  }
  const list = async () => (await service.call(listChannels, {}, actor.tokens)).result

  const FIRST = `#EXTM3U
#EXTINF:-1 tvg-id="un.fr" tvg-chno="3" tvg-logo="LOGO" group-title="Info;Direct",Un, l'info
http://stream.example/un.m3u8?token=1
#EXTINF:-1 tvg-id="deux.fr" radio="1" group-title="Radio",Deux
http://stream.example/deux.m3u8
#EXTINF:-1 tvg-id="deux.fr" tvg-chno="3",Deux bis
http://stream.example/deux-bis.mpd
#EXTINF:-1 censored="1",Tard
http://stream.example/tard.m3u8
#EXTINF:-1,Antenne
udp://@239.0.0.1:1234
#EXTINF:-1,Disque
file:///etc/passwd
#EXTINF:-1,Dedans
http://10.1.2.3/live.m3u8
`

  it('V3-22 imports groups, logos, numbers, radios and ratings, and lists what it refuses', async () => {
    const said = await take(FIRST.replace('LOGO', `${base}/logo.svg`), { free: true })
    expect(said).toContain('5 channels added, 0 changed, 0 unchanged, 0 gone, 2 lines left out.')
    expect(said).toContain('left out: line 13: Addresses that begin with file: are not accepted.')
    expect(said).toContain(
      'left out: line 15: 10.1.2.3 is inside a private network; the operator can allow it.',
    )
    expect(said).toContain('line 7: Number 3 is taken; Deux bis gets 2.')
    expect(said).toContain('1 of them are live inputs. They play once')
    const channels = await list()
    expect(channels.map(({ name, item }) => [item.lcn, name, item.type, item.isRadio, item.isFta])).toEqual([
      [1, 'Deux', 'relay', true, true],
      [2, 'Deux bis', 'relay', false, true],
      [3, 'Un, l’info'.replace('’', "'"), 'relay', false, true],
      [4, 'Tard', 'relay', false, true],
      [5, 'Antenne', 'live', false, true],
    ])
    expect(channels[2]).toMatchObject({
      mainGenre: 'Info',
      tags: ['Info', 'Direct'],
      logoImage: { url: expect.stringMatching(/^\/images\//) },
      isIncludedInUserOffers: true,
    })
    expect(channels[3]).toMatchObject({ moralityLevel: 6, item: { parentalControl: true } })
    expect(await runCommand(service, 'channels list')).toContain('5 Antenne (live, has no input')
  })

  it('updates channels on a second import, switches off missing ones, and creates no duplicates', async () => {
    const before = await list()
    asked = []
    expect(await take(FIRST.replace('LOGO', `${base}/logo.svg`))).toContain(
      '0 channels added, 0 changed, 5 unchanged, 0 gone',
    )
    expect(asked).toEqual([])
    const second = `#EXTM3U
#EXTINF:-1 tvg-id="trois.fr" tvg-chno="4",Trois
http://stream.example/trois.m3u8
#EXTINF:-1 tvg-id="un.fr" tvg-chno="3" group-title="Info;Direct",Un
http://stream.example/un.m3u8?token=2
#EXTINF:-1 tvg-id="deux.fr",Deux
http://stream.example/deux.m3u8
`
    expect(await take(second)).toContain('1 channels added, 2 changed, 0 unchanged, 3 gone')
    const after = await list()
    expect(after.map(({ name, item }) => [item.lcn, name])).toEqual([
      [1, 'Deux'],
      [3, 'Un'],
      [4, 'Trois'],
    ])
    const idOf = (channels: typeof before, name: string) =>
      channels.find((each) => each.name.startsWith(name))?.id
    expect([idOf(after, 'Un'), idOf(after, 'Deux')]).toEqual([idOf(before, 'Un'), idOf(before, 'Deux')])
    expect(await runCommand(service, 'channels list')).toContain('Tard (relay, gone from its list')
    const found = await service.call(search, {
      term: 'Tard',
      type: 'all',
      count: 10,
      itemsPerPage: 10,
      page: 1,
    })
    expect(found.result.items).toEqual([])
    // A channel that was missing in one import and is in the list again keeps its id.
    expect(await take(`${second}#EXTINF:-1 censored="1",Tard\nhttp://stream.example/tard.m3u8\n`)).toContain(
      '0 channels added, 1 changed',
    )
    expect(idOf(await list(), 'Tard')).toBe(idOf(before, 'Tard'))
  })

  it('keeps the values that an operator has set across imports, until they are unset', async () => {
    await runCommand(service, 'channels set', ['3'], {
      name: 'La Une',
      number: '33',
      free: 'no',
      timeShift: '7200',
      level: '2',
    })
    const text =
      '#EXTM3U\n#EXTINF:-1 tvg-id="un.fr" tvg-chno="3",Un neuf\nhttp://stream.example/un.m3u8?token=3\n'
    await take(text)
    expect(await list()).toMatchObject([
      {
        name: 'La Une',
        moralityLevel: 2,
        item: { lcn: 33, isFta: false, allowTimeshift: true },
        ottConfiguration: { timeshift: 7200 },
      },
    ])
    await expect(runCommand(service, 'channels remove', ['33'], { yes: true })).rejects.toThrow(
      'Channel 33 is in a list, whose next import would create it again. `channels set 33 --on no` hides it',
    )
    await runCommand(service, 'channels set', ['33'], { on: 'no' })
    expect(await list()).toEqual([])
    await runCommand(service, 'channels unset', ['33'])
    await take(text)
    const [unset] = await list()
    expect(unset).toMatchObject({
      name: 'Un neuf',
      moralityLevel: 0,
      item: { lcn: 3, isFta: true },
    })
    expect(unset?.ottConfiguration.timeshift).not.toBe(7200)
    await expect(runCommand(service, 'channels set', ['999'], { name: 'x' })).rejects.toThrow(
      'There is no channel 999.',
    )
    await expect(runCommand(service, 'channels set', ['3'], { level: '9' })).rejects.toThrow(
      '--level is 0 to 6.',
    )
  })

  it('gives a channel the level of adults while the list has the mark, unless an operator has set its level', async () => {
    const levelAfter = async (marks: string) => {
      await take(`#EXTM3U\n#EXTINF:-1 tvg-id="nuit" ${marks},Nuit\nhttp://stream.example/nuit.m3u8\n`, {
        name: 'night',
        level: '1',
      })
      return (await list()).find(({ name }) => name === 'Nuit')?.moralityLevel
    }
    const number = async () => String((await list()).find(({ name }) => name === 'Nuit')?.item.lcn)
    expect(await levelAfter('censored="1"')).toBe(6)
    expect(await levelAfter('')).toBe(1)
    expect(await levelAfter('censored="1"')).toBe(6)
    await runCommand(service, 'channels set', [await number()], { level: '4' })
    expect(await levelAfter('censored="1"')).toBe(4)
    expect(await levelAfter('')).toBe(4)
    await runCommand(service, 'channels unset', [await number()])
    expect(await levelAfter('')).toBe(1)
    await runCommand(service, 'channels lists remove', ['night'])
  })

  it('keeps a channel for adults closed to children when an operator unsets it before its list is imported again', async () => {
    const { db } = service.context
    const levelAfter = async (work: () => Promise<unknown>) => {
      await work()
      return (await list()).find(({ name }) => name === 'Minuit')?.moralityLevel
    }
    const importMarked = async () =>
      await take(
        '#EXTM3U\n#EXTINF:-1 tvg-id="minuit" censored="1",Minuit\nhttp://stream.example/minuit.m3u8\n',
        {
          name: 'midnight',
          level: '1',
        },
      )
    await importMarked()
    const number = String((await list()).find(({ name }) => name === 'Minuit')?.item.lcn)
    await runCommand(service, 'channels set', [number], { level: '5' })
    // Earlier versions did not store the mark.
    await db
      .update(channels)
      .set({ source: sql`${channels.source} - 'listAdult'` })
      .where(eq(channels.number, Number(number)))
    expect(await levelAfter(async () => await runCommand(service, 'channels unset', [number]))).toBe(5)
    expect(await levelAfter(importMarked)).toBe(6)
    await runCommand(service, 'channels lists remove', ['midnight'])
  })

  it('a channel that is switched off says how many programmes that viewers record will miss parts', async () => {
    const { db, clock } = service.context
    await take('#EXTM3U\n#EXTINF:-1 tvg-id="pause",Pause\nhttp://stream.example/pause.m3u8\n', {
      name: 'off',
    })
    const channel = (await list()).find(({ name }) => name === 'Pause')
    const now = clock.now()
    for (const [from, to] of [
      [now - 2000, now - 1000],
      [now - 1000, now + 1000],
      [now + 1000, now + 2000],
    ] as const)
      await pinMedia(db, channel?.idChannel ?? 0, { from, to })
    const set = async (on: string) =>
      await runCommand(service, 'channels set', [String(channel?.item.lcn)], { on })
    expect(await set('no')).toBe(
      'Set Pause.\nProgrammes of it that viewers record and that are not over: 2. What is broadcast while it is off will be missing. `--on yes` switches it on again.',
    )
    expect(await set('yes')).toBe('Set Pause.')
    await runCommand(service, 'channels lists remove', ['off'], { yes: true })
  })

  it('deletes no recordings with a list unless the operator confirms it', async () => {
    const { db } = service.context
    await take('#EXTM3U\n#EXTINF:-1 tvg-id="pris",Pris\nhttp://stream.example/pris.m3u8\n', { name: 'taken' })
    const recorded = await pinMedia(db, (await list()).find(({ name }) => name === 'Pris')?.idChannel ?? 0, {
      from: NOON,
      to: NOON + 1,
    })
    const remove = async (options = {}) =>
      await runCommand(service, 'channels lists remove', ['taken'], options)
    expect(await remove()).toBe(
      'Found taken. Channels: 1, recorded programmes: 1, events: 0. --yes deletes them. This cannot be undone.',
    )
    expect((await list()).map(({ name }) => name)).toContain('Pris')
    expect(await db.$count(recordedProgrammes, eq(recordedProgrammes.id, recorded))).toBe(1)
    expect(await remove({ yes: true })).toBe('Removed taken. Channels removed: 1.')
    expect(await db.$count(recordedProgrammes, eq(recordedProgrammes.id, recorded))).toBe(0)
    expect((await list()).map(({ name }) => name)).not.toContain('Pris')
  })

  it('reads the files of old devices: Latin-1, Windows line ends, and compressed files', async () => {
    const latin = Buffer.from(
      '#EXTM3U\r\n#EXTINF:-1,Cinéma été\r\nhttp://stream.example/e.m3u8\r\n',
      'latin1',
    )
    await take(latin)
    expect((await list()).map(({ name }) => name)).toEqual(['Cinéma été'])
    await take(Buffer.concat([latin, Buffer.from('#EXTINF:-1,Télé à Łódź\r\nhttp://stream.example/l.m3u8')]))
    expect((await list()).map(({ name }) => name)).toEqual(['Cinéma été', 'Télé à Łódź'])
    await take(latin)
    const said = await runCommand(service, 'channels import', [`${base}/list.m3u.gz`])
    expect(said).toContain('1 channels added')
    expect((await list()).map(({ name }) => name)).toEqual(['Cinéma été', 'Packed'])
    await runCommand(service, 'channels import', [`${base}/moved`])
    expect(await runCommand(service, 'channels list')).toContain(`${base}/box/live/beside.m3u8`)
    const packed = gzipSync('#EXTM3U\n#EXTINF:-1,Cinéma été\nhttp://stream.example/e.m3u8\n')
    expect(await take(Buffer.concat([packed, Buffer.from('<html>')]))).toContain(
      `line 3: The bytes after its gzip stream, from byte ${packed.length} on`,
    )
  })

  it('changes nothing if a list cannot be read, is not a list, or leads to a forbidden address', async () => {
    const before = await list()
    await expect(take('<html>')).rejects.toThrow('The channels stay as they were.')
    await expect(take('#EXTM3U\n#EXT-X-VERSION:3\n')).rejects.toThrow('manifest of one stream')
    await expect(runCommand(service, 'channels import', [join(folder, 'missing.m3u')])).rejects.toThrow(
      'There is no file',
    )
    await expect(runCommand(service, 'channels import', [`${base}/nothing`])).rejects.toThrow('status 404')
    await expect(
      runCommand(service, 'channels import', ['http://169.254.169.254/latest'], { name: 'box' }),
    ).rejects.toThrow('private network')
    expect(await list()).toEqual(before)
  })

  it.each([
    ['an empty list', '#EXTM3U\n'],
    ['a fault in words', 'Error: this account has expired\n'],
    ['a fault after the first line', '#EXTM3U\n<html><body>502 Bad Gateway</body></html>\n'],
    ['a list of forbidden addresses', '#EXTM3U\n#EXTINF:-1,Un\nhttp://10.1.2.3/un.m3u8\n'],
  ])('switches off no channel for %s', async (_what, text) => {
    await take('#EXTM3U\n#EXTINF:-1,Un\nhttp://stream.example/un.m3u8\n')
    const before = await list()
    expect(before.map(({ name }) => name)).toContain('Un')
    await expect(take(text)).rejects.toThrow('The channels stay as they were.')
    expect(await list()).toEqual(before)
  })

  it('accepts a list with malicious headers and inline logos', async () => {
    const inline = (letters: number) => `data:image/png;base64,${'A'.repeat(letters)}`
    const said = await take(
      [
        '#EXTM3U',
        '#EXTINF:-1,Nul',
        'http://stream.example/nul.m3u8|User-Agent=a%00b%0D%0AX-Evil%3A%201&Referer=%00',
        '#EXTINF:-1,Half',
        `#EXTVLCOPT:http-user-agent=${'x'.repeat(499)}😀`,
        'http://stream.example/half.m3u8',
        `#EXTINF:-1 tvg-logo="${inline(500)}",Small`,
        'http://stream.example/small.m3u8',
        `#EXTINF:-1 tvg-id="large" tvg-logo="${inline(40_000)}" group-title="Info",Large`,
        'http://stream.example/large.m3u8',
      ].join('\n'),
    )
    expect(said).toContain('line 8: The logo is left out: ')
    const channels = await list()
    expect(channels.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Nul', 'Half', 'Small', 'Large']),
    )
    expect(channels.find(({ name }) => name === 'Large')?.tags).toEqual(['Info'])
  })

  it('accepts inline pictures as logos, and no other inline data', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const logos = {
      Encoded: `data:image/png;base64,${png.toString('base64')}`,
      Written: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(LOGO)}`,
      Called: `data:image/jpeg;base64,${Buffer.from('<script>alert(1)</script>').toString('base64')}`,
      Page: `data:text/html,${encodeURIComponent(LOGO)}`,
      Torn: 'data:image/svg+xml,%E0%A4%A',
    }
    const said = await take(
      `#EXTM3U\n${Object.entries(logos)
        .map(([name, logo]) => `#EXTINF:-1 tvg-logo="${logo}",${name}\nhttp://stream.example/${name}.m3u8\n`)
        .join('')}`,
    )
    const logoOf = new Map((await list()).map(({ name, logoImage }) => [name, logoImage]))
    expect(logoOf.get('Encoded')).toMatchObject({ width: 30, height: 20 })
    expect(logoOf.get('Written')).toMatchObject({ width: 1080, height: 1080 })
    for (const name of ['Called', 'Page', 'Torn']) expect(logoOf.get(name)).toBeNull()
    expect(said).toContain('line 7: The logo is left out: ')
    expect(said).toContain('line 9: The logo is left out: Only http and https addresses are fetched.')
    expect(said).toContain('line 11: The logo is left out: Its address is malformed.')
  })

  it('stops requesting logos from a host that does not answer', async () => {
    silent = true
    const text = Array.from(
      { length: 40 },
      (_, index) =>
        `#EXTINF:-1 tvg-logo="${base}/silent/${index}.png",Canal ${index}\nhttp://stream.example/${index}.m3u8`,
    ).join('\n')
    asked = []
    const said = await take(`#EXTM3U\n${text}\n`)
    silent = false
    expect(said.match(/The logo is left out/g)).toHaveLength(40)
    expect(said).toContain('Its host does not answer.')
    // Some requests have already been sent when the limit is reached.
    expect(asked.length).toBeLessThan(15)
  })
})
