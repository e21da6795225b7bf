import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'

const SET = 'a'.repeat(32)

describe('segments', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService()
    const { media } = service.context.folders
    for (const folder of ['v720', 't-fra-1', 'thumbnails'])
      await mkdir(join(media, SET, folder), { recursive: true })
    await writeFile(join(media, SET, 'v720', 'init.mp4'), 'head')
    await writeFile(join(media, SET, 'v720', '1.m4s'), '0123456789')
    await writeFile(join(media, SET, 't-fra-1', '1.vtt'), 'WEBVTT\n')
    await writeFile(join(media, SET, 'thumbnails', '1.jpg'), 'jpeg')
    await writeFile(join(media, SET, 'track-set.json'), '{}')
    await writeFile(join(media, '..', 'secret.m4s'), 'not for you')
    await symlink(join(media, '..', 'secret.m4s'), join(media, SET, 'v720', '2.m4s'))
  })
  afterAll(async () => await service.remove())

  const get = async (url: string, headers = {}) => await service.app.inject({ url, headers })

  it.each([
    ['v720/init.mp4', 'video/mp4'],
    ['v720/1.m4s', 'video/iso.segment'],
    ['t-fra-1/1.vtt', 'text/vtt; charset=utf-8'],
    ['thumbnails/1.jpg', 'image/jpeg'],
  ])('serves %s to anyone, cacheable for a year', async (path, type) => {
    const answer = await get(`/media/${SET}/${path}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'accept-ranges': 'bytes',
    })
  })

  it('serves ranges, and refuses ranges out of bounds', async () => {
    const part = await get(`/media/${SET}/v720/1.m4s`, { range: 'bytes=2-4' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    const beyond = await get(`/media/${SET}/v720/1.m4s`, { range: 'bytes=50-60' })
    expect([beyond.statusCode, beyond.body, beyond.headers['content-range']]).toEqual([416, '', 'bytes */10'])
    const head = await service.app.inject({ method: 'HEAD', url: `/media/${SET}/v720/1.m4s` })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '10', ''])
  })

  it.each([
    'bytes=abc',
    'bytes=',
    'bytes=-',
    'bytes=1',
    'bytes=1-x',
    'items=0-1',
    'bytes',
    'bytes=0-1;2',
    '',
  ])('sends the whole file for an invalid range: %s', async (range) => {
    const answer = await get(`/media/${SET}/v720/1.m4s`, { range })
    expect([answer.statusCode, answer.body]).toEqual([200, '0123456789'])
  })

  it.each([
    `/media/${SET}/v720/1.m4s`,
    '/media/empty.vtt',
    '/time',
    '/play/token/manifest.mpd',
    '/play/token/licence',
    '/play/token/key/00',
    '/play/token/relay/main.m3u8',
    '/play/token/relay/sealed/seg-1.m4s',
  ])(
    'answers preflight requests of players of other origins for %s, with the headers that they send',
    async (url) => {
      const headers =
        'cmcd-request, cmcd-object, cmcd-status, cmcd-session, range, if-none-match, content-type'
      const answer = await service.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://player.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': headers,
        },
      })
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      const listed = (name: string) => String(answer.headers[`access-control-${name}`]).split(', ')
      expect(listed('allow-origin')).toEqual(['*'])
      expect(listed('allow-methods')).toContain('GET')
      expect(listed('allow-headers')).toEqual(expect.arrayContaining(headers.split(', ')))
      const got = await get(url, { origin: 'https://player.example' })
      expect(got.headers['access-control-allow-origin']).toBe('*')
      expect(got.headers['access-control-expose-headers']).toContain('etag')
    },
  )

  it('is not sent again to a player that has it', async () => {
    const { headers } = await get(`/media/${SET}/v720/1.m4s`)
    expect(headers.etag).toMatch(/^(W\/)?".+"$/)
    const again = await get(`/media/${SET}/v720/1.m4s`, { 'if-none-match': headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['access-control-allow-origin']).toBe('*')
  })

  describe('of subtitles', () => {
    const trackSet = { ...buildTrackSet({ seconds: 61, subtitles: ['fra'] }), id: 'b'.repeat(32) }
    const text = trackSet.renditions.find(({ kind }) => kind === 'text')?.id ?? ''

    beforeAll(async () => {
      await buildersOf(service.context).asset('La Houle', { trackSet })
      const folder = join(service.context.folders.media, trackSet.id, text)
      await mkdir(folder, { recursive: true })
      // Libraries stored subtitles in this form before other formats were supported.
      const cue = '00:00:05.000 --> 00:00:07.000 line:10%\nBonjour <i>à tous</i>\n\n'
      await writeFile(join(folder, '2.vtt'), `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n${cue}`)
    })

    it('are also available in fragmented MP4, converted from the stored WebVTT', async () => {
      const answer = await get(`/media/${trackSet.id}/${text}/2.m4s`)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/mp4'])
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'content-length': String(answer.rawPayload.length),
      })
      for (const part of ['moof', 'line:10%', 'Bonjour <i>à tous</i>'])
        expect(answer.rawPayload.includes(part)).toBe(true)
      const head = await service.app.inject({ method: 'HEAD', url: `/media/${trackSet.id}/${text}/2.m4s` })
      expect([head.statusCode, head.headers['content-length']]).toEqual([
        200,
        answer.headers['content-length'],
      ])
      const init = await get(`/media/${trackSet.id}/${text}/init.mp4`)
      expect([init.statusCode, init.rawPayload.includes('wvtt')]).toEqual([200, true])
    })

    it('are available without cues if a programme has no such text', async () => {
      for (const file of ['init.mp4', '1.m4s', '16.m4s'])
        expect((await get(`/media/${trackSet.id}/no-text/${file}`)).statusCode).toBe(200)
      expect((await get(`/media/${trackSet.id}/no-text/16.m4s`)).rawPayload.includes('vtte')).toBe(true)
    })

    it.each([
      ['no-text', '17.m4s'],
      ['no-text', '1.vtt'],
      [text, '3.m4s'],
      [text, '17.m4s'],
      [text, '1.jpg'],
      ['t-xyz-1', '1.m4s'],
      ['v720', '1.m4s'],
      ['v720', 'init.mp4'],
    ])('do not exist as %s/%s', async (rendition, file) => {
      const answer = await get(`/media/${trackSet.id}/${rendition}/${file}`)
      expect([answer.statusCode, answer.headers['cache-control'] ?? '']).toEqual([
        404,
        expect.not.stringContaining('immutable'),
      ])
    })

    it('do not exist for an unknown TrackSet', async () => {
      expect((await get(`/media/${'c'.repeat(32)}/no-text/1.m4s`)).statusCode).toBe(404)
    })
  })

  it.each([
    `/media/${SET}/v720/9.m4s`,
    `/media/${SET}/v720/0.m4s`,
    `/media/${SET}/v720/1.mp4`,
    `/media/${SET}/track-set.json`,
    `/media/${SET}/v720/track-set.json`,
    `/media/${'A'.repeat(32)}/v720/1.m4s`,
    `/media/${SET}/../../secret.m4s`,
    `/media/${SET}/v720/../../../secret.m4s`,
    `/media/${SET}/%2e%2e/secret.m4s`,
    `/media/${SET}/v720/%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret.m4s`,
    `/media/${SET}/v720/..%5c..%5csecret.m4s`,
    `/media/${SET}/v720/%252e%252e%252fsecret.m4s`,
    `/media/${SET}/v720/1.m4s%00.jpg`,
    `/media/%2fetc/passwd/1.m4s`,
    `/media/..%c0%af..%c0%afetc/passwd/1.m4s`,
    `/media/${SET}/.%2e/1.m4s`,
    `/media/${SET}/v720/`,
    `/media/${SET}`,
    '/media/',
    '/media//etc/passwd',
    `/media/${SET}/v720/2.m4s`,
  ])('does not serve %s', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.body).not.toContain('not for you')
    // A missing file may appear later, so the refusal is not cached.
    expect(answer.headers['cache-control'] ?? '').not.toContain('immutable')
  })
})
