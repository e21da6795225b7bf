import { OPERATIONS } from '@ondine/contract/all'
import { epg } from '@ondine/contract/channels'
import { encodeInput } from '@ondine/contract/encode-input'
import { ERRORS } from '@ondine/contract/errors'
import { readAsset } from '@ondine/contract/playback'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from './builders.ts'
import { startTestService, type TestService } from './service.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Tests the wire format with the requests of a client that knows only the specification. */
describe('the wire', () => {
  let service: TestService
  let subscriber: Actor
  let film: number

  beforeAll(async () => {
    service = await startTestService()
    await service.app.ready()
    const build = buildersOf(service.context)
    subscriber = await build.actor({ packages: { cinema: {} } })
    film = (
      await build.asset('La Houle', {
        titles: { fra: 'La Houle', eng: 'The Swell' },
        inPackages: ['cinema'],
      })
    ).id
  })
  afterAll(async () => await service.remove())

  async function post(url: string, payload: string, type = FORM) {
    const headers = { 'content-type': type, ...subscriber.tokens }
    const answer = await service.app.inject({ method: 'POST', url, headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }

  it('V7-01 A7-01 accepts form-encoded calls on the proxy path, named by its last segment', async () => {
    const proxied = OPERATIONS.filter(({ path }) => /^\/proxy\/[^/]+$/.test(path))
    expect(proxied.length).toBeGreaterThan(20)
    for (const { name, path } of proxied) expect(path).toBe(`/proxy/${name}`)
    expect(await post('/proxy/assets', `assetIds=%5B${film}%5D&languageId=fra`)).toMatchObject({
      status: 200,
      body: { status: true, result: [{ idAsset: film }] },
    })
    expect(await post('/proxy/noSuchCall', 'languageId=fra')).toMatchObject({
      status: 404,
      body: { status: false, error: { code: ERRORS.notImplemented.code } },
    })
    const { code, text } = ERRORS.notImplemented
    for (const language of ['fra', 'eng'] as const) {
      const error = { code, message: text[language] }
      const query = `languageId=${language}`
      const asked = await service.app.inject({ url: `/proxy/noSuchCall?${query}` })
      expect([asked.json().error, (await post('/proxy/noSuchCall', query)).body]).toMatchObject([
        error,
        { error },
      ])
    }
    for (const elsewhere of ['/assets', '/api/assets'])
      expect((await post(elsewhere, `assetIds=%5B${film}%5D`)).status).toBe(404)
  })

  it.each([
    ['/proxy/epg/event/1/%', '/proxy/epg/event/1/%'],
    ['/%', '/%'],
    ['/media/%E0%A4%A/x', '/media/%E0%A4%A/x'],
  ])('answers %s, which is no address, with its own error, and browsers with a page', async (_what, url) => {
    const answer = await service.app.inject({ url, headers: { accept: 'application/json' } })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: { code: ERRORS.invalidInput.code, details: { fields: [{ field: 'address' }] } } },
    ])
    const page = await service.app.inject({ url, headers: { accept: 'text/html,*/*' } })
    expect(page.statusCode).toBe(400)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<a href="/"')
  })

  it('tells which field of an address is invalid, however long it is', async () => {
    const answer = await service.app.inject(`/proxy/epg/event/1/${'x'.repeat(5000)}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: { code: ERRORS.invalidInput.code, details: { fields: [{ field: 'idEvent' }] } } },
    ])
  })

  it.each([
    ['POST', '/proxy/contentData', 'idAsset=999999', 'idAsset'],
    ['POST', '/proxy/contentData', 'idCategory=999999', 'idCategory'],
    ['POST', '/proxy/listContent', 'id=999999', 'id'],
    ['POST', '/proxy/assetScore', 'idAsset=999999', 'idAsset'],
    ['POST', '/proxy/changeScoreAsset', 'idCategory=999999&score=3', 'idCategory'],
    ['POST', '/proxy/addFavoriteAsset', 'idAsset=999999', 'idAsset'],
    ['POST', '/proxy/addFavoriteAsset', 'idCategory=999999', 'idCategory'],
    ['GET', '/proxy/epg/event/0/999999', '', 'idEvent'],
    ['GET', '/cms/search/related', 'contentId=999999', 'contentId'],
    ['GET', '/proxy/imgdata', 'type=asset&objectId=999999&format_h=240', 'objectId'],
    ['GET', '/proxy/imgdata', 'type=icon&objectId=nothing', 'objectId'],
  ] as const)('answers 404 to %s %s with %s, and names the field', async (method, path, fields, field) => {
    const asked = { headers: { 'content-type': FORM, ...subscriber.tokens }, method }
    const answer = await service.app.inject(
      method === 'GET' ? { ...asked, url: `${path}?${fields}` } : { ...asked, url: path, payload: fields },
    )
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      { error: { code: ERRORS.notFound.code, details: { fields: [{ field, message: 'names nothing' }] } } },
    ])
  })

  it('V7-02 accepts languageId with every call, in the body or in the query, and answers in that language', async () => {
    for (const [language, title] of [
      ['fra', 'La Houle'],
      ['eng', 'The Swell'],
    ] as const) {
      const { body } = await post('/proxy/assets', `assetIds=%5B${film}%5D&languageId=${language}`)
      expect(body).toMatchObject({ result: [{ title }] })
      const refused = await service.app.inject(`/proxy/listAssetTags?languageId=${language}`)
      expect(refused.json()).toMatchObject({ error: { message: ERRORS.invalidInput.text[language] } })
    }
    for (const { method, path } of OPERATIONS.filter(({ answer }) => answer === 'envelope')) {
      const wrong = 'languageId=klingon'
      const answer = await service.app.inject({
        method,
        url: `${path.replaceAll(/:\w+/g, '1')}${method === 'GET' ? `?${wrong}` : ''}`,
        ...(method === 'GET' ? {} : { headers: { 'content-type': FORM }, payload: wrong }),
      })
      expect([path, answer.json()]).toMatchObject([
        path,
        { error: { code: ERRORS.invalidInput.code, details: { fields: [{ field: 'languageId' }] } } },
      ])
    }
  })

  it('V7-02 accepts values that are objects as JSON strings', async () => {
    const adsMacro = { page_url: 'https://ondine.test/player', device_ua: 'Test/1.0' }
    expect(encodeInput({ idAsset: film, adsMacro, languageId: 'fra' })).toEqual([
      ['idAsset', String(film)],
      ['adsMacro', JSON.stringify(adsMacro)],
      ['languageId', 'fra'],
    ])
    const { status, result } = await service.call(
      readAsset,
      { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash', adsMacro },
      subscriber.tokens,
    )
    expect([status, typeof result.url]).toEqual([200, 'string'])
    for (const broken of ['{', '"text"', '[1', 'null']) {
      const fields = new URLSearchParams({
        idAsset: String(film),
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        adsMacro: broken,
      })
      const { status: refused, body } = await post(readAsset.path, fields.toString())
      expect([broken, refused, body.error.details.fields[0].field]).toEqual([broken, 400, 'adsMacro'])
    }
    const ids = await post(epg.path, 'start=0&offset=0&hours=24&channelIds=1,2')
    expect(ids.body).toMatchObject({ error: { details: { fields: [{ field: 'channelIds' }] } } })
  })
})
