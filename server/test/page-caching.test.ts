import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from './service.ts'

describe('what caches may keep', () => {
  let service: TestService

  beforeAll(async () => {
    const settings = { PUBLIC_URL: 'https://ondine.test', CATALOGUE_CACHE_SECONDS: 5 }
    service = await startTestService('embedded', settings, { hasPages: true })
  })
  afterAll(async () => await service.remove())

  const answer = async (url: string) => {
    const { statusCode, headers } = await service.app.inject({ url, headers: { accept: 'text/html' } })
    return [statusCode, headers['cache-control']]
  }

  it.each([
    [200, 'public, max-age=0, s-maxage=5'],
    [301, 'public, max-age=0, s-maxage=5'],
    [404, 'no-store'],
    [500, 'no-store'],
  ])('the page of a visitor with the status %i is %s', async (status, control) => {
    expect(await answer(`/?status=${status}`)).toEqual([status, control])
  })

  it('the icon is private, because a host may have several storefronts', async () => {
    expect(await answer('/favicon.ico')).toEqual([302, 'private, max-age=3600'])
  })
})
